/** What has changed in a record since a person saw it: pure. */

/** They move while a person looks, and nobody decides by them. */
const PASSING: readonly string[] = ['updated_at', 'waiting_for', 'deployment_status', 'actions', 'moves']

/**
 * The names of the fields in which two versions of a record differ, as far as a decision may hang on them.
 *
 * @param passing fields that do not count; left out: those that change by themselves
 */
export function changedFields(seen: object, now: object, passing: readonly string[] = PASSING): readonly string[] {
  const before = new Map<string, unknown>(Object.entries(seen))
  const after = new Map<string, unknown>(Object.entries(now))
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !passing.includes(name))
  return names.filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
}
