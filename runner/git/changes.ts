/** How the trees of two commits differ, in a repository of our own that is trusted (review.ts). */
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChangeStatistics, parseShortstat } from '../../core/transcript/diffstat.ts'
import { type GitOptions, git, gitText } from '../../lib/git.ts'
import type { StepContext } from '../context.ts'
import { MAX_DIFF_BYTES } from '../limits.ts'

const NO_CHANGES: ChangeStatistics = { files: 0, insertions: 0, deletions: 0 }

export interface Compared {
  readonly base: string
  readonly head: string
  /** Name of the diff in the execution's folder. */
  readonly file: string
}

/** Writes the diff of a commit and itself. @param file as in {@link Compared} */
export async function writeNoChanges({ paths }: StepContext, file: string): Promise<ChangeStatistics> {
  await writeFile(join(paths.execution, file), '', { flush: true })
  return NO_CHANGES
}

/** Writes the diff of two commits' trees, which are known to be listable, and counts it. @throws GitFailed */
export async function writeDiff(
  context: StepContext,
  options: GitOptions,
  { base, head, file: name }: Compared,
): Promise<ChangeStatistics> {
  const file = await open(join(context.paths.execution, name), 'w', 0o644)
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color']
  try {
    const limited = { ...options, output: file, maxOutputBytes: MAX_DIFF_BYTES }
    const { isCut } = await git(['diff', ...plain, '--full-index', base, head, '--'], limited)
    if (isCut) await file.writeFile(`\n[cut after ${MAX_DIFF_BYTES} bytes; the commits hold all of it]\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return parseShortstat(await gitText(['diff', ...plain, '--shortstat', base, head, '--'], options)) ?? NO_CHANGES
}
