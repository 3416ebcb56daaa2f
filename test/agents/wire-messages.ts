import type { Answer, Turn } from './turn.ts'

type Answered = Extract<Turn, { kind: 'say' | 'use' }>

let ids = 0

/** One answer of the Messages API, streamed. */
export function writeMessages(response: Answer, turn: Answered): void {
  const send = (type: string, fields: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const id = `msg_${(ids += 1)}`
  const message = { id, type: 'message', role: 'assistant', model: 'claude-scripted', content: [], stop_reason: null }
  const { input, output } = turn.tokens ?? { input: 100, output: 20 }
  send('message_start', {
    message: { ...message, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1 } },
  })
  const said = turn.kind === 'say' ? turn.text : turn.says
  let index = 0
  if (said !== undefined) sendBlock(send, index++, { type: 'text', text: '' }, 'text_delta', 'text', said)
  if (turn.kind === 'use') {
    const block = { type: 'tool_use', id: `toolu_${ids}`, name: turn.tool, input: {} }
    sendBlock(send, index, block, 'input_json_delta', 'partial_json', JSON.stringify(turn.input))
  }
  const reason = turn.kind === 'say' ? 'end_turn' : 'tool_use'
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } })
  send('message_stop', {})
  response.end()
}

type Send = (type: string, fields: object) => void

function sendBlock(send: Send, index: number, block: object, type: string, field: string, text: string): void {
  send('content_block_start', { index, content_block: block })
  // As models write: some characters at a time.
  for (const piece of text.match(/[^]{1,12}/gu) ?? [])
    send('content_block_delta', { index, delta: { type, [field]: piece } })
  send('content_block_stop', { index })
}
