import { type Addressee, messageModesNow } from '../../execution/say.ts'
import { isTerminal } from '../../execution/state.ts'
import type { TaskRecord } from '../../kinds/task.ts'
import { MESSAGE_MODE_WORDS } from '../../enum-values.ts'
import { toMessageRecord } from './fields.ts'

type ToldFields = Required<Pick<TaskRecord, 'message_modes' | 'messages'>>

/** What a task's record says of messages to its agent; nothing where there is nothing to say. */
export function toToldFields(addressee: Addressee): { readonly [K in keyof ToldFields]?: NonNullable<ToldFields[K]> } {
  const { execution } = addressee
  const modes = messageModesNow(addressee)
  const hasEnded = execution === undefined || isTerminal(execution)
  const messages = (execution?.status?.messages ?? []).filter(
    ({ deliveredAt }) => !hasEnded || deliveredAt === undefined,
  )
  return {
    ...(modes.length > 0 && { message_modes: modes.map((mode) => MESSAGE_MODE_WORDS[mode]) }),
    ...(messages.length > 0 && { messages: messages.map(toMessageRecord) }),
  }
}
