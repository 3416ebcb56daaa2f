import { type HiddenFile, type RawChange, findAddedLines, findHiddenFiles } from '../../core/review/hidden.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { type GitOptions, git, gitText } from '../../lib/git.ts'
import { nameCommits, toShownPath } from './commit-names.ts'

/** Names the commits of a range with content that the diff does not show. */
export async function findHidden(
  options: GitOptions,
  range: readonly string[],
  diff: readonly RawChange[],
): Promise<Pick<ExecutionResult, 'hiddenCommits'>> {
  const objects = ['--objects', '--no-object-names', '--filter=object:type=blob']
  const brought = await gitText(['rev-list', ...objects, ...range], options)
  const raw = ['-z', '--raw', '--no-abbrev', '--no-renames']
  const log = await git(['log', '--topo-order', ...raw, '--format=%H', '--diff-merges=first-parent', ...range], options)
  // A name need not be UTF-8; as latin1 it keeps its bytes.
  const files = findHiddenFiles(brought, log.stdout.toString('latin1'), diff)
  const found = new Map<string, string>()
  const lost = await findLost(options, files)
  for (const { commit, path } of files.filter((file) => lost.has(file))) if (!found.has(commit)) found.set(commit, path)
  if (found.size === 0) return {}
  const named = await nameCommits(options, [...found.keys()].slice(0, RESULT_LIMITS.namedCommits))
  return { hiddenCommits: named.map((commit) => ({ ...commit, path: toShownPath(found.get(commit.commit) ?? '') })) }
}

/** Contents that are compared line by line; any beyond counts as one that the diff does not show. */
const MAX_COMPARED = 200

/** The files of which something is not in the diff. A line is told of the first commit that brought it. */
async function findLost(options: GitOptions, files: readonly HiddenFile[]): Promise<ReadonlySet<HiddenFile>> {
  const known = new Map<string, Set<string>>()
  const lost = new Set<HiddenFile>(files.filter(({ shown }) => shown === undefined))
  const compared = files.filter(({ shown }) => shown !== undefined).toReversed()
  for (const [i, file] of compared.entries()) {
    const lines = i < MAX_COMPARED ? await readLostLines(options, file) : undefined
    const before = known.get(file.path) ?? new Set()
    if (lines === undefined || lines.some((line) => !before.has(line))) lost.add(file)
    known.set(file.path, new Set([...before, ...(lines ?? [])]))
  }
  return lost
}

/** Lines that neither base nor head has; undefined for what has no lines. */
async function readLostLines(options: GitOptions, { shown = ['', ''], content }: HiddenFile) {
  const added = await Promise.all(
    shown.filter((object) => !/^0*$/.test(object)).map((object) => readAddedLines(options, object, content)),
  )
  const [first, second = first] = added
  return first && second && [...first].filter((line) => second.has(line))
}

async function readAddedLines(options: GitOptions, from: string, to: string) {
  // A larger file is not compared.
  const config = [...(options.config ?? []), ['core.bigFileThreshold', '1m'] as const]
  const how = ['--no-ext-diff', '--no-textconv', '--no-color', '--unified=0']
  return findAddedLines((await git(['diff', ...how, from, to], { ...options, config })).stdout.toString('latin1'))
}
