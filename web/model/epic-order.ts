import type { Epic } from '../../core/rest/client/client.ts'

/** As the lanes of the board stand, and epics wherever else they are listed: by priority, then by name. */
export function compareEpics(a: Epic, b: Epic): number {
  return a.priority - b.priority || a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
