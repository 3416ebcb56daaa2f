import { createHash } from 'node:crypto'
import type { MessageMode, Task, TaskStatus } from '../../core/crd/types.ts'
import { decisionEvent, resetEvent } from '../../core/decision-event.ts'
import { MESSAGE_MODE_VALUES } from '../../core/crd/enums.ts'
import { MESSAGE_MODE_WORDS, MESSAGE_MODES } from '../../core/enum-values.ts'
import { droppedMessage, say } from '../../core/execution/say.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { type TaskDecision, decideTask } from '../../core/task/decide.ts'
import { type HumanTrigger, HUMAN_TRIGGERS } from '../../core/task/transitions.ts'
import type { Action, EventRecord, Step } from '../action.ts'
import { type AskedAction, clearAskedAction, findAskedAction, rememberAction } from '../action-annotation.ts'
import type { ObservedTask } from './observe.ts'

/** What goes with an action. */
const NAMES = [ANNOTATIONS.comment, ANNOTATIONS.answer, ANNOTATIONS.agent, ANNOTATIONS.mode]

/** What changes no state: words to the agent that works. */
const MESSAGE = 'message'

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
  const cleared = clearAskedAction(of, asked, NAMES)
  if (asked.action === MESSAGE) return { actions: sayToAgent(seen, asked, cleared) }
  return { actions: [...take(seen, asked), ...cleared] }
}

function take(seen: ObservedTask, asked: AskedAction): Action[] {
  const { action, by } = asked
  if (!isHumanTrigger(action)) {
    return refuse(seen, asked, `unknown action ${action}: use ${[...HUMAN_TRIGGERS, MESSAGE].join(', ')}`)
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

/**
 * The message is named after what asked for it, and found again by that name when the step was cut short. So what is taken
 * away goes before the task is written, which would give the same annotations another version.
 */
function sayToAgent(seen: ObservedTask, asked: AskedAction, cleared: readonly Action[]): Action[] {
  const { task, executions, agent, now } = seen
  const { [ANNOTATIONS.comment]: text = '', [ANNOTATIONS.mode]: word } = task.metadata.annotations ?? {}
  const mode = word === undefined ? undefined : findMode(word)
  if (word !== undefined && mode === undefined)
    return [...refuse(seen, asked, `unknown mode ${word}: use ${MESSAGE_MODES.join(', ')}`), ...cleared]
  const execution = executions.find(({ metadata }) => metadata.name === task.status?.execution)
  const saying = { id: messageId(task, asked), by: asked.by, at: now, text, mode }
  const outcome = say({ task, execution, agent }, saying)
  if (outcome.kind === 'refused') return [...refuse(seen, asked, outcome.error.message), ...cleared]
  const { execution: to, status, message } = outcome
  const memory = { ...task.status, ...rememberAction(task.status, asked, now) }
  const kept = [...cleared, ...write(task, memory, decisionEvent(MESSAGE, message, asked.by))]
  const dropped = [...refuse(seen, asked, droppedMessage().message), ...cleared]
  return status === to.status ? kept : [{ kind: 'addMessage', execution: to, status, id: saying.id, kept, dropped }]
}

function findMode(word: string): MessageMode | undefined {
  return MESSAGE_MODE_VALUES.find((mode) => MESSAGE_MODE_WORDS[mode] === word.toLowerCase())
}

function messageId({ metadata, status }: Task, { id }: AskedAction): string {
  const asked = [metadata.uid, status?.execution, id === undefined ? `at ${metadata.resourceVersion}` : `id ${id}`]
  return createHash('sha256').update(asked.join('\n')).digest('hex').slice(0, 20)
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
