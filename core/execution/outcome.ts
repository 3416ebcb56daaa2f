/**
 * What became of an execution, from everything that is known of it.
 *
 * Believed in this order (specification §7.10): result.json of deliver or prepare, the agent's outcome.json,
 * termination messages, pod status. The first two are checked by their schemas before they get here; an agent can
 * forge its own outcome, never that of another step.
 */
import type { RebaseReport as RebaseStatus, ExecutionState, ExecutionStatus } from '../crd/types.ts'
import { clip } from '../text.ts'
import { executionError } from './error.ts'
import { RESULT_LIMITS } from './result-limits.ts'
import type { AgentOutcome, ExecutionError, ExecutionResult, Outcome, RebaseReport } from './result.ts'
import { clampQuestions } from './questions.ts'
import { EXIT_MOVED, EXIT_NOT_GIVEN } from './steps.ts'
import { isGreen, isRed } from './red.ts'
import { roundUSD } from '../money.ts'
import { pick, withoutAbsent } from '../omit.ts'
import { redChecksWords, RED_WAY_OUT, toReadCheck } from '../sentences/checks.ts'
import { isTimestamp } from '../time.ts'
import { isEvicted, isKilledCheck, toCheckRuns } from './check-runs.ts'
import type { PodFacts, StepFacts, TerminationMessage } from './facts.ts'

export type { PodFacts, ServiceFacts, StepFacts, TerminationMessage } from './facts.ts'

/** Everything known of an execution whose latest Job runs no more: its pod has ended, or there is none. */
export interface ExecutionFacts {
  readonly result?: ExecutionResult | undefined
  readonly outcome?: AgentOutcome | undefined
  readonly pod?: PodFacts | undefined
  /** The last reason that its pod gave, should the pod be gone. */
  readonly lastReason?: string | undefined
  /** Reason of the Job's Failed condition. */
  readonly jobFailure?: string | undefined
  /** Jobs made so far for this execution. */
  readonly jobs: number
  /** Whether one of them only found out which environment is wanted; absent: no. */
  readonly isRepeatedOnceMore?: boolean | undefined
  /** Whether the agent's step was ever seen to begin, should the pod be gone. */
  readonly agentStarted: boolean
  readonly authRetried: boolean
  readonly isCancelled: boolean
  /** Why the data volume takes no more, in words; absent: it takes it. */
  readonly volumeProblem?: string | undefined
  /** The round of checks that the Job was of; absent: the first. */
  readonly round?: Round | undefined
}

/** How often the work of an execution is mended and checked (docs/adr/0015-checks.md). */
export interface Round {
  /** Number of the first Job of this round: an outcome of an earlier one is of work that its checks found red. */
  readonly since: number
  /** Jobs that were made for rounds, to stage again, and to go on without a check that was killed; none of them was lost. */
  readonly uncounted: number
  /** How often the work was staged again because its branch had moved. */
  readonly restaged: number
  /** Whether the agent may be asked to mend what is red. */
  readonly mayMend: boolean
}

const FIRST_ROUND: Round = { since: 1, uncounted: 0, restaged: 0, mayMend: false }

/** Most Jobs of one execution, without those that are not counted ({@link Round}; specification §7.15). */
const MAX_JOBS = 3

/** How often work is staged and checked again after its branch has moved. */
const MAX_RESTAGED = 3

/** How to go on. */
export type Ending =
  | { readonly kind: 'ended'; readonly status: ExecutionStatus & { readonly state: ExecutionState } }
  /** The same execution goes on in one more Job. */
  | { readonly kind: 'nextJob'; readonly reason: string; readonly withFreshCredentials: boolean }
  /** The agent is asked to mend what the checks found. `spent`: of the rounds so far. */
  | { readonly kind: 'round'; readonly reason: string; readonly spent: ExecutionStatus }
  /** The branch has moved: its work is staged and checked anew. */
  | { readonly kind: 'restage'; readonly reason: string }

/** Decides how an execution goes on whose latest Job runs no more. */
export function decideEnd(facts: ExecutionFacts): Ending {
  const { result, pod } = facts
  if (result !== undefined) return endByResult(facts, result)
  const delivered = pod?.steps.find((step) => isOurs(step) && step.message !== undefined)?.message
  // What the agent reported before it was stopped counts: its session is the one that a resume goes on in.
  if (facts.isCancelled && delivered?.pushed !== true) return fail('CANCELLED', cancelled, facts.outcome)
  if (delivered !== undefined) return endByResult(facts, delivered)
  if (isAuthFailure(facts.outcome) && !facts.authRetried) return retryLogin()
  return endByCheck(facts) ?? endByFailedStep(facts) ?? endByLostPod(facts)
}

/** Whether nothing that an agent wrote runs in it. */
function isOurs({ name }: StepFacts): boolean {
  return name !== 'agent' && name !== 'check'
}

/** A result that somebody's step wrote. A cancelled execution ends as CANCELLED unless its work is on the remote. */
function endByResult(facts: ExecutionFacts, result: TerminationMessage): Ending {
  if (facts.isCancelled && !result.pushed) return fail('CANCELLED', cancelled, result)
  if (isAuthFailure(result) && !facts.authRetried) return retryLogin()
  // Nobody asked for it: the pod was told to stop, say by a node that drains.
  if (result.outcome === 'cancelled') return fail('FAILED', lost(podEndReason(facts, true)), result)
  if (result.error?.category === 'checks') return endRed(facts, result.error, result)
  const open = result.checks?.filter((check) => check.required && !isGreen(check)) ?? []
  if (result.outcome === 'succeeded' && open.length > 0) return endRed(facts, redChecks(open), result)
  const state = STATES[result.outcome]
  const error =
    state === 'COMPLETED' || state === 'BLOCKED' ? {} : { error: executionError(result.error ?? unexplained) }
  return { kind: 'ended', status: { ...toStatusFields(result), ...error, state } }
}

/** Work that its checks hold back: the agent mends it, or a person decides. */
function endRed(
  { round = FIRST_ROUND }: ExecutionFacts,
  error: ExecutionError,
  work: Partial<ExecutionResult>,
): Ending {
  if (!round.mayMend || work.pushed === true) return fail('FAILED', error, work)
  return { kind: 'round', reason: error.message, spent: pick(toStatusFields(work), SPENT) }
}

const SPENT = ['sessionId', 'costUSD', 'tokens', 'turns'] as const

function redChecks(checks: readonly Parameters<typeof toReadCheck>[0][]): ExecutionError {
  return { category: 'checks', message: `${redChecksWords(checks.map(toReadCheck))}; ${RED_WAY_OUT}` }
}

/** A check that was killed: its container alone fails the pod, and no later step runs. */
function endByCheck(facts: ExecutionFacts): Ending | undefined {
  const { pod, jobFailure, outcome, volumeProblem } = facts
  const killed = pod?.steps.find((step) => isKilledCheck(step, pod))
  const hasSucceeded = outcome === undefined || outcome.outcome === 'succeeded'
  if (pod === undefined || killed?.check === undefined || !hasSucceeded || jobFailure === 'DeadlineExceeded')
    return undefined
  const runs = toCheckRuns(pod)
  const { name, required } = killed.check
  const reason = runs.find((run) => run.name === name)?.reason ?? 'was killed'
  if (volumeProblem !== undefined)
    return fail('FAILED', { category: 'unavailable', message: `check ${name} ${reason}: ${volumeProblem}` }, outcome)
  // Each is left out of the Jobs that follow, so that there are no more of these than checks.
  if (!required)
    return {
      kind: 'nextJob',
      reason: `check ${name} ${reason}: the others run without it`,
      withFreshCredentials: false,
    }
  return endRed(facts, redChecks(runs.filter(isRed)), outcome ?? {})
}

/** Without the first two Node itself does not start, and nobody is left to say why (specification §7.7). */
const NEEDED_IN_IMAGE = 'its image may lack what the runner needs: glibc (not musl), libstdc++, bash and git'

/** A step that ended badly without a word of its own. */
function endByFailedStep(facts: ExecutionFacts): Ending | undefined {
  const { pod, jobFailure, outcome, volumeProblem, jobs } = facts
  if (jobFailure === 'DeadlineExceeded') {
    if (hasNeverRun(facts)) return { kind: 'nextJob', reason: NO_POD, withFreshCredentials: false }
    return fail('TIMED_OUT', { category: 'timeout', message: 'the Job passed its deadline' }, outcome)
  }
  const step = pod?.steps.find(({ exitCode }) => exitCode !== undefined && exitCode !== 0)
  if (pod === undefined || step === undefined || isEvicted(pod)) return undefined
  if (step.reason === 'OOMKilled') {
    return fail('FAILED', failed(`out of memory in ${nameOf(step)}: ${memoryCure(step)}`), outcome)
  }
  if (step.exitCode === EXIT_NOT_GIVEN && outcome?.jobNumber !== jobs) return giveAgain(step, facts)
  if (step.exitCode === EXIT_MOVED && step.name === 'deliver') return stageAgain(facts)
  // SIGTERM or SIGKILL that neither we nor the kernel's memory guard sent: the node went away with the pod.
  if (step.exitCode === 143 || step.exitCode === 137) return undefined
  const ofStep = step.name === 'agent' ? 'failed' : 'git'
  const category = volumeProblem === undefined ? ofStep : 'unavailable'
  const hint = step.name === 'agent' && pod.hasForeignImage === true ? `: ${NEEDED_IN_IMAGE}` : ''
  const full = volumeProblem === undefined ? '' : `: ${volumeProblem}`
  const message = `${nameOf(step)} ended with exit code ${step.exitCode} and left no result${full}${hint}${quoteLastWords(step)}`
  return fail('FAILED', { category, message }, outcome)
}

function nameOf({ name, check }: StepFacts): string {
  return check === undefined ? `step ${name}` : `check ${check.name}`
}

function memoryCure({ name }: StepFacts): string {
  return name === 'agent' ? "raise the agent's memory limit" : `raise executionPods.resources.${name}.limits.memory`
}

/** The operator writes it with each Job. */
function giveAgain(step: StepFacts, facts: ExecutionFacts): Ending {
  const { jobs } = facts
  const reason = `step ${step.name} did not find what its agent is given as the operator had written it${quoteLastWords(step)}`
  if (jobs < maxJobs({ ...facts, isRepeatedOnceMore: false }))
    return { kind: 'nextJob', reason, withFreshCredentials: false }
  return fail('FAILED', {
    category: 'unavailable',
    message: `${reason}; ${jobs} Jobs did not: look at the data volume`,
  })
}

function maxJobs({ round = FIRST_ROUND, isRepeatedOnceMore = false }: ExecutionFacts): number {
  return MAX_JOBS + round.uncounted + (isRepeatedOnceMore ? 1 : 0)
}

function stageAgain({ round = FIRST_ROUND, outcome }: ExecutionFacts): Ending {
  if (round.restaged < MAX_RESTAGED)
    return { kind: 'restage', reason: 'the branch has moved since its work was checked: it is checked again' }
  const message = `the branch moves faster than this work can be checked and pushed: tried ${MAX_RESTAGED + 1} times; resume the task to check and push it when the branch is quiet`
  return fail('FAILED', { category: 'git', message }, outcome)
}

const NO_POD = 'its Job found no room for a pod until its deadline; another one goes on waiting'

/** A Job waits for room for longer than it may run: only a full quota lets one come to that, and the wait has no limit. */
function hasNeverRun({ pod, outcome, lastReason, agentStarted, jobs }: ExecutionFacts): boolean {
  const isOfEarlier = outcome === undefined || outcome.jobNumber < jobs
  return pod === undefined && isOfEarlier && lastReason === undefined && !agentStarted
}

/** A pod that is gone, or ended without any step having failed by itself. */
function endByLostPod(facts: ExecutionFacts): Ending {
  const { pod, outcome, jobs, agentStarted, round = FIRST_ROUND } = facts
  const reason = podEndReason(facts)
  const seen = pod?.steps.some(({ name, phase }) => name === 'agent' && phase !== 'waiting') === true || agentStarted
  const isOfRound = outcome !== undefined && outcome.jobNumber >= round.since
  const mayRepeat = isOfRound ? outcome.outcome !== 'cancelled' : !seen
  if (mayRepeat && jobs < maxJobs(facts)) return { kind: 'nextJob', reason, withFreshCredentials: false }
  return fail('FAILED', lost(reason), outcome)
}

/** Why a pod ended that nobody here has stopped, in Kubernetes' words as far as it has any. */
function podEndReason(
  { pod, lastReason, outcome }: ExecutionFacts,
  wasStopped = outcome?.outcome === 'cancelled',
): string {
  // Its runner was told to stop, say by somebody who deleted the pod.
  const stopped = wasStopped ? 'it was stopped from outside' : undefined
  if (pod === undefined) return `${stopped ?? 'the pod is gone'}${lastReason === undefined ? '' : ` (${lastReason})`}`
  const { reason, message = '', phase, steps } = pod
  if (reason !== undefined) return message === '' ? reason : `${reason}: ${message.trim()}`
  // A kubelet that misses a container says why: nobody else can give this reason.
  const missed = steps.find((step) => step.reason === 'ContainerStatusUnknown' && step.lastWords !== undefined)
  if (missed !== undefined) return `${nameOf(missed)}: ${missed.lastWords}`
  return stopped ?? `the pod ended as ${phase}`
}

const STATES: Readonly<Record<Outcome, ExecutionState>> = {
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  timed_out: 'TIMED_OUT',
  cancelled: 'CANCELLED',
  blocked: 'BLOCKED',
  budget_exceeded: 'BUDGET_EXCEEDED',
}

const cancelled: ExecutionError = { category: 'cancelled', message: 'the execution was cancelled' }
const unexplained: ExecutionError = { category: 'failed', message: 'the step failed and gave no reason' }

function failed(message: string): ExecutionError {
  return { category: 'failed', message }
}

function lost(reason: string): ExecutionError {
  return { category: 'lost', message: `the pod was lost: ${reason}` }
}

/** The last lines of a step's log: few enough for a condition, and for the task's card. */
function quoteLastWords({ lastWords = '' }: StepFacts): string {
  const lines = lastWords.trimEnd().split('\n').slice(-LAST_LINES).join('\n').trim()
  return lines === '' ? '' : `; it last said:\n${lines.slice(-LAST_WORDS_LENGTH)}`
}

const LAST_LINES = 10
const LAST_WORDS_LENGTH = 1500

function isAuthFailure(end: Pick<AgentOutcome, 'error'> | undefined): boolean {
  return end?.error?.category === 'auth'
}

function retryLogin(): Ending {
  return { kind: 'nextJob', reason: 'the agent could not log in', withFreshCredentials: true }
}

function fail(state: ExecutionState, error: ExecutionError, work: Partial<ExecutionResult> = {}): Ending {
  return { kind: 'ended', status: { ...toStatusFields(work), state, error: executionError(error) } }
}

/**
 * The fields of a result that an execution's status keeps. What an agent can forge beyond the file's schema, a time
 * that is none, a number that no int32 holds or names that no object has room for, is left out: the API server would
 * refuse the record for ever.
 */
function toStatusFields(work: Partial<ExecutionResult>): ExecutionStatus {
  const { exitCode, sessionId, costUSD, tokens, turns, summary, questions, resumeAfter, failedServers } = work
  const { answer, baseCommit, commits, branch, head, pushed, changes, rebase, delivered, conflicts, undelivered } = work
  const { push, foreignCommits, foreignCommitCount, hiddenCommits, bulk, branchReview, sealed, protectedChanges } = work
  const kept = {
    sessionId,
    costUSD: costUSD !== undefined && costUSD <= MAX_COST_USD ? roundUSD(costUSD) : undefined,
    summary: summary === undefined ? undefined : clip(summary, RESULT_LIMITS.summaryLength),
    failedServers,
    questions: questions && clampQuestions(questions),
    baseCommit,
    commits,
    branch,
    head,
    pushed,
    push,
    changes,
    foreignCommits,
    foreignCommitCount,
    hiddenCommits,
    bulk,
    branchReview,
    protectedChanges: protectedChanges && {
      ...protectedChanges,
      paths: protectedChanges.paths.map((path) => clip(path, 1024)),
    },
    rebase: rebase && toRebaseStatus(rebase),
    answer,
    delivered,
    conflicts: conflicts && clampFiles(conflicts),
    undelivered,
    sealed: sealed && { ...sealed, cache: sealed.cache.map(({ path, mode }) => ({ path: clip(path, 1024), mode })) },
  }
  return withoutAbsent({
    ...kept,
    exitCode: clampInteger(exitCode, INT32_MAX),
    turns: clampInteger(turns, INT32_MAX),
    undeliveredCount: clampInteger(work.undeliveredCount, INT32_MAX),
    tokens: Object.values(tokens ?? {}).every(Number.isSafeInteger) ? tokens : undefined,
    resumeAfter: resumeAfter !== undefined && isTimestamp(resumeAfter) ? resumeAfter : undefined,
  })
}

/** More than any run costs: what agents forge is added up, and the sum must stay a number with its cents. */
const MAX_COST_USD = 1_000_000

/** The limit of all names together, in JSON: two hundred of the longest paths would be more than an object can hold. */
const MAX_FILES_LENGTH = 64 * 1024

function toRebaseStatus({ message, files, ...rest }: RebaseReport): RebaseStatus {
  return {
    ...rest,
    ...(files === undefined ? {} : { files: clampFiles(files) }),
    ...(message === undefined ? {} : { message: clip(message, RESULT_LIMITS.errorLength) }),
  }
}

function clampFiles(files: readonly string[]): string[] {
  let room = MAX_FILES_LENGTH
  return files.filter((file) => (room -= JSON.stringify(file).length) >= 0)
}

const INT32_MAX = 2_147_483_647

function clampInteger(value: number | undefined, limit: number): number | undefined {
  return value !== undefined && Math.abs(value) <= limit ? value : undefined
}
