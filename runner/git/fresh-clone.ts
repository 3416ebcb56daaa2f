import { join } from 'node:path'
import type { Prepared } from '../../core/execution/prepared.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { shortCommit } from '../../core/text.ts'
import { type GitLimit, type GitOptions, GitFailed, gitText } from '../../lib/git.ts'
import { hasKnownCause } from '../../lib/git-failure-message.ts'
import { findHead, readRef } from '../../lib/git-untrusted.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { type GitAccess, withoutHome } from './access.ts'
import { checkOutFiles } from './check-out.ts'
import { cloneRemote } from './clone-remote.ts'
import { borrowClone, secondsSince } from './mirror.ts'
import { requireListable } from './listable.ts'
import { partialOptions } from './partial.ts'
import { type MergedSubmodules, readMerged } from './gitmodules.ts'
import { refuseObstacle } from './remote.ts'
import { limitToFolders } from './sparse.ts'
import { checkOutSubmodules, wantsSubmodules } from './submodules.ts'

/** A clone in which nothing is checked out yet. */
export interface CloneStart {
  /** The one that the agent starts from. */
  readonly commit: string
  /** The one of the remote's default branch; absent when its HEAD names none. */
  readonly tip: string | undefined
  /** For git in the clone, which fetches what a filter leaves out. */
  readonly options: GitOptions
  readonly mirrorSeconds: number | undefined
}

/** How a fresh clone is made beside what its run says. */
export interface CloneOptions {
  /** Called before anything is checked out; what it throws ends the clone. */
  readonly beforeCheckout?: ((start: CloneStart) => Promise<void>) | undefined
  /** The mirror in which objects turned out to be missing. */
  readonly damaged?: number
}

/**
 * Makes a clone in the sandbox, at the task's branch if the remote has it, else at its base.
 *
 * @throws GitFailed, StepFailed, what `beforeCheckout` throws
 */
export async function freshClone(
  context: StepContext,
  access: GitAccess,
  limit: GitLimit,
  how: CloneOptions = {},
): Promise<Prepared> {
  const { signal } = limit
  const { paths, clock, say } = context
  const { damaged } = how
  const beganMs = clock.now().getTime()
  await removeTree(paths.clone)
  const borrowed = await borrowClone(context, access, signal, damaged)
  say(borrowed === undefined ? `cloning ${access.url}` : `borrowing from mirror ${borrowed.number}`)
  try {
    if (borrowed === undefined)
      await cloneRemote(
        { source: access, folder: paths.clone, how: ['--no-checkout', ...partialOptions(context.run)] },
        signal,
      )
    const prepared = await checkOut(context, access, limit, { ...how, mirrorSeconds: borrowed?.seconds })
    const cloneSeconds = secondsSince(clock, borrowed?.readyMs ?? beganMs)
    return { ...prepared, cloneSeconds, ...withoutAbsent({ mirrorSeconds: borrowed?.seconds }) }
  } catch (error) {
    if (borrowed === undefined || damaged !== undefined || !isDamage(error)) throw error
    say(`mirror ${borrowed.number} is damaged: another one takes its place`)
    return freshClone(context, access, limit, { ...how, damaged: borrowed.number })
  }
}

/** What git says about an object that is missing, cut off or has another content. */
const DAMAGE = /unable to read|could not read|bad object|inflate|corrupt|packfile|is empty|missing/i

/** The name of a file, which whoever wrote the repository chose. */
const NAMED = /'.*'|\b(?:create|write|unlink) file .*/g

function isDamage(error: unknown): boolean {
  return error instanceof GitFailed && !hasKnownCause(error) && DAMAGE.test(error.stderr.replace(NAMED, ''))
}

interface CheckOut extends CloneOptions {
  readonly mirrorSeconds: number | undefined
}

async function checkOut(
  context: StepContext,
  access: GitAccess,
  limit: GitLimit,
  { beforeCheckout, mirrorSeconds }: CheckOut,
): Promise<Prepared> {
  const { signal } = limit
  const { run, paths, say } = context
  const head = await findHead(paths.clone)
  const start = await chooseStart(context, access, { head: head.commit, signal })
  say(`starting from ${start.from} at ${shortCommit(start.commit)}`)
  const gitDir = join(paths.clone, '.git')
  // Of what a filter leaves out git fetches now what is checked out.
  const options = { signal, ...(run.checkout?.filter === undefined ? {} : await withoutHome(access, signal)) }
  await requireListable({ gitDir, ...options }, start.commit)
  const tipOfDefault = head.ref === undefined ? undefined : head.commit
  await beforeCheckout?.({ commit: start.commit, tip: tipOfDefault, options: { gitDir, ...options }, mirrorSeconds })
  await limitToFolders(context, { cwd: paths.clone, ...options }, start.commit)
  await checkOutFiles(['--no-track', '-B', run.branch, start.commit], { cwd: paths.clone, ...options })
  const top = { folder: paths.clone, gitDir, url: access.url, access }
  const findMerged = async (): Promise<MergedSubmodules> => {
    const merged =
      run.defaultBranch === undefined ? head.commit : await findRemoteBranch(paths.clone, run.defaultBranch)
    return readMerged({ gitDir, ...options }, merged, access.url)
  }
  const inside = wantsSubmodules(run) ? await checkOutSubmodules(context, top, limit, await findMerged()) : []
  if (run.checkout?.lfs === 'Fetch') await (await import('./lfs.ts')).fetchLfs(context, [top, ...inside], signal)
  const defaultBranch = head.ref?.replace(/^refs\/heads\//, '')
  const { commit: baseCommit, isFromBranch } = start
  const tip = run.baseBranch === undefined ? head?.commit : await findRemoteBranch(paths.clone, run.baseBranch)
  return { schemaVersion: 1, baseCommit, isFromBranch, ...withoutAbsent({ tip, defaultBranch }) }
}

/** Branches of the remote, as of a clone, whose names begin with the same part as that of `branch`. */
async function listSiblings(clone: string, branch: string, signal: AbortSignal): Promise<string[]> {
  const [first = ''] = branch.split('/')
  const listing = ['for-each-ref', '--format=%(refname:lstrip=3)', `refs/remotes/origin/${first}`]
  return (await gitText(listing, { cwd: clone, signal })).split('\n')
}

async function chooseStart(
  { run, paths }: StepContext,
  access: GitAccess,
  { head, signal }: { readonly head: string | undefined; readonly signal: AbortSignal },
): Promise<{ readonly from: string; readonly commit: string; readonly isFromBranch: boolean }> {
  const own = await findRemoteBranch(paths.clone, run.branch)
  if (own !== undefined) return { from: `branch ${run.branch}`, commit: own, isFromBranch: true }
  refuseObstacle(await listSiblings(paths.clone, run.branch, signal), run.branch, access.url)
  if (run.baseBranch === undefined) {
    if (head !== undefined) return { from: "the repository's default branch", commit: head, isFromBranch: false }
    throw new StepFailed('git', noStart(access.url))
  }
  const base = await findRemoteBranch(paths.clone, run.baseBranch)
  if (base !== undefined) return { from: `branch ${run.baseBranch}`, commit: base, isFromBranch: false }
  if (head === undefined) throw new StepFailed('git', noStart(access.url))
  throw new StepFailed(
    'git',
    `repository ${access.url} has no branch ${run.baseBranch}: create it, or change the task's base_branch or the project's default branch`,
  )
}

function findRemoteBranch(clone: string, branch: string): Promise<string | undefined> {
  return readRef(clone, `refs/remotes/origin/${branch}`)
}

function noStart(url: string): string {
  return `repository ${url} is empty, or its HEAD names a branch without commits: push a first commit (git commit --allow-empty -m start && git push), or name an existing branch as the project's default branch, then run the task again`
}
