import { countOf } from '../../core/sentences/amounts.ts'
import { mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { Prepared } from '../../core/execution/prepared.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { toTimestamp } from '../../core/time.ts'
import { makeFolder, writeFileAtomic } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { inUsableFolder } from '../../lib/usable-folder.ts'
import { git, gitText, withGitLimit } from '../../lib/git.ts'
import { findEmptyObject } from '../../lib/git-damage.ts'
import { removeStaleLocks } from '../../lib/git-locks.ts'
import { findHead, readRef } from '../../lib/git-untrusted.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { findNextTry, toExecutionError } from './execution-error.ts'
import { type GitAccess, openGitAccess } from '../git/access.ts'
import { readGiven } from '../agent/given.ts'
import { requireListable } from '../git/listable.ts'
import { refuseObstacle } from '../git/remote.ts'
import { GIT_LIMIT_MS, remoteLimitMs } from '../limits.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { findOwnOutcome, writeResult } from '../result-file.ts'

/**
 * Step 1: makes a fresh clone in the sandbox, at the task's branch if the remote has it, else at its base. It does not
 * touch a kept clone and runs no git in it, unless that is damaged: then a fresh one takes its place. If it fails, it writes the execution's result, because no other step will.
 *
 * @returns the process's exit code.
 */
export async function prepare(context: StepContext): Promise<number> {
  const { run, clock, say } = context
  if ((await findOwnOutcome(context, 'result')) !== undefined) return 1
  // What the agent lacks is better known before anything is cloned for it.
  if (!run.deliverOnly) await readGiven(context)
  await makeOutputFolder(context)
  await mkdir(context.paths.home, { recursive: true, mode: 0o700 })
  if (run.deliverOnly || (run.keepClone && !(await isPutAside(context)))) {
    say(`keeping the clone of ${run.task} as it is`)
    // Nobody works in it now: a git that held a lock there was killed with the execution before.
    const unlocked = run.deliverOnly ? 0 : await removeStaleLocks(join(context.paths.clone, '.git'), () => true)
    if (unlocked > 0) say(`removed ${countOf(unlocked, 'git lock')} that a killed git left in it`)
    return 0
  }
  const startedAt = toTimestamp(clock.now())
  let redact = redactUrls
  try {
    if (run.repositoryUrl === '' && run.answerSchema !== undefined) return await makeEmptyFolder(context)
    const access = await openGitAccess(context)
    redact = access.redact
    const prepared = await withGitLimit(remoteLimitMs(run), context.signal, clock, (signal) =>
      freshClone(context, access, signal),
    )
    await writeFileAtomic(join(context.paths.execution, EXECUTION_FILES.prepared), JSON.stringify(prepared))
    return 0
  } catch (error) {
    // Whoever ended the step from outside decides what becomes of the execution.
    if (context.signal.aborted) throw error
    const failure = toExecutionError(error, redactUrls(run.repositoryUrl), redact, 'run the task again')
    say(failure.message)
    await writeResult(context, {
      schemaVersion: 1,
      execution: run.execution,
      jobNumber: run.jobNumber,
      step: 'prepare',
      outcome: 'failed',
      error: failure,
      ...findNextTry(error, clock.now()),
      startedAt,
      finishedAt: toTimestamp(clock.now()),
      pushed: false,
    })
    return 1
  }
}

const OUTPUT_MODE = 0o770

/** Where the agent writes. An earlier Job of this execution may have taken the permissions of the folder. */
async function makeOutputFolder({ paths: { agentOutput } }: StepContext): Promise<void> {
  await mkdir(agentOutput, { recursive: true, mode: OUTPUT_MODE })
  await inUsableFolder(Buffer.from(agentOutput), (folder) =>
    makeFolder(join(folder, basename(EXECUTION_FILES.artifacts)), OUTPUT_MODE),
  )
}

/** Whether the kept clone was damaged; if so it now lies beside its place, because a person may still want its files. */
async function isPutAside({ paths, say }: StepContext): Promise<boolean> {
  const lost = await findEmptyObject(paths.clone)
  if (lost === undefined) return false
  const aside = `${paths.clone}.damaged`
  await removeTree(aside)
  await rename(paths.clone, aside)
  say(
    `the kept clone has lost objects, as after a power loss (.git/${lost} is empty): a fresh clone replaces it, and the old one is kept at ${aside}`,
  )
  return true
}

/** The folder is a git repository, because some CLIs refuse to work outside of one. */
async function makeEmptyFolder({ paths, signal, clock }: StepContext): Promise<number> {
  await removeTree(paths.clone)
  await withGitLimit(GIT_LIMIT_MS, signal, clock, (limited) =>
    git(['init', '--quiet', '--template=', paths.clone], { signal: limited }),
  )
  return 0
}

/**
 * Sends what a local repository has packed as it is, and the rest whole: the search for deltas among loose objects takes
 * longer than all else of such a clone, and saves only disk. A server has its objects packed.
 */
const LOCAL_UPLOAD_PACK = 'git -c pack.window=0 upload-pack'

async function freshClone(context: StepContext, access: GitAccess, signal: AbortSignal): Promise<Prepared> {
  const { run, paths, say } = context
  await removeTree(paths.clone)
  say(`cloning ${access.url}`)
  // Otherwise git would link or copy all object files of a local repository, also those that no branch reaches.
  const local = access.isLocal ? ['--no-local', '--upload-pack', LOCAL_UPLOAD_PACK] : []
  const source = ['--no-checkout', '--template=', ...local, '--', access.url, paths.clone]
  await git(['clone', '--quiet', ...source], { ...access.options, signal })
  const head = await findHead(paths.clone)
  const start = await chooseStart(context, access, { head: head.commit, signal })
  say(`starting from ${start.from} at ${start.commit.slice(0, 12)}`)
  await requireListable({ gitDir: join(paths.clone, '.git'), signal }, start.commit)
  await git(['checkout', '--quiet', '--no-track', '-B', run.branch, start.commit], { cwd: paths.clone, signal })
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
