import type { Execution, MessageMode, Task } from '../../core/crd/types.ts'
import { MESSAGE_MODE_VALUES } from '../../core/crd/enums.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import { MESSAGE_MODE_WORDS } from '../../core/enum-values.ts'
import { type Addressee, droppedMessage, findSilence, say } from '../../core/execution/say.ts'
import type { ActionResult } from '../../core/rest/records/task.ts'
import { type Representation, represent } from '../records/representation.ts'
import type { DecisionContext, RecordCall } from './decide-task.ts'
import { changeRecord } from './writes.ts'

/**
 * Refuses a message that no agent can take as things are, before its body is looked at (specification §8.3).
 *
 * @returns the task, and the name of its execution
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused`
 */
export async function checkMessage(
  context: DecisionContext,
  { id, ifMatch }: RecordCall,
): Promise<{ readonly task: Task; readonly execution: string }> {
  const { client, caches, preconditions } = context
  const { object, result } = await changeRecord(client, caches.tasks, { kind: 'task', id }, async (task) => {
    preconditions.task(ifMatch, task)
    const { execution: name = '' } = task.status ?? {}
    const execution = name === '' ? undefined : await caches.executions.read(name)
    const silence = findSilence(addresseeOf(context, task, execution))
    if (silence !== undefined) throw silence
    return { result: name }
  })
  return { task: object, execution: result }
}

/**
 * Adds what a person says to the messages of the execution that runs, as a compare-and-swap: of two who speak at once both
 * are heard, and nobody after its end. When it returns, the message is stored.
 *
 * @throws ApiError `not_found`, `precondition_failed`, `transition_refused`, `invalid_request`, `write_contended`
 */
export async function sendMessage(
  context: DecisionContext,
  request: RecordCall & { readonly text: string; readonly mode?: string | undefined },
): Promise<{ readonly status: 202; readonly body: Representation<ActionResult> }> {
  const { client, caches, clock, events, makeId } = context
  const { id, caller, text } = request
  const { task, execution } = await checkMessage(context, request)
  const saying = { id: toMessageId(makeId('')), by: caller.name, text, mode: findMode(request.mode) }
  const key = { kind: 'execution', id: execution }
  const { object, result } = await changeRecord(client, caches.executions, key, async (found) => {
    const now = (await caches.tasks.read(id)) ?? task
    const outcome = say(addresseeOf(context, now, found), { ...saying, at: clock.now() })
    if (outcome.kind === 'refused') throw outcome.error
    return { write: { ...found, status: outcome.status }, subresource: 'status', result: outcome.message }
  })
  if (object.status?.messages?.some((message) => message.id === saying.id) !== true) throw droppedMessage()
  events.record(task, decisionEvent('message', result, caller.name))
  return { status: 202, body: represent({ message: result, task_id: id }) }
}

function addresseeOf({ caches }: DecisionContext, task: Task, execution: Execution | undefined): Addressee {
  const isCurrent = execution?.metadata.name === task.status?.execution
  return { task, execution: isCurrent ? execution : undefined, agent: caches.agents.find(execution?.spec.agent) }
}

function findMode(word: string | undefined): MessageMode | undefined {
  return MESSAGE_MODE_VALUES.find((mode) => MESSAGE_MODE_WORDS[mode] === word)
}

/** As long as ids of messages may be: the time and fifty bits of chance. */
function toMessageId(recordId: string): string {
  return recordId.slice(-26, -6)
}
