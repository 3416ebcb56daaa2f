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

/** What became of the execution that messages were sent to: its agent works, the task can go on after that, or it is past. */
export type MessagedRun = 'runs' | 'ended' | 'past'

/** How a message stands; undefined for one that the agent was given. */
export function messageWords(message: Message, run: MessagedRun): string | undefined {
  if (message.delivered_at !== undefined) return undefined
  const isUncertain = message.uncertain === true
  if (run === 'past') return `${isUncertain ? 'may not have reached' : 'did not reach'} the agent in this run`
  if (isUncertain) return 'may not have reached the agent; it is told again at the next start'
  return run === 'runs' ? WAITS[message.mode] : 'did not reach the agent; it is told at the next start'
}
