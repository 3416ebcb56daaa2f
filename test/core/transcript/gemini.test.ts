import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { interpretGeminiExit } from '../../../core/transcript/gemini-exit.ts'
import { createGeminiTranscript } from '../../../core/transcript/gemini.ts'
import type { ProcessEnd } from '../../../core/transcript/exit.ts'
import { exited, readAll, toOutput } from './cli-output.ts'

const init = { type: 'init', timestamp: 't', session_id: 's-1', model: 'auto' }
const says = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
const stats = { total_tokens: 150, input_tokens: 100, output_tokens: 50, cached: 40 }
const success = { type: 'result', status: 'success', stats }
const failure = (message: string) => ({ type: 'result', status: 'error', error: { type: 'unknown', message }, stats })
const writes = { type: 'tool_use', tool_name: 'write_file', tool_id: 'w', parameters: { file_path: 'a', content: 'b' } }
const written = { type: 'tool_result', tool_id: 'w', status: 'success', output: 'ok' }
const lines = [init, says("I'll create "), says('it.'), writes, written, says('Done.'), success]

function interpret(output: readonly unknown[], end: ProcessEnd) {
  const transcript = createGeminiTranscript()
  readAll(transcript, toOutput(...output))
  return interpretGeminiExit(transcript.facts, end)
}

describe('the output of gemini', () => {
  it('becomes a conversation, and its last words after the last tool are the summary', () => {
    const transcript = createGeminiTranscript()
    const { events } = readAll(transcript, toOutput(...lines))
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['session', 'text', 'text', 'tool_call', 'edit', 'tool_result', 'text', 'usage', 'result'],
    )
    assert.deepEqual(interpretGeminiExit(transcript.facts, exited(0)), { outcome: 'succeeded', summary: 'Done.' })
  })

  it('tells its session and its tokens, the cached ones apart, and no cost', () => {
    const transcript = createGeminiTranscript()
    readAll(transcript, toOutput(...lines))
    assert.equal(transcript.facts.sessionId, 's-1')
    assert.deepEqual(transcript.facts.tokens, { input: 60, output: 50, cacheRead: 40, cacheWrite: 0 })
    assert.equal(transcript.facts.costUSD, undefined)
  })

  it('gives the same events for any chunking', () => {
    const output = toOutput(...lines)
    const expected = readAll(createGeminiTranscript(), output)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 })), (sizes) => {
        assert.deepEqual(readAll(createGeminiTranscript(), output, sizes), expected)
      }),
    )
  })
})

describe('the end of gemini', () => {
  const cases = [
    [
      'the daily quota',
      173,
      '[API Error: You have exhausted your daily quota on this model.]',
      'budget_exceeded',
      'quota',
    ],
    [
      'the quota of a minute',
      173,
      '[API Error: You exceeded your current quota, please retry in 2s.]',
      'failed',
      'rate_limit',
    ],
    ['a gateway that gives up', 248, '[API Error: {"error":{"code":504}}]', 'failed', 'rate_limit'],
    ['credit that is gone', 173, '[API Error: Your prepayment credits are depleted.]', 'budget_exceeded', 'quota'],
    ['overload', 247, '[API Error: the model is overloaded]', 'failed', 'rate_limit'],
    ['a token that is refused', 145, '[API Error: {"status":"UNAUTHENTICATED"}]', 'failed', 'auth'],
    ['a wrong key', 144, '[API Error: API key not valid]', 'failed', 'auth'],
    ['a bad request', 144, '[API Error: the request is too large]', 'failed', 'failed'],
  ] as const
  for (const [what, exitCode, text, outcome, category] of cases) {
    it(`by ${what} is ${outcome} with category ${category}`, () => {
      const exit = interpret([init, failure(text)], exited(exitCode))
      assert.deepEqual([exit.outcome, exit.error?.category], [outcome, category])
      assert.ok(exit.error?.message.startsWith(text), exit.error?.message)
    })
  }

  it('without a login is told by exit 41 and the words on stderr', () => {
    const exit = interpret([], exited(41, 'Please set an Auth method in your settings.json'))
    assert.equal(exit.error?.category, 'auth')
    assert.match(exit.error?.message ?? '', /Auth method/)
  })

  it('for want of the session it was to resume says that the session is lost; an id in use does not', () => {
    assert.equal(interpret([], exited(42, 'Error resuming session: none')).isSessionLost, true)
    assert.equal(interpret([], exited(42, 'Session ID is already in use')).isSessionLost, undefined)
  })

  it('with exit 0 but no result, as SIGTERM leaves it, is no success', () => {
    assert.equal(interpret([init, says('half')], exited(0)).outcome, 'failed')
  })
})
