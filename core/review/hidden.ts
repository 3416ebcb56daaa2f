/** Files that commits bring and the diff does not show: a later commit takes them back, and the history keeps them. */

/** Object names of a diff are full. */
const OBJECT = /^[0-9a-f]{40,64}$/

/**
 * @param listed objects that the commits bring, and where: `git rev-list --objects`
 * @param diff the one that is reviewed, by `git diff-tree -r --raw -z --no-renames`
 * @returns the paths, each once
 */
export function findHiddenPaths(listed: string, diff: string): string[] {
  const shown = new Set(diff.split('\0').flatMap((part) => (part.startsWith(':') ? part.split(' ') : [part])))
  const hidden = listed.split('\n').flatMap((line) => {
    const [object = '', path = ''] = splitOnce(line)
    return OBJECT.test(object) && path !== '' && !shown.has(object) && !shown.has(path) ? [path] : []
  })
  return [...new Set(hidden)]
}

function splitOnce(line: string): readonly string[] {
  const at = line.indexOf(' ')
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at + 1)]
}
