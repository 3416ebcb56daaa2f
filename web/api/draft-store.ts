/**
 * Texts that people have begun to write, kept in the browser until they are sent.
 *
 * Each text belongs to a person, and to the tab in which it was written, so two tabs do not overwrite one another. A tab
 * in which nothing was written shows the newest text of the others, and takes it over with the first change: the entry
 * moves to that tab. If the other tab is still open, it puts its own entry back, so what it shows survives a reload.
 * A text whose tab was closed is found by the next tab that asks; of several the newest comes first, and the next one
 * once that is sent. What can be sent only once, such as the rejection of a task, is forgotten in every tab where it stands
 * or is the beginning of what was sent; another text stays.
 * Without room in the browser, what is typed stays on the page and does not survive a reload.
 *
 * It does not tell two tabs apart that a browser has made by duplicating one: they have the same name.
 */
const PREFIX = 'slipway.draft'
/** Written at a sign-out, so that open tabs forget what they would else put back. */
const CLEARED = `${PREFIX}s-cleared`
/** Written for a moment, with the keys' beginning and the text, so that open tabs forget that text of one place. */
const FORGOTTEN = `${PREFIX}s-forgotten`

export interface DraftPlace {
  /** '' while the server has not said who this is: what is typed then stays on the page. */
  readonly person: string
  /** The draft's name, such as `new-task`. */
  readonly name: string
}

/** The part of a Storage that drafts use. */
interface TextStorage {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface DraftStoreOptions {
  readonly storage: TextStorage
  /** Name of this tab; the same after a reload. */
  readonly tab: string
  readonly nowMs: () => number
}

/** What another tab has done to the storage: the members of a StorageEvent that count. */
export interface StorageChange {
  readonly key: string | null
  readonly newValue: string | null
}

export interface DraftStore {
  /** '' where nothing was begun. */
  read(place: DraftPlace): string
  /** @param text '' forgets it */
  write(place: DraftPlace, text: string): void
  /** Makes the person's what was typed there before it was known who this is. */
  claim(place: DraftPlace): void
  /** Forgets what this tab shows there, in every tab. */
  forget(place: DraftPlace): void
  /** Forgets all that a person has begun, in every tab. */
  forgetPerson(person: string): void
  readonly subscribe: (listener: () => void) => () => void
  readonly onStorage: (change: StorageChange) => void
}

interface Entry {
  readonly key: string
  readonly text: string
  readonly atMs: number
}

export function createDraftStore({ storage, tab, nowMs }: DraftStoreOptions): DraftStore {
  /** What this tab shows of its own; '' for what was sent or emptied here, in whose place nothing of others appears. */
  const own = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  const tell = (): void => listeners.forEach((listener) => listener())
  const keysBelow = (prefix: string): readonly string[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
      key.startsWith(prefix),
    )
  const readEntry = (key: string): Entry | undefined => parseEntry(key, storage.getItem(key))
  const put = ({ key, atMs, text }: Entry): boolean => tryToStore(storage, key, `${atMs} ${text}`)
  const newestOfOthers = (place: DraftPlace): Entry | undefined =>
    keysBelow(prefixOf(place))
      .flatMap((key) => readEntry(key) ?? [])
      .toSorted((a, b) => b.atMs - a.atMs)[0]
  const write = (place: DraftPlace, text: string): void => {
    const key = prefixOf(place) + tab
    const source = own.has(key) ? undefined : newestOfOthers(place)
    const entry = { key, text, atMs: nowMs() }
    own.set(key, entry)
    if (text === '') storage.removeItem(key)
    const isKept = text === '' || (place.person !== '' && put(entry))
    if (source !== undefined && source.key !== key && isKept) storage.removeItem(source.key)
    tell()
  }
  const read = (place: DraftPlace): string => {
    const key = prefixOf(place) + tab
    const shown = own.get(key)
    if (shown !== undefined) return shown.text
    const kept = readEntry(key)
    if (kept === undefined) return newestOfOthers(place)?.text ?? ''
    own.set(key, kept)
    return kept.text
  }
  return {
    read,
    write,
    claim(place) {
      const key = prefixOf({ ...place, person: '' }) + tab
      const typed = own.get(key)
      own.delete(key)
      if (typed !== undefined && typed.text !== '') write(place, typed.text)
    },
    forget(place) {
      const prefix = prefixOf(place)
      const sent = read(place)
      own.set(prefix + tab, { key: prefix + tab, text: '', atMs: nowMs() })
      for (const key of keysBelow(prefix)) if (isPartOf(sent, readEntry(key))) storage.removeItem(key)
      storage.removeItem(prefix + tab)
      tryToStore(storage, FORGOTTEN, `${prefix} ${sent}`)
      storage.removeItem(FORGOTTEN)
      tell()
    },
    forgetPerson(person) {
      tryToStore(storage, CLEARED, String(nowMs()))
      own.clear()
      // Those of earlier releases, which were nobody's, go as well.
      for (const prefix of [personPrefix(person), `${PREFIX}.`])
        for (const key of keysBelow(prefix)) storage.removeItem(key)
      tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onStorage({ key, newValue }) {
      if (key === CLEARED) own.clear()
      else if (key === FORGOTTEN && newValue !== null) {
        const end = newValue.indexOf(' ')
        const forgotten = newValue.slice(0, end) + tab
        if (isPartOf(newValue.slice(end + 1), own.get(forgotten))) {
          own.delete(forgotten)
          // This tab may have put it back already.
          storage.removeItem(forgotten)
        }
      } else if (key?.startsWith(`${PREFIX}/`) !== true) return
      const taken = newValue === null ? own.get(key) : undefined
      if (taken !== undefined && taken.text !== '') put(taken)
      tell()
    },
  }
}

/** Whether there was room for it. */
export function tryToStore(storage: Pick<TextStorage, 'setItem'>, key: string, value: string): boolean {
  try {
    storage.setItem(key, value)
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'QuotaExceededError') return false
    throw error
  }
}

/** Whether an entry is what was sent, or what that began as in another tab, also where it is JSON, as comments and answers are. */
function isPartOf(sent: string, entry: Entry | undefined): boolean {
  const { text = '' } = entry ?? {}
  const beginning = /^[[{]/.test(text) ? text.replace(/["\]}]+$/, '') : text
  return text !== '' && sent.startsWith(beginning)
}

function personPrefix(person: string): string {
  return `${PREFIX}/${encodeURIComponent(person)}/`
}

function prefixOf({ person, name }: DraftPlace): string {
  return `${personPrefix(person)}${encodeURIComponent(name)}/`
}

/** An entry is `<time> <text>`. */
function parseEntry(key: string, stored: string | null): Entry | undefined {
  if (stored === null) return undefined
  const end = stored.indexOf(' ')
  return { key, atMs: Number(stored.slice(0, end)), text: stored.slice(end + 1) }
}
