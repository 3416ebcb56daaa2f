import type { Answer, Turn } from './turn.ts'

type Answered = Extract<Turn, { kind: 'say' | 'use' }>

let ids = 0

/** One answer of the Messages API, streamed. */
export function writeMessages(response: Answer, turn: Answered): void {
  const send = (type: string, fields: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const id = `msg_${(ids += 1)}`
  const message = { id, type: 'message', role: 'assistant', model: 'claude-scripted', content: [], stop_reason: null }
  send('message_start', {
    message: { ...message, stop_sequence: null, usage: { input_tokens: 100, output_tokens: 1 } },
  })
  const block =
    turn.kind === 'say'
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${ids}`, name: turn.tool, input: {} }
  send('content_block_start', { index: 0, content_block: block })
  const text = turn.kind === 'say' ? turn.text : JSON.stringify(turn.input)
  // As models write: some characters at a time.
  for (const piece of text.match(/[^]{1,12}/gu) ?? []) {
    const delta =
      turn.kind === 'say' ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece }
    send('content_block_delta', { index: 0, delta })
  }
  send('content_block_stop', { index: 0 })
  const reason = turn.kind === 'say' ? 'end_turn' : 'tool_use'
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 20 } })
  send('message_stop', {})
  response.end()
}
