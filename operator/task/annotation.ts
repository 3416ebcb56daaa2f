import type { Task, TaskStatus } from '../../core/crd/types.ts'
import { decisionEvent, resetEvent } from '../../core/decision-event.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { type TaskDecision, decideTask } from '../../core/task/decide.ts'
import { type HumanTrigger, HUMAN_TRIGGERS } from '../../core/task/transitions.ts'
import type { Action, EventRecord, Step } from '../action.ts'
import { type AskedAction, clearAskedAction, findAskedAction, rememberAction } from '../action-annotation.ts'
import type { ObservedTask } from './observe.ts'

/** What goes with an action. */
const NAMES = [ANNOTATIONS.comment, ANNOTATIONS.answer, ANNOTATIONS.agent]

/**
 * Takes the decision that a person wrote into an annotation, as the API server would take it; refused or not, an Event
 * says so.
 *
 * Source: specification §4.28.
 *
 * @returns undefined when there is none
 */
export function reconcileAnnotation(seen: ObservedTask): Step | undefined {
  const of = { kind: 'Task', object: seen.task } as const
  const asked = findAskedAction(of, seen.admissionPolicies)
  if (asked === undefined) return undefined
  return { actions: [...take(seen, asked), ...clearAskedAction(of, asked, NAMES)] }
}

function take(seen: ObservedTask, asked: AskedAction): Action[] {
  const { action, by } = asked
  if (!isHumanTrigger(action)) {
    return refuse(seen, asked, `unknown action ${action}: use ${HUMAN_TRIGGERS.join(', ')}`)
  }
  const { task, now, surroundings } = seen
  const outcome = decideTask(task, readDecision(task, { action, by, at: now }), surroundings)
  if (outcome.kind === 'refused') return refuse(seen, asked, outcome.error.message)
  const { dependencies, message } = outcome
  const status = { ...outcome.status, ...rememberAction(task.status, asked, now) }
  return [
    ...dependencies.flatMap((reset) => write(reset.task, reset.status, resetEvent(task.metadata.name, by))),
    ...write(task, status, decisionEvent(action, message, by)),
  ]
}

function readDecision(task: Task, made: Pick<TaskDecision, 'action' | 'by' | 'at'>): TaskDecision {
  const {
    [ANNOTATIONS.comment]: comment,
    [ANNOTATIONS.answer]: answer,
    [ANNOTATIONS.agent]: agent,
  } = task.metadata.annotations ?? {}
  return { ...made, comment, answer, agent }
}

function refuse({ task, now }: ObservedTask, asked: AskedAction, message: string): Action[] {
  const status = { ...task.status, ...rememberAction(task.status, asked, now, message) }
  return write(task, status, { type: 'Warning', reason: 'ActionRefused', message })
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
