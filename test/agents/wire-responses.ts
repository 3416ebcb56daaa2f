import type { Answer, Turn } from './turn.ts'

type Answered = Extract<Turn, { kind: 'say' | 'use' }>

let ids = 0

/** One answer of the Responses API, streamed. */
export function writeResponses(response: Answer, turn: Answered): void {
  const send = (type: string, fields: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const id = `resp_${(ids += 1)}`
  const item =
    turn.kind === 'say'
      ? { type: 'message', role: 'assistant', id: `msg_${ids}`, content: [{ type: 'output_text', text: turn.text }] }
      : {
          type: 'function_call',
          id: `fc_${ids}`,
          call_id: `call_${ids}`,
          name: turn.tool,
          arguments: JSON.stringify(turn.input),
        }
  send('response.created', { response: { id } })
  send('response.output_item.done', { output_index: 0, item })
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 10 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  }
  send('response.completed', { response: { id, status: 'completed', output: [item], usage } })
  response.end()
}
