/** What an agent is told of the messages that people sent it while it worked. Source: docs/adr/0014-a-voice.md. */

/** A message for a prompt. */
export interface ToldMessage {
  readonly id: string
  readonly by?: string | undefined
  /** RFC 3339, UTC. */
  readonly at: string
  readonly text: string
  /** True: the agent may have it already. */
  readonly uncertain?: boolean | undefined
}

/** The messages for the end of a prompt, in the given order, with a heading; empty without messages. */
export function tellMessages(messages: readonly ToldMessage[]): string {
  return tell('Messages sent to you while you worked', messages)
}

/** The same for a session that knows nothing of what an earlier one was told about this work. */
export function tellEarlierMessages(messages: readonly ToldMessage[]): string {
  return tell('Messages sent earlier to whoever worked on this; they hold for you too', messages)
}

function tell(heading: string, messages: readonly ToldMessage[]): string {
  if (messages.length === 0) return ''
  return `\n## ${heading}\n\n${messages.map((message) => `${introduce(message)}\n\n${message.text.trim()}\n`).join('\n')}`
}

/** With the id where the agent may know the message: it tells by it that it is the same. */
function introduce({ id, by, at, uncertain = false }: ToldMessage): string {
  const head = `From ${by ?? 'a person'}, ${at}, message ${id}`
  return uncertain ? `${head} (you may have seen it already; if so, do not act on it again):` : `${head}:`
}

/** What an agent is given of messages while it works: each with the name of its sender. */
export function sayMessages(messages: readonly Pick<ToldMessage, 'by' | 'text'>[]): string {
  return messages.map(({ by, text }) => `Message from ${by ?? 'a person'}:\n\n${text.trim()}`).join('\n\n')
}
