import type { ConversationEvent } from './events.ts'

/** A line of Slipway's in a conversation. */
export function ownWords(text: string): ConversationEvent {
  return { kind: 'output', text: `[slipway: ${text}]` }
}

/** That tools are missing which the task may count on. */
export function failedServersText(names: readonly string[]): string {
  const [what, whose] = names.length === 1 ? ['MCP server', 'its'] : ['MCP servers', 'their']
  return `${what} ${names.join(', ')} did not start: ${whose} tools are missing`
}

/** The same in a conversation, of each server alone. */
export function failedServerEvents(names: readonly string[]): ConversationEvent[] {
  return names.map((name) => ownWords(failedServersText([name])))
}
