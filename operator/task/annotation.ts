import type { LastAction, Task, TaskStatus } from '../../core/crd/types.ts'
import { decisionNote, resetNote } from '../../core/decision-note.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import type { TaskDecision } from '../../core/task/decide.ts'
import { decideTask } from '../../core/task/decide.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { HUMAN_TRIGGERS } from '../../core/task/transitions.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Action, EventRecord, Step } from '../action.ts'
import type { ObservedTask } from './observe.ts'

/** Who annotated is not known to the operator. */
export const ANNOTATOR = 'kubectl (annotation)'

const NAMES = [ANNOTATIONS.action, ANNOTATIONS.comment, ANNOTATIONS.answer, ANNOTATIONS.agent]

/**
 * Takes the decision that a person wrote into an annotation, as the API server would take it, and removes the
 * annotation; refused or not, an Event says so. With an id it counts once, however often GitOps brings it back.
 *
 * Decided first, removed second: interrupted in between it is decided again, and the state that it led to refuses it.
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
  const { task, now, surroundings } = seen
  const outcome = decideTask(task, readDecision(task, action, now), surroundings)
  if (outcome.kind === 'refused') return refuse(seen, action, id, outcome.error.message)
  const { dependencies, message } = outcome
  const status = { ...outcome.status, lastAction: lastAction(action, id, now) }
  return [
    ...dependencies.flatMap((reset) => write(reset.task, reset.status, resetNote(task.metadata.name, ANNOTATOR))),
    ...write(task, status, decisionNote(action, message, ANNOTATOR)),
  ]
}

function readDecision(task: Task, action: HumanTrigger, at: Date): TaskDecision {
  const {
    [ANNOTATIONS.comment]: comment,
    [ANNOTATIONS.answer]: answer,
    [ANNOTATIONS.agent]: agent,
  } = task.metadata.annotations ?? {}
  return { action, by: ANNOTATOR, at, comment, answer, agent }
}

function refuse({ task, now }: ObservedTask, action: string, id: string | undefined, message: string): Action[] {
  const refused = { ...lastAction(action.slice(0, 63), id, now), refused: message.slice(0, 1024) }
  return write(task, { ...task.status, lastAction: refused }, { type: 'Warning', reason: 'ActionRefused', message })
}

function lastAction(action: string, id: string | undefined, now: Date): LastAction {
  const taken = { action, at: toTimestamp(now) }
  return id === undefined ? taken : { ...taken, id: id.slice(0, 253) }
}

function write(task: Task, status: TaskStatus, note: Omit<EventRecord, 'regarding'>): Action[] {
  return [
    { kind: 'writeTask', task, status },
    { kind: 'recordEvent', event: { regarding: task, ...note } },
  ]
}

function isHumanTrigger(action: string): action is HumanTrigger {
  return HUMAN_TRIGGERS.some((trigger) => trigger === action)
}
