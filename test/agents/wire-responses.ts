import type { Answer, Turn } from './turn.ts'

type Answered = Extract<Turn, { kind: 'say' | 'use' }>

let ids = 0

/** One answer of the Responses API, streamed. */
export function writeResponses(response: Answer, turn: Answered): void {
  const send = (type: string, fields: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const id = `resp_${(ids += 1)}`
  const said = turn.kind === 'say' ? turn.text : turn.says
  const message = { type: 'message', role: 'assistant', id: `msg_${ids}` }
  const output = [
    ...(said === undefined ? [] : [{ ...message, content: [{ type: 'output_text', text: said }] }]),
    ...(turn.kind === 'say' ? [] : [toCall(turn)]),
  ]
  const { input: input_tokens, output: output_tokens } = turn.tokens ?? { input: 100, output: 20 }
  send('response.created', { response: { id } })
  output.forEach((item, output_index) => send('response.output_item.done', { output_index, item }))
  const usage = {
    input_tokens,
    input_tokens_details: { cached_tokens: input_tokens / 10 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  }
  send('response.completed', { response: { id, status: 'completed', output, usage } })
  response.end()
}

function toCall({ tool, input }: Extract<Turn, { kind: 'use' }>): object {
  return {
    type: 'function_call',
    id: `fc_${ids}`,
    call_id: `call_${ids}`,
    name: tool,
    arguments: JSON.stringify(input),
  }
}
