/**
 * Commits what an agent left uncommitted, in the agent's own step and by the clone's own git (clone-git.ts). So what
 * counts is what `git status` shows there, and nothing is added where it is clean. What of the agent's work is not part of
 * the commits then is listed.
 */
import { formatSize } from '../../core/sentences/amounts.ts'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionError } from '../../core/execution/result.ts'
import { git } from '../../lib/git.ts'
import { removeStaleLocks } from '../../lib/git-locks.ts'
import { readHead, vetObjects } from '../../lib/git-untrusted.ts'
import { type StepContext, findLender } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { MAX_LEFTOVER_BYTES } from '../limits.ts'
import { requireWhole } from './check-objects.ts'
import { type LeftBehind, type Look, cloneGit, toText, updateIndex } from './clone-git.ts'
import { identityOf } from './identity.ts'
import { findLeftBehind, findUntracked } from './left-behind.ts'
import { requireListable } from './listable.ts'
import { describeUnpushed, takeInNested } from './nested.ts'
import { isPartial } from './partial.ts'
import { readRawChanges } from './raw-changes.ts'
import { hasCommit } from './scratch-repository.ts'
import { type UndeliveredList, findTotalLoss, toList } from './undelivered.ts'
import { requireFinished } from './unfinished.ts'

/** What of the agent's work the commits do not hold; the error, if that is all of it. */
export interface Committed {
  readonly list: UndeliveredList
  readonly error: ExecutionError | undefined
}

/**
 * Commits what is left, with the task's title as subject.
 *
 * @param base what the work started from; absent: what HEAD names
 * @throws StepFailed for what only the agent can settle, such as an unfinished merge
 * @throws UntrustedClone or GitFailed when it cannot be committed
 */
export async function commitLeftovers(
  context: StepContext,
  base: string | undefined,
  signal: AbortSignal,
): Promise<Committed> {
  const { clone } = context.paths
  const head = await readHead(clone)
  await vetObjects(clone, findLender(context.run))
  // Nobody works in it any more: a git that held a lock was killed with the agent.
  await removeStaleLocks(join(clone, '.git'), () => true)
  const options = cloneGit(context, signal)
  // Somebody may have taken the base from the remote, and a fresh clone does not have it then: deliver says so.
  const since = base !== undefined && (await hasCommit(options, base)) ? base : head.commit
  // What such a clone leaves out is not lost; deliver fetches it and looks then.
  if (!(await isPartial(clone))) await requireWhole(options, { commit: head.commit, has: [since] })
  if (head.commit !== base) await requireListable(options, head.commit)
  const look = { context, options, signal }
  const left = await stageLeftovers(look, since)
  const { exitCode } = await git(['diff-index', '--cached', '--quiet', 'HEAD', '--'], { ...options, answers: [1] })
  if (exitCode === 1) await commitStaged(look)
  const changes = await readRawChanges(options, ['diff-tree', '-r', since, 'HEAD'])
  const found = [...left, ...(await findLeftBehind(look, changes))]
  return { list: toList(found), error: findTotalLoss(changes, found) }
}

/** Brings the index to what `git status` shows, as far as it can be delivered; gives the rest. */
async function stageLeftovers(look: Look, since: string): Promise<LeftBehind[]> {
  const { context, options } = look
  const made: string[] = []
  const staged: string[] = []
  const deleted: string[] = []
  try {
    const { entries, left } = await takeInNested(look, made)
    await requireFinished(context.paths.clone, entries)
    const untracked = await findUntracked(options, since, entries)
    const unpushed: LeftBehind[] = []
    for (const { path, kind, change, isSubmodule } of entries) {
      if (kind === 'nested' || (kind === 'tracked' && change === '.') || untracked.paths.has(path)) continue
      const lost = isSubmodule ? await describeUnpushed(look, path) : undefined
      if (lost !== undefined) unpushed.push(lost)
      else (change === 'D' ? deleted : staged).push(path)
    }
    await requireSmall(context.paths.clone, staged)
    await updateIndex(options, ['--force-remove', '--stdin'], deleted)
    await updateIndex(options, ['--add', '--remove', '--replace', '--stdin'], staged)
    return [...left, ...unpushed, ...untracked.changed]
  } finally {
    await updateIndex(options, ['--force-remove', '--stdin'], made)
  }
}

/** How many files are looked at side by side. */
const AT_A_TIME = 64

/** Refuses more than a commit of leftovers may hold, before git reads it: a sparse file can be as large as it likes. */
async function requireSmall(clone: string, paths: readonly string[]): Promise<void> {
  let sum = 0
  for (let at = 0; at < paths.length; at += AT_A_TIME) {
    const some = paths.slice(at, at + AT_A_TIME)
    const sizes = await Promise.all(some.map((path) => sizeOf(clone, path)))
    for (const size of sizes) sum += size
    if (sum <= MAX_LEFTOVER_BYTES) continue
    const largest = toText(some[sizes.indexOf(Math.max(...sizes))] ?? '')
    throw new StepFailed(
      'git',
      `the agent left more than ${formatSize(MAX_LEFTOVER_BYTES)} of files uncommitted, such as ${largest}: remove them from the clone or add them to .gitignore, then resume the task`,
    )
  }
}

async function sizeOf(clone: string, path: string): Promise<number> {
  try {
    return (await lstat(Buffer.concat([Buffer.from(`${clone}/`), Buffer.from(path, 'latin1')]))).size
  } catch {
    // It was deleted; what else is wrong with it, git says.
    return 0
  }
}

async function commitStaged({ context, options }: Look): Promise<void> {
  const { run, say } = context
  const subject = run.title.replaceAll(/\s+/g, ' ').trim() || run.task
  const input = `${subject}\n\nSlipway-Task: ${run.task}\n`
  const env = { ...options.env, ...identity(context) }
  const how = ['--quiet', '--no-verify', '--no-gpg-sign', '--cleanup=verbatim']
  await git(['commit', ...how, '-F', '-'], { ...options, env, input })
  say('committed what was left uncommitted')
}

/** Author, committer and date of a commit of the runner. */
export function identity({ clock, run }: Pick<StepContext, 'clock' | 'run'>): Record<string, string> {
  const { name, email } = identityOf(run)
  const date = clock.now().toISOString()
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}
