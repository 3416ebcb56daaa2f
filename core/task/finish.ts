import { DRAIN_AFTER } from '../agent/drain.ts'
import { type ConditionClaim, claimTaskConditions, withConditions } from '../conditions.ts'
import type { Agent, Execution, PendingQuestion, Task, TaskState, TaskStatus } from '../crd/types.ts'
import { summarizeChecks } from '../execution/checks-summary.ts'
import { lastRound } from '../execution/check-runs.ts'
import { executionState } from '../execution/state.ts'
import { sumUSD } from '../money.ts'
import { omit, withoutAbsent } from '../omit.ts'
import { RESULT_LIMITS } from '../execution/result-limits.ts'
import { clip } from '../text.ts'
import { parseTimestamp, toTimestamp } from '../time.ts'
import { judgeHolders } from './by-hand.ts'
import { stateOf } from './decide.ts'
import { messagedBy } from './messaged-by.ts'
import { type GoingOn, findGoingOn } from './going-on.ts'
import { attemptsUsed, findResumeAfter } from './retry.ts'
import { recordPush, takeReview } from './reviewed.ts'
import { type TaskTrigger, findNextState } from './transitions.ts'

/** What the end of a task's execution depends on. */
export interface Finish {
  readonly task: Task
  /** Terminal, and the one that the task names. */
  readonly execution: Execution
  /** With the outcome of the execution already recorded: its drain is known. */
  readonly agent: Agent | undefined
  readonly hasOpenSubtasks: boolean
  readonly now: Date
}

/**
 * The status of a RUNNING task whose execution has ended.
 *
 * Source: specification §4.13.
 */
export function finishTask(finish: Finish): TaskStatus {
  const { task, execution, now } = finish
  const trigger = findTrigger(finish)
  const state = findNextState(stateOf(task), trigger) ?? 'FAILED'
  const ended: TaskStatus = {
    ...takeReview(omit(judgeHolders(task, execution.status ?? {}), endedBy(trigger)), execution.status),
    ...checksOf(task, execution),
    ...workOf(execution),
    ...headOf(execution, now),
    ...recordPush(task, execution.status ?? {}, execution.status?.finishedAt ?? toTimestamp(now)),
    ...costOf(task, execution),
    ...messagedBy(task, execution),
    finishedAt: execution.status?.finishedAt ?? toTimestamp(now),
    ...errorOf(state, execution),
    ...questionOf(state, finish),
    ...retryOf(state, finish),
    ...attemptsOf(task, execution),
    state,
  }
  return withConditions(
    task,
    ended,
    claimEnd(ended, findGoingOn({ ...task, status: ended }, { ownAgent: finish.agent })),
    now,
  )
}

const ENDED = ['question', 'error', 'resumeAfter', 'cancelRequestedAt', 'resume', 'checks', 'checksSummary'] as const

/** Work that is done leaves nothing of what a person said to it, and a new question nothing of the last answer; other ends may have come before either. */
function endedBy(trigger: TaskTrigger): readonly (keyof TaskStatus)[] {
  if (trigger === 'succeed' || trigger === 'waitForSubtasks') return [...ENDED, 'answer', 'revision', 'handedBack']
  return trigger === 'ask' ? [...ENDED, 'answer'] : ENDED
}

function findTrigger({ task, execution, hasOpenSubtasks }: Finish): TaskTrigger {
  // A push cannot be taken back: then the result stands, cancelled or not.
  const isCancelled = task.status?.cancelRequestedAt !== undefined && execution.status?.pushed !== true
  if (isCancelled) return 'cancel'
  const state = executionState(execution)
  switch (state) {
    case 'COMPLETED':
      return hasOpenSubtasks ? 'waitForSubtasks' : 'succeed'
    case 'BLOCKED':
      return 'ask'
    case 'TIMED_OUT':
      return 'timeOut'
    case 'CANCELLED':
      return 'cancel'
    case 'BUDGET_EXCEEDED':
      return 'exceedBudget'
    case 'FAILED':
    case 'PENDING':
    case 'RUNNING':
      return 'fail'
    default:
      return state satisfies never
  }
}

/** Those of the last round; of work that is delivered without being checked again, what was known of it. */
function checksOf(task: Task, execution: Execution): Pick<TaskStatus, 'checks' | 'checksSummary'> {
  const { spec, status } = execution
  const { checks: runs = [], rounds = 1 } = status ?? {}
  // What was red in an earlier round says nothing of work that is delivered, should the project have no checks since.
  const ofWork = executionState(execution) === 'COMPLETED' ? runs.filter(({ round }) => round === rounds) : runs
  const checks = spec.checksWaived === undefined ? lastRound(ofWork) : (task.status?.checks ?? [])
  if (checks.length === 0) return {}
  return { checks, ...withoutAbsent({ checksSummary: summarizeChecks(checks) }) }
}

/** What the execution left behind, where it left anything: a failed one does not wipe out what an earlier one did. */
function workOf({ status }: Execution): TaskStatus {
  const { summary, rebase, branch, sandboxDir: workspace } = status ?? {}
  return withoutAbsent({ summary, rebase, branch, workspace })
}

/** Only deliver's own word counts: what failed has the agent's alone. */
function headOf(execution: Execution, now: Date): TaskStatus {
  const { head: commit, pushed, finishedAt } = execution.status ?? {}
  if (executionState(execution) !== 'COMPLETED' || pushed !== true || commit === undefined) return {}
  return { head: { commit, at: finishedAt ?? toTimestamp(now) } }
}

function costOf(task: Task, { status }: Execution): TaskStatus {
  return status?.costUSD === undefined ? {} : { costUSD: sumUSD([task.status?.costUSD ?? 0, status.costUSD]) }
}

function errorOf(state: TaskState, { status }: Execution): TaskStatus {
  const isFailure = state === 'FAILED' || state === 'TIMED_OUT' || state === 'BUDGET_EXCEEDED'
  return isFailure && status?.error !== undefined ? { error: status.error } : {}
}

function questionOf(state: TaskState, { task, execution, agent, now }: Finish): TaskStatus {
  const askedAt = toTimestamp(now)
  if (state === 'BLOCKED') {
    if (executionState(execution) === 'COMPLETED') return {}
    const { questions = [] } = execution.status ?? {}
    return { question: { items: questions.length === 0 ? [unrecorded] : questions, askedAt } }
  }
  const hasDrained = agent?.status?.drained?.task === task.metadata.name && drainedBy(agent, execution)
  const isFailure = state === 'FAILED' || state === 'TIMED_OUT'
  return hasDrained && isFailure ? { question: askAboutDrain(agent, execution, askedAt) } : {}
}

/** Without any question a BLOCKED task would be one that waits for subtasks, and READY when it has none. */
const unrecorded = {
  text: clip(
    'The agent asked a question that was not recorded; its log may show it. Answer to go on.',
    RESULT_LIMITS.questionLength,
  ),
}

/** Whether the drain is this execution's: the same task may have failed again since. */
function drainedBy(agent: Agent, execution: Execution): boolean {
  const { since, execution: name } = agent.status?.drained ?? {}
  if (name !== undefined) return name === execution.metadata.name
  // A drain of an earlier version names no execution.
  const finishedAt = execution.status?.finishedAt
  return since === undefined || finishedAt === undefined || parseTimestamp(since) >= parseTimestamp(finishedAt)
}

function askAboutDrain(agent: Agent, execution: Execution, askedAt: string): PendingQuestion {
  const { name } = agent.metadata
  const reason = execution.status?.error?.message ?? 'the execution failed'
  const text = `Agent ${name} failed ${DRAIN_AFTER} times in a row and takes no more work. The last error: ${reason}\nMend the cause, undrain the agent, then run or resume this task.`
  return { items: [{ text: clip(text, RESULT_LIMITS.questionLength), header: 'Agent drained' }], askedAt }
}

/** Written only where a limit gives an attempt back. */
function attemptsOf(task: Task, execution: Execution): TaskStatus {
  const attempts = attemptsUsed(task, execution)
  return attempts === (task.status?.attempts ?? 0) ? {} : { attempts }
}

function retryOf(state: TaskState, finish: Finish): TaskStatus {
  if (state !== 'FAILED' && state !== 'BUDGET_EXCEEDED') return {}
  const resumeAfter = findResumeAfter(finish)
  return resumeAfter === undefined ? {} : { resumeAfter }
}

/** The conditions of a task that has ended, and is to go on as `found` says. */
export function claimEnd(ended: TaskStatus, found?: GoingOn): ConditionClaim[] {
  const { state = 'PENDING', error, question } = ended
  return claimTaskConditions({
    state,
    category: error?.category,
    message: error?.message ?? question?.items[0]?.text,
    hasQuestion: question !== undefined,
    retryAt: found?.held === undefined ? found?.at : undefined,
    heldBy: found?.held?.summary,
  })
}
