/**
 * Rebasing and merging without a working tree.
 *
 * Git runs in an empty folder, with an index whose entries are all marked "not checked out". Git ≥ 2.34 then writes only
 * the files that conflict, and its own handling of renames, patch identity and empty commits still works. So this needs
 * neither a checkout of the repository nor `git merge-tree --write-tree`, which came with 2.38.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { type GitOptions, type GitSetting, git, GitFailed, gitText } from '../../lib/git.ts'
import { identity } from './commit.ts'
import { requireListable } from './listable.ts'
import type { StepContext } from '../context.ts'
import type { ScratchRepository } from './scratch-repository.ts'

/** The result of a rebase or merge: one commit, or the files that conflict. */
export type Combined =
  { readonly kind: 'clean'; readonly commit: string } | { readonly kind: 'conflict'; readonly files: readonly string[] }

const SETTINGS: readonly GitSetting[] = [
  ['core.sparseCheckout', 'true'],
  ['core.sparseCheckoutCone', 'false'],
  ['rerere.enabled', 'false'],
]

/**
 * Rebases the commits of `head` after `since` onto `onto`. Authors, dates and messages stay, and a commit whose changes
 * `onto` has already is left out.
 *
 * @throws GitFailed
 */
export async function rebase(
  context: StepContext,
  scratch: ScratchRepository,
  { head, since, onto }: { readonly head: string; readonly since: string; readonly onto: string },
): Promise<Combined> {
  const how = ['--quiet', '--no-fork-point', '--empty=drop', '--strategy=ort', '--no-autostash', '--no-gpg-sign']
  return combine(context, scratch, onto, ['rebase', ...how, '--onto', onto, since, head])
}

/** Merges `from` into `into` with a merge commit, whose first parent is `into`. @throws GitFailed */
export async function merge(
  context: StepContext,
  scratch: ScratchRepository,
  { into, from, message }: { readonly into: string; readonly from: string; readonly message: string },
): Promise<Combined> {
  const how = ['--quiet', '--no-ff', '--strategy=ort', '--no-gpg-sign', '--no-edit', '-m', message]
  return combine(context, scratch, into, ['merge', ...how, from])
}

async function combine(
  context: StepContext,
  scratch: ScratchRepository,
  start: string,
  args: readonly string[],
): Promise<Combined> {
  const options = await emptyTree(context, scratch, start)
  const { exitCode, stderr } = await git(args, { ...options, answers: [1] })
  if (exitCode === 0) return { kind: 'clean', commit: await gitText(['rev-parse', '--verify', 'HEAD'], options) }
  const files = await conflicts(options)
  if (files.length === 0) throw new GitFailed(args[0] ?? '', exitCode, stderr)
  await git([args[0] ?? '', '--quit'], options)
  return { kind: 'conflict', files: files.slice(0, RESULT_LIMITS.rebaseFiles) }
}

/** Git at `start`, with every file marked as not checked out. */
async function emptyTree(
  context: StepContext,
  { gitDir, signal }: ScratchRepository,
  start: string,
): Promise<GitOptions> {
  await requireListable({ gitDir, signal }, start)
  const folder = await mkdtemp(join(context.tmp, 'tree-'))
  const tree = join(folder, 'tree')
  await mkdir(tree)
  await mkdir(join(gitDir, 'info'), { recursive: true })
  await writeFile(join(gitDir, 'info', 'sparse-checkout'), '!/*\n')
  const env = { GIT_WORK_TREE: tree, GIT_INDEX_FILE: join(folder, 'index'), GIT_EDITOR: 'true', ...identity(context) }
  const options = { gitDir, cwd: tree, env, config: SETTINGS, signal }
  await git(['update-ref', '--no-deref', 'HEAD', start], options)
  await git(['read-tree', '-m', '-u', start], options)
  return options
}

async function conflicts(options: GitOptions): Promise<string[]> {
  const listed = await gitText(['diff', '--name-only', '--diff-filter=U', '-z'], options)
  return listed.split('\0').filter((name) => name !== '')
}
