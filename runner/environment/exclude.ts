import { join } from 'node:path'
import { placeOfCache } from '../../core/environment/paths.ts'
import { ifThere, inFolderNoFollow, readRegularNoFollow, writeFileUnsynced } from '../../lib/files.ts'

const MAX_EXCLUDE_BYTES = 1024 * 1024

/**
 * Makes git of a clone ignore the caches that lie in it, as folders and as links (gitignore(5)). What the repository tracks there is
 * tracked as before.
 *
 * @param clone that no agent has touched
 */
export async function excludeCaches(clone: string, paths: readonly string[]): Promise<void> {
  const name = '.git/info/exclude'
  await inFolderNoFollow(clone, ['.git', 'info'], async () => undefined, { create: true })
  const before = ((await ifThere(readRegularNoFollow(clone, name, MAX_EXCLUDE_BYTES))) ?? '').toString('utf8')
  const known = new Set(before.split('\n'))
  const lines = paths.flatMap(toPattern).filter((line) => !known.has(line))
  if (lines.length === 0) return
  const end = before === '' || before.endsWith('\n') ? '' : '\n'
  await writeFileUnsynced(join(clone, name), `${before}${end}${lines.join('\n')}\n`)
}

/** The line that ignores one cache, and nothing else; none for a cache in the home. */
export function toPattern(path: string): string[] {
  if (placeOfCache(path).root === 'home') return []
  // Git drops blanks at the end of a line unless they are escaped.
  return [
    `/${path.replaceAll(/[\\*?[\]]/g, String.raw`\$&`).replace(/ +$/, (blanks) => blanks.replaceAll(' ', '\\ '))}`,
  ]
}
