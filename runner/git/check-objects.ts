/**
 * Checks what a push would send, before it is sent: git's own checks of each object, and its size.
 *
 * A tree with `.git` in it, or a .gitmodules made to mislead, does harm in the clone of everybody who fetches it. Hosts
 * rarely look, and a later commit can take it out of sight of any diff.
 */
import { formatSize, listOf } from '../../core/sentences/amounts.ts'
import { mkdtemp, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Undelivered } from '../../core/execution/result.ts'
import { shortCommit } from '../../core/text.ts'
import { type GitOptions, git, GitFailed, gitText } from '../../lib/git.ts'
import type { StepContext } from '../context.ts'
import { StepFailed, Unpushable } from '../failure.ts'
import { DEFAULT_MAX_PUSH_BYTES } from '../limits.ts'

/** What old and honest histories have wrong, and what does no harm. All else that git names stops a push. */
const HARMLESS = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badName',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
].map((id) => `${id}=warn`)

/** A commit that is to be pushed, and what the remote has of it. */
export interface Sent {
  readonly gitDir: string
  readonly commit: string
  readonly has: readonly string[]
}

/** Refuses files that are too large to be copied, also of commits in between. @throws Unpushable; GitFailed */
export async function checkSizes(context: StepContext, sent: Sent, signal: AbortSignal): Promise<void> {
  const limit = limitOf(context)
  const range = toRange(sent)
  const options = { gitDir: sent.gitDir, signal }
  await requireWhole(options, sent)
  const filter = [`--filter=blob:limit=${limit + 1}`, '--filter-print-omitted']
  const listed = await gitText(['rev-list', '--objects', '--no-object-names', ...filter, ...range], options)
  const large = listed.split('\n').find((line) => line.startsWith('~'))
  if (large !== undefined) {
    throw refuse(await findPlace(options, large.slice(1), range), `is larger than ${formatSize(limit)}`, TOO_LARGE)
  }
}

/** Most bytes of one file, and of all that one push sends. */
export function limitOf({ run }: StepContext): number {
  return run.maxPushBytes ?? DEFAULT_MAX_PUSH_BYTES
}

/** What git-rev-list(1) takes for what the remote lacks. */
export function toRange({ commit, has }: Omit<Sent, 'gitDir'>): string[] {
  return [commit, ...has.map((known) => `^${known}`)]
}

/** Checks each object, and how much they are together. @throws StepFailed naming commit and path; GitFailed */
export async function checkObjects(context: StepContext, sent: Sent, signal: AbortSignal): Promise<void> {
  const limit = limitOf(context)
  const range = toRange(sent)
  const options = { gitDir: sent.gitDir, signal }
  const { stdout: input } = await git(['rev-list', '--objects', '--no-object-names', ...range], options)
  if (input.length === 0) return
  const folder = await mkdtemp(join(context.tmp, 'sent-'))
  const path = join(folder, 'sent.pack')
  const pack = await open(path, 'wx+')
  try {
    const args = ['pack-objects', '--quiet', '--stdout', '--delta-base-offset']
    const { isCut } = await git(args, { ...options, input, output: pack, maxOutputBytes: limit })
    if (isCut) throw new StepFailed('git', `the commits of this work have more than ${formatSize(limit)}; ${TOO_LARGE}`)
  } finally {
    await pack.close()
  }
  // The objects that these refer to are looked for in the repository, and may be the remote's.
  const index = ['index-pack', `--strict=${HARMLESS.join(',')}`, '-o', join(folder, 'sent.idx'), path]
  const { exitCode, stderr } = await git(index, { ...options, answers: [1, 128] })
  if (exitCode !== 0) throw await toFailure(options, range, exitCode, stderr)
}

export const TOO_LARGE =
  'nothing was pushed and the clone is kept: take it out of the commits, or raise maxPushSize of the configuration, then resume the task'

async function toFailure(options: GitOptions, range: readonly string[], exitCode: number, stderr: string) {
  const [, object, problem] = /^(?:error|warning): object ([0-9a-f]{40,64}): (.*)$/m.exec(stderr) ?? []
  if (object === undefined) return new GitFailed('index-pack', exitCode, stderr)
  const harm = `does harm to whoever fetches it, says git (${problem})`
  return refuse(await findPlace(options, object, range), harm, HARMFUL)
}

const HARMFUL =
  'nothing was pushed and the clone is kept: take it out of the commits, then resume the task, or run the task again'

function refuse({ path, commit }: Place, problem: string, wayOut: string): Unpushable {
  const where = `in commit ${commit} ${problem}`
  return new Unpushable(`${path} ${where}; ${wayOut}`, [{ path, reason: where }])
}

/** How many lost objects are named. */
const MAX_LOST = 20

/**
 * Refuses commits that need objects which the repository has lost, as after a damage to its disk or a mistaken clean-up: no
 * host takes them.
 *
 * @throws Unpushable
 */
export async function requireWhole(options: GitOptions, { commit, has }: Omit<Sent, 'gitDir'>): Promise<void> {
  const range = toRange({ commit, has })
  const listed = await gitText(['rev-list', '--objects', '--no-object-names', '--missing=print', ...range], options)
  const lost = listed.split('\n').filter((line) => line.startsWith('?'))
  if (lost.length === 0) return
  const undelivered: Undelivered[] = []
  for (const object of lost.slice(0, MAX_LOST)) {
    const { path, commit: where } = await findPlace(options, object.slice(1), range)
    undelivered.push({ path, reason: `the clone has lost its content, which commit ${where} needs` })
  }
  const named = listOf(
    undelivered.map(({ path }) => path),
    { total: lost.length },
  )
  throw new Unpushable(
    `the clone has lost what its commits need: ${named}; nothing was pushed, and clone and session are kept: resume the task to let the agent commit that again, or run the task again for a fresh clone`,
    undelivered,
  )
}

/** Where an object stands in the commits of a range. */
interface Place {
  readonly path: string
  readonly commit: string
}

/** The commit that brought an object, and its path. */
async function findPlace(options: GitOptions, object: string, range: readonly string[]): Promise<Place> {
  // A top folder is no entry of another one, so a search for the object does not find it.
  const tops = (await gitText(['log', '--format=%T %H', ...range], options)).split('\n')
  const top = tops.find((line) => line.startsWith(object))?.split(' ')[1]
  if (top !== undefined) return { path: 'the top folder', commit: shortCommit(top) }
  const log = ['log', '--format=%H', '-t', '-m', '--raw', '--no-abbrev', '--no-renames', `--find-object=${object}`]
  // 128: a folder on the way is lost itself.
  const config = [...(options.config ?? []), ['core.quotePath', 'false'] as const]
  const found = await gitText([...log, ...range], { ...options, config, answers: [128] })
  const commit = found.split('\n').findLast((line) => /^[0-9a-f]+$/.test(line)) ?? object
  const path = found
    .split('\n')
    .findLast((line) => line.startsWith(':'))
    ?.split('\t')[1]
  return { path: path ?? `object ${shortCommit(object)}`, commit: shortCommit(commit) }
}
