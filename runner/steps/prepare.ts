import { countOf } from '../../core/sentences/amounts.ts'
import { lstat, mkdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { Prepared } from '../../core/execution/prepared.ts'
import { EXIT_NOT_PREPARED } from '../../core/execution/steps.ts'
import { toPrepareMessage } from '../../core/execution/termination.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { toTimestamp } from '../../core/time.ts'
import { ifThere, makeFolder, writeFileAtomic } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { inUsableFolder } from '../../lib/usable-folder.ts'
import { git, withGitLimit } from '../../lib/git.ts'
import { findEmptyObject } from '../../lib/git-damage.ts'
import { findGone } from '../../lib/git-untrusted.ts'
import { removeStaleLocks } from '../../lib/git-locks.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { type StepContext, findLender } from '../context.ts'
import { findCause, findNextTry, toExecutionError } from './execution-error.ts'
import { openGitAccess } from '../git/access.ts'
import type { EnvironmentPlan } from '../environment/plan.ts'
import { NotPrepared } from '../failure.ts'
import { type CloneOptions, freshClone } from '../git/fresh-clone.ts'
import { placeContinued } from '../agent/continued.ts'
import { readGiven } from '../agent/given.ts'
import { GIT_LIMIT_MS, remoteLimitMs } from '../limits.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import { findOwnOutcome, writeResult, writeTerminationMessage } from '../result-file.ts'

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
  if (run.seal !== undefined && (await findOwnOutcome(context, 'outcome'))?.outcome === 'succeeded') {
    say('the setup has succeeded already: what it left is sealed')
    return 0
  }
  const startedAt = toTimestamp(clock.now())
  let redact = redactUrls
  try {
    if (run.deliverOnly || (run.keepClone && !(await isPutAside(context)))) return await keepClone(context)
    if (run.repositoryUrl === '' && run.answerSchema !== undefined) return await makeEmptyFolder(context)
    const access = await openGitAccess(context)
    redact = access.redact
    const prepared = await withEnvironment(context, (beforeCheckout) =>
      withGitLimit(remoteLimitMs(run), context.signal, clock, (_, limit) =>
        freshClone(context, access, limit, { beforeCheckout }),
      ),
    )
    await placeContinued(context)
    await writeFileAtomic(join(context.paths.execution, EXECUTION_FILES.prepared), JSON.stringify(prepared))
    await writeTerminationMessage(context, toPrepareMessage(prepared, run.messageBytes))
    return 0
  } catch (error) {
    // Whoever ended the step from outside decides what becomes of the execution.
    if (context.signal.aborted) throw error
    if (error instanceof NotPrepared) return await endNotPrepared(context, error)
    const cause = await findCause(error, context)
    const failure = toExecutionError(cause, redactUrls(run.repositoryUrl), redact, 'run the task again')
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
    // A resume would take it for one to go on in, though nothing is checked out.
    await removeTree(context.paths.clone)
    return 1
  }
}

/** Goes on in the clone that is there. Nobody works in it now: a git that held a lock there was killed with the execution before. */
async function keepClone(context: StepContext): Promise<number> {
  const { run, paths, say } = context
  say(`keeping the clone of ${run.task} as it is`)
  if (run.deliverOnly) return 0
  const unlocked = await removeStaleLocks(join(paths.clone, '.git'), () => true)
  if (unlocked > 0) say(`removed ${countOf(unlocked, 'git lock')} that a killed git left in it`)
  if (run.environment?.mounted !== undefined)
    await (await import('../environment/hand-out.ts')).makeMountPoints(context)
  await lookForMove(context)
  return 0
}

/** Where that fails, the agent works on in the clone as it is, and deliver brings its work to the branch. */
async function lookForMove(context: StepContext): Promise<void> {
  const { run, signal, clock, say } = context
  if (run.answerSchema !== undefined || run.repositoryUrl === '') return
  const { noteBranchMove } = await import('../git/branch-move.ts')
  let redact = redactUrls
  try {
    const access = await openGitAccess(context)
    redact = access.redact
    await withGitLimit(remoteLimitMs(run), signal, clock, (limited) => noteBranchMove(context, access, limited))
  } catch (error) {
    if (signal.aborted) throw error
    const { message } = toExecutionError(error, redactUrls(run.repositoryUrl), redact)
    say(`where branch ${run.branch} is now is not known: ${message}`)
  }
}

/** Makes a clone, and hands out the environment that its commit wants; notes both. */
async function withEnvironment(
  context: StepContext,
  clone: (beforeCheckout: CloneOptions['beforeCheckout']) => Promise<Prepared>,
): Promise<Prepared> {
  if (context.run.environment === undefined) return clone(undefined)
  const { planEnvironment } = await import('../environment/plan.ts')
  let plan: EnvironmentPlan | undefined
  const prepared = await clone(async (start) => {
    plan = await planEnvironment(context, start)
  })
  if (plan === undefined) return prepared
  if (plan.report.environmentProblem !== undefined) context.say(plan.report.environmentProblem)
  const { handOut } = await import('../environment/hand-out.ts')
  const handed = await handOut(context, plan, context.signal)
  const cache = context.run.seal === undefined ? undefined : plan.recipe?.cache
  return { ...prepared, ...plan.report, ...handed, ...withoutAbsent({ cache }) }
}

/** The operator reads which environment is missing, and makes the next Job with it. */
async function endNotPrepared(context: StepContext, { report }: NotPrepared): Promise<number> {
  await removeTree(context.paths.clone)
  context.say('the environment of this commit is not there yet: it is prepared first')
  await writeTerminationMessage(context, toPrepareMessage(report, context.run.messageBytes))
  return EXIT_NOT_PREPARED
}

const OUTPUT_MODE = 0o770

/** Where the agent writes. An earlier Job of this execution may have taken the permissions of the folder. */
async function makeOutputFolder({ paths: { agentOutput } }: StepContext): Promise<void> {
  await mkdir(agentOutput, { recursive: true, mode: OUTPUT_MODE })
  await inUsableFolder(Buffer.from(agentOutput), (folder) =>
    makeFolder(join(folder, basename(EXECUTION_FILES.artifacts)), OUTPUT_MODE),
  )
}

/** Whether the kept clone is gone or was damaged; then it now lies beside its place, because a person may still want its files. */
async function isPutAside({ run, paths, say }: StepContext): Promise<boolean> {
  if ((await ifThere(lstat(paths.clone))) === undefined) {
    say('the kept clone is gone, as where room was made meanwhile: a fresh clone takes its place')
    return true
  }
  const loss = await findLoss(paths.clone, run)
  if (loss === undefined) return false
  const aside = `${paths.clone}.damaged`
  await removeTree(aside)
  await rename(paths.clone, aside)
  say(`the kept clone has lost objects${loss}: a fresh clone replaces it, and the old one is kept at ${aside}`)
  return true
}

async function findLoss(clone: string, run: RunSpec): Promise<string | undefined> {
  const empty = await findEmptyObject(join(clone, '.git'))
  if (empty !== undefined) return `, as after a power loss (.git/${empty} is empty)`
  const gone = await findGone(clone, findLender(run))
  return gone === undefined ? undefined : `: those that it borrows from mirror ${gone} of its repository, which is gone`
}

/** The folder is a git repository, because some CLIs refuse to work outside of one. */
async function makeEmptyFolder({ paths, signal, clock }: StepContext): Promise<number> {
  await removeTree(paths.clone)
  await withGitLimit(GIT_LIMIT_MS, signal, clock, (limited) =>
    git(['init', '--quiet', '--template=', paths.clone], { signal: limited }),
  )
  return 0
}
