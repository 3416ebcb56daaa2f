/** What people read of something that they said to an agent, and that it has not been given as far as is known. */

interface Message {
  readonly mode: 'queue' | 'steer' | 'interrupt'
  readonly delivered_at?: string | undefined
  readonly uncertain?: boolean | undefined
}

const WAITS: Readonly<Record<Message['mode'], string>> = {
  queue: 'waits for the end of its turn',
  steer: 'waits for the tool that it runs',
  interrupt: 'is about to stop its turn',
}

/**
 * How a message stands; undefined for one that the agent was given.
 *
 * @param isRunning whether the execution that it was sent to goes on
 */
export function messageWords(message: Message, isRunning: boolean): string | undefined {
  if (message.delivered_at !== undefined) return undefined
  if (message.uncertain === true) return 'may not have reached the agent; it is told again at the next start'
  return isRunning ? WAITS[message.mode] : 'did not reach the agent; it is told at the next start'
}
