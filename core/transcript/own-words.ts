import type { ConversationEvent } from './events.ts'

/** A line of Slipway's in a conversation. */
export function ownWords(text: string): ConversationEvent {
  return { kind: 'output', text: `[slipway: ${text}]` }
}

/** That tools are missing which the task may count on. */
export function failedServerEvents(names: readonly string[]): ConversationEvent[] {
  return names.map((name) => ownWords(`MCP server ${name} did not start: its tools are missing`))
}
