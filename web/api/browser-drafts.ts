import { type DraftStore, createDraftStore } from './draft-store.ts'

const TAB = 'slipway.tab'

function nameOfTab(): string {
  const name = sessionStorage.getItem(TAB) ?? Math.random().toString(36).slice(2)
  sessionStorage.setItem(TAB, name)
  return name
}

let made: DraftStore | undefined

/** The drafts of this browser; made at the first use, because modules do no work when they are loaded. */
export function browserDrafts(): DraftStore {
  if (made !== undefined) return made
  made = createDraftStore({ storage: localStorage, tab: nameOfTab(), nowMs: Date.now })
  addEventListener('storage', made.onStorage)
  return made
}
