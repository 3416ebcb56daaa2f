import { countOf, formatSize } from '../../core/amounts.ts'
import type { RawChange } from '../../core/review/hidden.ts'
import type { GitOptions } from '../../lib/git.ts'
import { gitText } from '../../lib/git.ts'
import { toText } from './clone-git.ts'

const MANY_FILES = 1000
const LARGE_BYTES = 50 * 1024 * 1024
const NAMED = 5

/** Says what work adds that a repository is rarely meant to hold: folders such as node_modules, and very large files. */
export async function describeBulk(options: GitOptions, changes: readonly RawChange[]): Promise<string[]> {
  const added = changes.filter(({ modes }) => modes[0] === '000000')
  const folders = findLargeFolders(added.map(({ path }) => path)).map(
    ([folder, count]) => `${toText(folder)}/ is new with ${countOf(count, 'file')}`,
  )
  const files = changes.filter(({ modes }) => modes[1].startsWith('1'))
  const input = files.map(({ objects }) => `${objects[1]}\n`).join('')
  const sizes = (await gitText(['cat-file', '--batch-check=%(objectsize)'], { ...options, input }))
    .split('\n')
    .map(Number)
  const large = files.flatMap(({ path }, i) => {
    const size = sizes[i] ?? 0
    return size < LARGE_BYTES ? [] : [`${toText(path)} has ${formatSize(size)}`]
  })
  const found = [...folders, ...large].slice(0, NAMED)
  if (found.length === 0) return []
  return [
    `The work adds much to the repository: ${found.join(', ')}. Look whether that belongs into it before you accept.`,
  ]
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
