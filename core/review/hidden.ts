/** Files that commits bring and the diff does not show: a later commit takes them back, and the history keeps them. */

/**
 * @param brought the objects that the commits bring, one on each line
 * @param log the commits with their changes: `git log -z --raw --no-abbrev --no-renames --format=%H`
 * @param diff the one that is reviewed, by `git diff-tree -r` in the same form
 * @returns the commits, newest first, each with a path
 */
export function findHiddenCommits(brought: string, log: string, diff: string): ReadonlyMap<string, string> {
  const shown = new Set(diff.split('\0').flatMap((part) => (part.startsWith(':') ? part.split(' ') : [part])))
  const hidden = new Set(brought.split('\n').filter((object) => object !== '' && !shown.has(object)))
  const found = new Map<string, string>()
  const parts = log.split('\0')
  let commit = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]?.trimStart() ?? ''
    if (!part.startsWith(':')) {
      commit = part
      continue
    }
    i += 1
    const path = parts[i] ?? ''
    const isHidden = !shown.has(path) && part.split(' ').some((object) => hidden.has(object))
    if (isHidden && !found.has(commit)) found.set(commit, path)
  }
  return found
}
