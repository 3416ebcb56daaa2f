/**
 * Pushes an execution's commits to the task's branch on the remote, never to the default branch.
 *
 * If the branch has moved since the clone was made, the commits are rebased onto it, and again if it moves between fetch
 * and push, three times at most. If the branch is not on the remote yet, the commits are rebased onto their base, so that
 * a person reviews them as they will be merged; if that conflicts, they stay as they are. Slipway does not rewrite commits
 * that were pushed once, because others may build on them; an agent may rewrite those of its task's own branch, and they are
 * replaced while the branch is still where this work found it.
 *
 * What would be pushed is checked and reviewed first, so a push that is refused leaves nothing on the remote.
 */
import { type Push, findBeforeOurs, reviewBase } from '../../core/review/commits.ts'
import type { ExecutionResult, RebaseReport, Undelivered } from '../../core/execution/result.ts'
import type { RemoteBranches } from '../../lib/git-remote.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { git } from '../../lib/git.ts'
import { type Candidate, type PushJob, type Work, isRewritten, isShared, makePushable } from './rebase.ts'
import { type Sent, checkObjects } from './check-objects.ts'
import { uploadLfs } from './lfs-upload.ts'
import type { Review } from './review.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import type { GitAccess } from './access.ts'
import { listRemoteBranches, pushCommit, refuseBranch } from './remote.ts'
import { type ScratchRepository, fetchBranch, filterKnown, hasCommit } from './scratch-repository.ts'

/** How often work is rebased and pushed again after the branch moved during the first push. */
const MAX_REPEATS = 3

/** The outcome of a push: what the remote has now. */
export interface Published extends Pick<ExecutionResult, 'branchReview' | 'push'> {
  readonly pushed: boolean
  readonly work: Review
  readonly rebase?: RebaseReport | undefined
  /** Files of which the remote has no content. */
  readonly undelivered?: readonly Undelivered[]
}

/**
 * What becomes of a candidate once it is reviewed.
 *
 * @returns files of which the remote then has no content; `moved` if the branch has: it is tried again
 */
export type Settle = (
  job: PushJob,
  candidate: Candidate,
  remote: RemoteBranches,
) => Promise<readonly Undelivered[] | 'moved'>

/**
 * Without a commit since the base there is nothing to push. A branch that is at the right commit already counts as pushed.
 *
 * @param settle absent: the candidate is pushed
 * @throws GitFailed when the remote refuses; StepFailed for the default branch, or for what must not be pushed; Conflict
 */
export async function publish(
  context: StepContext,
  access: GitAccess,
  work: Work,
  signal: AbortSignal,
  settle: Settle = push,
): Promise<Published> {
  const { clone } = work
  const { branch, baseBranch, defaultBranch } = context.run
  const job = { context, access, work, signal }
  const asked = baseBranch === undefined ? [branch] : [branch, baseBranch]
  for (let repeats = 0; repeats <= MAX_REPEATS; repeats++) {
    const remote = await listRemoteBranches(access, asked, signal)
    const there = remote.commits.get(branch)
    const isThere = there === clone.head
    if (!isThere && clone.commits.length === 0 && !(await isRewritten(job, there)))
      return { pushed: false, work: clone }
    if (!isThere) refuseBranch(remote, branch, { url: access.url, own: [baseBranch, defaultBranch] })
    const candidate = isThere ? { gitDir: work.view, commit: there, isThere: true } : await makePushable(job, remote)
    const reviewed = await review(job, remote, candidate)
    const undelivered = await settle(job, candidate, remote)
    if (undelivered !== 'moved') return { ...reviewed, undelivered }
    context.say(`branch ${branch} has moved meanwhile`)
  }
  throw new StepFailed(
    'git',
    `branch ${branch} on ${access.url} moves faster than this work can be pushed: tried ${MAX_REPEATS + 1} times; resume the task to push it when the branch is quiet`,
    true,
  )
}

async function push(job: PushJob, candidate: Candidate, remote: RemoteBranches): Promise<Undelivered[] | 'moved'> {
  const { context, access, signal } = job
  if (candidate.isThere === true) return []
  const sent = await checkCandidate(job, candidate, remote)
  const undelivered = await uploadLfs(context, access, sent, signal)
  const end = await pushCommit(access, { ...candidate, branch: context.run.branch }, signal)
  return end === 'pushed' ? undelivered : end
}

/** Checks what a push of the candidate would send. @throws StepFailed, GitFailed */
export async function checkCandidate(
  { context, signal }: PushJob,
  { gitDir, commit }: Candidate,
  remote: RemoteBranches,
): Promise<Sent> {
  const has = await filterKnown({ gitDir, signal }, [...remote.commits.values()])
  const sent = { gitDir, commit, has }
  await checkObjects(context, sent, signal)
  return sent
}

/** @param clone the commit that the push was made from */
function toRecord({ found, base, head }: Push, clone: string): NonNullable<Published['push']> {
  return { head, ...withoutAbsent({ found, base, from: clone === head ? undefined : clone }) }
}

/** What accepting the candidate adds: the review of the work, and of a story's branch the whole branch's. */
async function review(job: PushJob, remote: RemoteBranches, candidate: Candidate): Promise<Published> {
  const { work } = job
  const { run } = job.context
  const tip = await findTip(job, remote, candidate.gitDir)
  const made = await findPush(job, candidate)
  const pushes = [...(run.pushes ?? []), ...(made === undefined ? [] : [made])]
  const reviewed = { from: candidate.gitDir, head: candidate.commit, pushes }
  const isOfStory = isShared(run)
  const base = reviewBase(isOfStory, candidate.since ?? work.base, tip)
  const done = {
    pushed: true,
    work: await work.review({ ...reviewed, base }),
    rebase: candidate.report,
    push: toRecord(made ?? { found: candidate.commit, head: candidate.commit }, work.clone.head),
  }
  if (!isOfStory || tip === undefined) return done
  const whole = { ...reviewed, base: { kind: 'mergeBase', tip }, diff: 'branchDiff' } as const
  return { ...done, branchReview: await work.review(whole) }
}

/** The commit of the branch that accepting merges into, which the repository then has. Undefined: there is no such branch. */
async function findTip(
  { context, access, work, signal }: PushJob,
  remote: RemoteBranches,
  gitDir: string,
): Promise<string | undefined> {
  const branch = context.run.baseBranch ?? remote.defaultBranch
  const tip = branch === undefined ? undefined : remote.commits.get(branch)
  const options = { gitDir, signal }
  if (branch === undefined || tip === undefined || (await hasCommit(options, tip))) return tip
  // With this ref only what the clone does not have is fetched.
  await git(['update-ref', 'refs/slipway/clone', work.clone.head], options)
  return fetchBranch(options, access, branch)
}

/** The push of a candidate; undefined where it is not known which of the commits there are ours. */
async function findPush({ context, work, signal }: PushJob, candidate: Candidate): Promise<Push | undefined> {
  const { gitDir, commit: head, isThere, lease, found, base = work.tip } = candidate
  if (isThere === true) return head === work.clone.head ? work.push : undefined
  if (lease === undefined) return { found, base, head }
  const before = findBeforeOurs(context.run.pushes ?? [], lease)
  return { base, head, found: before === undefined ? undefined : await findFork({ gitDir, signal }, before, head) }
}

/** A push that replaces commits keeps what their fork has; without one it keeps nothing. */
async function findFork(options: ScratchRepository, before: string, head: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git(['merge-base', before, head], { ...options, answers: [1, 128] })
  return exitCode === 0 ? stdout.toString('utf8').trim() : undefined
}
