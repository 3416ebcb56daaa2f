import type { LastAction, Task, TaskStatus } from '../../core/crd/types.ts'
import { decisionNote } from '../../core/decision-note.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import type { Decision } from '../../core/task/decide.ts'
import { decideTask, startsWork } from '../../core/task/decide.ts'
import { failedDependencies } from '../../core/task/dependencies.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { HUMAN_TRIGGERS } from '../../core/task/transitions.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Action, Step } from '../action.ts'
import type { ObservedTask } from './observe.ts'

/** Who annotated is not known to the operator. */
export const ANNOTATOR = 'kubectl (annotation)'

const NAMES = [ANNOTATIONS.action, ANNOTATIONS.comment, ANNOTATIONS.answer, ANNOTATIONS.agent]

/**
 * Takes the decision that a person wrote into an annotation, as the API server would take it, and removes the
 * annotation; refused or not, an Event says so. With an id it counts once, however often GitOps brings it back.
 *
 * Decided first, removed second: interrupted in between it is judged again, and the state that it led to refuses it.
 *
 * Source: specification §4.28.
 *
 * @returns undefined when there is none
 */
export function reconcileAnnotation(seen: ObservedTask): Step | undefined {
  const { task } = seen
  const annotations = task.metadata.annotations ?? {}
  const action = annotations[ANNOTATIONS.action]
  if (action === undefined) return undefined
  const id = annotations[ANNOTATIONS.actionId]
  const clear: Action = { kind: 'clearAnnotations', of: { kind: 'Task', object: task }, names: NAMES }
  if (id !== undefined && task.status?.lastAction?.id === id) return { actions: [clear] }
  return { actions: [...take(seen, action, id), clear] }
}

function take(seen: ObservedTask, action: string, id: string | undefined): Action[] {
  if (!isHumanTrigger(action)) {
    return refuse(seen, action, id, `unknown action ${action}: use ${HUMAN_TRIGGERS.join(', ')}`)
  }
  const { task, now } = seen
  const decision = readDecision(task, action, now)
  const problem = findDoneStory(seen, decision) ?? findUnknownAgent(seen, decision)
  const verdict = decideTask(task, decision)
  if (verdict.kind === 'refused') return refuse(seen, action, id, verdict.message)
  if (problem !== undefined) return refuse(seen, action, id, problem)
  const status = { ...verdict.status, lastAction: lastAction(action, id, now) }
  const { type, reason, message } = decisionNote(action, verdict.message, ANNOTATOR)
  return [...resetFailed(seen, decision), ...write(task, status, type, reason, message)]
}

function readDecision(task: Task, action: HumanTrigger, at: Date): Decision {
  const {
    [ANNOTATIONS.comment]: comment,
    [ANNOTATIONS.answer]: answer,
    [ANNOTATIONS.agent]: agent,
  } = task.metadata.annotations ?? {}
  return { action, by: ANNOTATOR, at, comment, answer, agent }
}

function findDoneStory({ story }: ObservedTask, { action }: Decision): string | undefined {
  return startsWork(action) && story?.status?.status === 'DONE' ? 'story is DONE' : undefined
}

function findUnknownAgent({ waiting }: ObservedTask, { action, agent }: Decision): string | undefined {
  if (action !== 'run' || agent === undefined || waiting.findAgent(agent) !== undefined) return undefined
  return `agent ${agent} does not exist`
}

/** Failed dependencies of a task that is run are reset and queued first, transitively (specification §4.5). */
function resetFailed({ task, waiting, now }: ObservedTask, { action }: Decision): Action[] {
  if (action !== 'run') return []
  return failedDependencies(task, waiting.tasks).flatMap((dependency) => {
    const verdict = decideTask(dependency, { action: 'run', by: ANNOTATOR, at: now })
    const message = `queued again because ${task.metadata.name} depends on it and was run`
    return verdict.kind === 'refused' ? [] : write(dependency, verdict.status, 'Normal', 'Run', message)
  })
}

function refuse({ task, now }: ObservedTask, action: string, id: string | undefined, message: string): Action[] {
  const refused = { ...lastAction(action.slice(0, 63), id, now), refused: message.slice(0, 1024) }
  return write(task, { ...task.status, lastAction: refused }, 'Warning', 'ActionRefused', message)
}

function lastAction(action: string, id: string | undefined, now: Date): LastAction {
  const taken = { action, at: toTimestamp(now) }
  return id === undefined ? taken : { ...taken, id: id.slice(0, 253) }
}

function write(task: Task, status: TaskStatus, type: 'Normal' | 'Warning', reason: string, message: string): Action[] {
  const event = { regarding: task, type, reason, message }
  return [
    { kind: 'writeTask', task, status },
    { kind: 'recordEvent', event },
  ]
}

function isHumanTrigger(action: string): action is HumanTrigger {
  return HUMAN_TRIGGERS.some((trigger) => trigger === action)
}
