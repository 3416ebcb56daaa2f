import { type ConditionClaim, withConditions } from '../conditions.ts'
import type { ChosenAgent, Execution, Task, TaskStatus } from '../crd/types.ts'
import { findResumable } from '../execution/agent-part.ts'
import { API_VERSION, executionName, FINALIZER, LABELS, ownBranch } from '../names.ts'
import { omit, withoutAbsent } from '../omit.ts'
import { storyBranch } from '../story/branch.ts'
import { toTimestamp } from '../time.ts'

/** The status of a task whose `n`-th execution starts now: written with slot and Execution, before the checks. */
export function startTask(task: Task, agent: ChosenAgent, n: number, now: Date): TaskStatus {
  const status: TaskStatus = {
    ...omit(task.status ?? {}, ['finishedAt', 'error']),
    state: 'RUNNING',
    agent,
    execution: executionName(task.metadata.name, n),
    executions: n,
    startedAt: toTimestamp(now),
  }
  return withConditions(task, status, [claimRunning(agent)], now)
}

/**
 * The condition of a task that runs with this agent.
 *
 * @param waitsFor why nothing of its execution runs yet
 */
export function claimRunning(agent: ChosenAgent | undefined, waitsFor?: string): ConditionClaim {
  const message = `runs with agent ${agent?.type ?? ''}${waitsFor === undefined ? '' : `; ${waitsFor}`}`
  return { type: 'Reconciling', status: 'True', reason: 'Running', message }
}

/**
 * The Execution of that start. It says what is to be run; what happened is its status.
 *
 * @param last the task's execution before it, where that exists
 */
export function makeExecution(task: Task, agent: ChosenAgent, n: number, last?: Execution): Execution {
  const { name, namespace, uid } = task.metadata
  const owner = { apiVersion: API_VERSION, kind: 'Task', name, uid: uid ?? '', controller: true }
  const execution = executionName(name, n)
  return {
    apiVersion: API_VERSION,
    kind: 'Execution',
    metadata: {
      name: execution,
      ...(namespace === undefined ? {} : { namespace }),
      labels: executionLabels(task, agent.type ?? '', execution),
      // It holds processes and a login that is to be stored: lifted when it has ended.
      finalizers: [FINALIZER],
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
    },
    spec: {
      taskRef: { name },
      agent: agent.type ?? '',
      ...(agent.model === undefined ? {} : { model: agent.model }),
      attempt: (task.status?.attempts ?? 0) + 1,
      ...purposeOf(task, last),
    },
  }
}

/** Labels by which executions, Jobs and Pods of a task are found. */
export function executionLabels(task: Task, agent: string, execution: string): Record<string, string> {
  const { storyId, project } = task.spec
  return {
    [LABELS.task]: task.metadata.name,
    [LABELS.execution]: execution,
    [LABELS.agent]: agent,
    ...(storyId === undefined ? {} : { [LABELS.story]: storyId }),
    ...(project === undefined ? {} : { [LABELS.project]: project }),
  }
}

function purposeOf(
  { status = {} }: Task,
  last: Execution | undefined,
): Pick<Execution['spec'], 'purpose' | 'resumes' | 'answer' | 'revision' | 'checksWaived' | 'handedBack'> {
  const { resume, execution, answer, checksWaived, handedBack } = status
  const revision = saidBy(status, 'revise', status.revision)
  if (resume !== true) return { purpose: 'Run', ...withoutAbsent({ revision }) }
  const resumes = last === undefined ? execution : findResumable(last)
  return {
    purpose: 'Resume',
    ...withoutAbsent({ resumes, answer: saidBy(status, 'answer', answer), revision, checksWaived, handedBack }),
  }
}

/** What the agent is told of a person, and whose it is. */
function saidBy(
  { decisions = [] }: TaskStatus,
  said: 'answer' | 'revise',
  text: string | undefined,
): Execution['spec']['answer'] {
  const decision = decisions.findLast(({ action }) => action === said)
  if (text === undefined || decision === undefined) return undefined
  return { text, at: decision.at, ...withoutAbsent({ by: decision.by }) }
}

/**
 * The branch that the task's work is pushed to: its story's, else one of its own, never the default branch. A task keeps
 * the branch that it has pushed to when `prefix` changes.
 *
 * @param isStorys whether that is the branch of a story, which the task has left then
 */
export function branchOf(
  { metadata, spec, status }: Task,
  wanted: string | undefined,
  prefix: string | undefined,
  isStorys = false,
): string {
  if (spec.storyId !== undefined) return storyBranch(spec.storyId, wanted)
  const pushed = status?.branch
  return pushed?.endsWith(metadata.name) === true && !isStorys ? pushed : ownBranch(metadata.name, prefix)
}
