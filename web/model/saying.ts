/** What a page shows of messages to an agent that works. Pure. */
import { MAX_MESSAGE_BYTES } from '../../core/execution/say.ts'
import type { Execution } from '../../core/rest/client/client.ts'
import { type MessagedRun, messageWords } from '../../core/sentences/messages.ts'
import { utf8Length } from '../../core/text.ts'
import type { Transcript } from './transcript.ts'

export type Message = NonNullable<Execution['messages']>[number]
export type Mode = Message['mode']

/** When the agent gets a message, as people choose it. */
export const MODE_LABELS: Readonly<Record<Mode, string>> = {
  queue: 'When its turn ends',
  steer: 'After the tool it runs',
  interrupt: 'Interrupt it now',
}

/** The one that is meant while nobody chooses: what stops nothing, as soon as it can be. */
export function usualMode(modes: readonly Mode[]): Mode | undefined {
  return modes.find((mode) => mode === 'steer') ?? modes[0]
}

/** A message that the agent has not been given, and how it stands. */
export interface PendingMessage {
  readonly message: Message
  readonly words: string
}

/**
 * Those that the agent has not been given, oldest first.
 *
 * @param transcript may be ahead of the record, and shows what the agent was given
 */
export function pendingMessages(
  messages: readonly Message[] | undefined,
  { entries }: Pick<Transcript, 'entries'>,
  run: MessagedRun,
): readonly PendingMessage[] {
  const shown = new Set(entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message] : [])))
  return (messages ?? []).flatMap((message) => {
    const words = shown.has(message.id) ? undefined : messageWords(message, run)
    return words === undefined ? [] : [{ message, words }]
  })
}

/** Why a text cannot be sent; undefined where it can, or where there is nothing yet to be sent. */
export function sayingProblem(text: string): string | undefined {
  const bytes = utf8Length(text)
  return bytes > MAX_MESSAGE_BYTES
    ? `Too long by ${bytes - MAX_MESSAGE_BYTES} bytes: a message has at most 8 KiB.`
    : undefined
}
