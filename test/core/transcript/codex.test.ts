import assert from 'node:assert/strict'
import { interpretCodexExit } from '../../../core/transcript/codex-exit.ts'
import { createCodexTranscript } from '../../../core/transcript/codex.ts'
import { exited, readAll, toOutput } from './cli-output.ts'

const thread = { type: 'thread.started', thread_id: 'th-1' }
const item = (type: string, fields: object) => ({ type: 'item.completed', item: { id: 'i', type, ...fields } })
const completed = { type: 'turn.completed', usage: { input_tokens: 30, cached_input_tokens: 10, output_tokens: 7 } }

describe('the output of codex', () => {
  it('becomes a conversation with its session, its tokens and its last message as the summary', () => {
    const transcript = createCodexTranscript()
    const started = { type: 'item.started', item: { id: 'i', type: 'command_execution', command: 'ls' } }
    const { events } = readAll(
      transcript,
      toOutput(
        thread,
        { type: 'turn.started' },
        item('reasoning', { text: 'hm' }),
        started,
        item('command_execution', { aggregated_output: 'a\n', exit_code: 1 }),
        item('file_change', { changes: [{ path: 'a', kind: 'add' }] }),
        item('agent_message', { text: 'All done.' }),
        completed,
      ),
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['session', 'thinking', 'tool_call', 'tool_result', 'edit', 'text', 'usage', 'result'],
    )
    assert.deepEqual(events[3], { kind: 'tool_result', call_id: 'i', text: 'a\n', is_error: true })
    const { sessionId, tokens } = transcript.facts
    assert.deepEqual([sessionId, tokens], ['th-1', { input: 20, output: 7, cacheRead: 10, cacheWrite: 0 }])
    assert.deepEqual(interpretCodexExit(transcript.facts, exited(0)), { outcome: 'succeeded', summary: 'All done.' })
  })
})

describe('the end of codex', () => {
  const cases = [
    ['You’ve hit your usage limit. Upgrade, or try again at 10:28 AM.', 'budget_exceeded', 'quota'],
    ['Quota exceeded. Check your plan and billing details.', 'budget_exceeded', 'quota'],
    ['exceeded retry limit, last status: 429 Too Many Requests, request id: x', 'failed', 'rate_limit'],
    ['unexpected status 504 Gateway Timeout: gone, url: http://x/v1/responses', 'failed', 'rate_limit'],
    ['unexpected status 402 Payment Required: pay, url: http://x/v1/responses', 'budget_exceeded', 'quota'],
    ['unexpected status 401 Unauthorized: bad key', 'failed', 'auth'],
    ['{"error":{"message":"The \'x\' model is not supported when using Codex"}}', 'failed', 'failed'],
    ['Missing environment variable: `OPENAI_API_KEY`.', 'failed', 'auth'],
    ['the model said something else', 'failed', 'failed'],
  ] as const
  for (const [message, outcome, category] of cases) {
    it(`by “${message.slice(0, 40)}…” is ${outcome} with category ${category}`, () => {
      const transcript = createCodexTranscript()
      readAll(transcript, toOutput(thread, { type: 'error', message }, { type: 'turn.failed', error: { message } }))
      const exit = interpretCodexExit(transcript.facts, exited(1))
      assert.deepEqual([exit.outcome, exit.error?.category], [outcome, category])
    })
  }

  it('with exit 0 but no completed turn is no success', () => {
    const transcript = createCodexTranscript()
    readAll(transcript, toOutput(thread, item('agent_message', { text: 'half' })))
    assert.equal(interpretCodexExit(transcript.facts, exited(0)).outcome, 'failed')
  })
})
