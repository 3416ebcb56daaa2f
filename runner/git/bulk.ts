import type { ExecutionResult } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import { type GitOptions, gitText } from '../../lib/git.ts'
import { toShownPath } from './commit-names.ts'
import { isFile } from './raw-changes.ts'

const MANY_FILES = 1000
const LARGE_BYTES = 50 * 1024 * 1024

/** What work adds that a repository is rarely meant to hold: folders such as node_modules, and very large files. */
export async function findBulk(
  options: GitOptions,
  changes: readonly RawChange[],
): Promise<Pick<ExecutionResult, 'bulk'>> {
  const added = changes.filter(({ modes }) => modes[0] === '000000')
  const folders = findLargeFolders(added.map(({ path }) => path)).map(([path, files]) => ({ path, files }))
  const files = changes.filter(({ modes }) => isFile(modes[1]))
  const input = files.map(({ objects }) => `${objects[1]}\n`).join('')
  const sizes = await gitText(['cat-file', '--batch-check=%(objectsize)'], { ...options, input })
  const large = sizes.split('\n').flatMap((size, i) => {
    const bytes = Number(size)
    return bytes < LARGE_BYTES ? [] : [{ path: files[i]?.path ?? '', bytes }]
  })
  const found = [...folders, ...large].slice(0, RESULT_LIMITS.bulk)
  return found.length === 0 ? {} : { bulk: found.map(({ path, ...size }) => ({ path: toShownPath(path), ...size })) }
}

/** The topmost folders that hold many of the paths, each as far down as it has nearly all of them. */
function findLargeFolders(paths: readonly string[]): (readonly [folder: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  const many = [...counts].filter(([, count]) => count >= MANY_FILES).sort(([a], [b]) => (a < b ? -1 : 1))
  return many.filter(([folder, count]) => {
    const isAmongThose = many.some(([other, more]) => folder.startsWith(`${other}/`) && count < more * 0.9)
    const isPartOfIt = many.some(([other, fewer]) => other.startsWith(`${folder}/`) && fewer >= count * 0.9)
    return !isAmongThose && !isPartOfIt
  })
}
