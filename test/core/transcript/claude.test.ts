import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { interpretClaudeExit } from '../../../core/transcript/claude-exit.ts'
import { createClaudeTranscript } from '../../../core/transcript/claude.ts'
import type { ProcessEnd } from '../../../core/transcript/exit.ts'
import { ENDED_AT, exited, killed, readAll, toOutput } from './cli-output.ts'

const SESSION = 'f3b1c7e2-0000-4000-8000-000000000001'
const init = { type: 'system', subtype: 'init', session_id: SESSION, model: 'claude-x', apiKeySource: 'none' }
const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 }

const says = (content: unknown[], id = 'msg-1') => ({
  type: 'assistant',
  message: { id, model: 'claude-x', content, usage },
  session_id: SESSION,
})
const result = (fields: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  api_error_status: null,
  num_turns: 3,
  result: 'Created hello.txt',
  session_id: SESSION,
  total_cost_usd: 0.29,
  usage: { input_tokens: 57_570, output_tokens: 98, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  ...fields,
})
const providerError = (error: string, status: number | null, text: string) => [
  init,
  {
    type: 'assistant',
    message: { model: '<synthetic>', content: [{ type: 'text', text }] },
    error,
    session_id: SESSION,
  },
  result({ is_error: true, api_error_status: status, result: text, total_cost_usd: 0 }),
]

function interpret(lines: readonly unknown[], end: ProcessEnd) {
  const transcript = createClaudeTranscript()
  readAll(transcript, toOutput(...lines))
  return interpretClaudeExit(transcript.facts, end)
}

describe('the output of claude', () => {
  it('becomes a conversation of text, thinking, tool calls, results, edits, steps and usage', () => {
    const { events } = readAll(
      createClaudeTranscript(),
      toOutput(
        init,
        says([{ type: 'thinking', thinking: 'Let me see.' }]),
        says([
          { type: 'text', text: 'I write it.' },
          { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: 'hello.txt', content: 'hi' } },
        ]),
        {
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'written', is_error: false }] },
        },
        says(
          [
            {
              type: 'tool_use',
              id: 't2',
              name: 'TodoWrite',
              input: { todos: [{ content: 'a', status: 'completed' }] },
            },
          ],
          'msg-2',
        ),
        result(),
      ),
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      [
        'session',
        'thinking',
        'usage',
        'text',
        'tool_call',
        'edit',
        'tool_result',
        'tool_call',
        'todo',
        'usage',
        'usage',
        'result',
      ],
    )
    assert.deepEqual(events[5], { kind: 'edit', call_id: 't1', path: 'hello.txt', after: 'hi' })
    assert.deepEqual(events[8], { kind: 'todo', items: [{ text: 'a', state: 'completed' }] })
    assert.deepEqual(events[9], { kind: 'usage', tokens: { input: 20, output: 10, cache_read: 6, cache_write: 4 } })
  })

  /** A message as it comes piece by piece, and then whole. */
  const tells = (text: string, pieces: readonly string[], id = 'msg-1', parent: string | null = null) => {
    const piece = (event: object) => ({ type: 'stream_event', event, parent_tool_use_id: parent, session_id: SESSION })
    const delta = (part: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text: part } })
    return [
      piece({ type: 'message_start', message: { id, usage: { input_tokens: 10, output_tokens: 1 } } }),
      piece({ type: 'content_block_start', content_block: { type: 'text', text: '' } }),
      ...pieces.map((part) => piece(delta(part))),
      {
        ...says([{ type: 'text', text }], id),
        parent_tool_use_id: parent,
        message: { id, model: 'claude-x', content: [{ type: 'text', text }], usage: { input_tokens: 10 } },
      },
      piece({ type: 'message_delta', usage: { output_tokens: 20 } }),
      piece({ type: 'message_stop' }),
    ]
  }
  const textsOf = (lines: readonly unknown[]) =>
    readAll(createClaudeTranscript(), toOutput(...lines)).events.filter((event) => event.kind === 'text')

  it('that comes in pieces is said while it comes, in events worth one, and whole in the end', () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), {
      minLength: 1,
      maxLength: 100,
    })
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('')
        const events = textsOf(tells(text, parts))
        assert.equal(events.map((event) => event.text).join(''), text)
        assert.deepEqual(
          events.map((event) => event.is_partial === true),
          events.map((_, i) => i < events.length - 1),
        )
        // A line may be short; nothing else comes by the letter.
        assert.ok(events.length <= 1 + text.length / 60, `${events.length} events for ${text.length} characters`)
      }),
    )
  })

  it('that breaks off in the middle keeps what was said, and says it anew', () => {
    const half = tells('', ['Half of'], 'msg-1').slice(0, 3)
    assert.deepEqual(
      textsOf([init, ...half, ...tells('All of it', ['All', ' of it'], 'msg-2')]).map(({ text }) => text),
      ['Half of', 'All of it'],
    )
  })

  it('of a subagent is heard when it is whole', () => {
    const long = 'x'.repeat(1000)
    assert.deepEqual(textsOf(tells(long, [long.slice(0, 500), long.slice(500)], 'msg-1', 'toolu_1')), [
      { kind: 'text', text: long },
    ])
  })

  it('counts what an answer has used by its last piece, once, though each of its lines tells it', () => {
    const transcript = createClaudeTranscript()
    const { events } = readAll(transcript, toOutput(init, ...tells('One', ['One']), ...tells('Two', ['Two'], 'msg-2')))
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'usage' ? event.tokens.output : [])),
      [20, 40],
    )
    const used = { input: 20, output: 40, cacheRead: 0, cacheWrite: 0 }
    assert.deepEqual([transcript.facts.tokens, transcript.facts.untold], [used, used])
  })

  it('is kept without its pieces', () => {
    const { isPiece } = createClaudeTranscript()
    const [piece, ...others] = [tells('x', ['x'])[0], says([{ type: 'text', text: '"stream_event"' }]), result()]
    assert.equal(isPiece?.(JSON.stringify(piece)), true)
    for (const line of others) assert.equal(isPiece?.(JSON.stringify(line)), false)
  })

  it('gives the same events and facts for any chunking, with noise between the lines', () => {
    const output = toOutput(
      init,
      'npm warn something',
      '{"type":',
      says([{ type: 'text', text: 'grün 😀' }]),
      ...tells('é😀', ['é', '😀'], 'msg-3'),
      result(),
    )
    const whole = createClaudeTranscript()
    const expected = readAll(whole, output)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 })), (sizes) => {
        const transcript = createClaudeTranscript()
        assert.deepEqual(readAll(transcript, output, sizes), expected)
        assert.deepEqual(transcript.facts, whole.facts)
      }),
    )
  })

  it('is read without a throw whatever JSON it is', () => {
    const kind = fc.constantFrom(
      'system',
      'assistant',
      'user',
      'result',
      'rate_limit_event',
      'control_request',
      'stream_event',
      'x',
    )
    const line = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .tuple(
          kind,
          fc.dictionary(
            fc.constantFrom(
              'message',
              'subtype',
              'usage',
              'request',
              'rate_limit_info',
              'result',
              'session_id',
              'error',
              'event',
              'modelUsage',
              'model_usage_since_last_result',
            ),
            fc.jsonValue(),
          ),
        )
        .map(([type, fields]) => JSON.stringify({ type, ...fields })),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const transcript = createClaudeTranscript()
        readAll(transcript, toOutput(...lines))
        interpretClaudeExit(transcript.facts, exited(1))
      }),
    )
  })

  it('tells session, cost, tokens and turns', () => {
    const transcript = createClaudeTranscript()
    readAll(transcript, toOutput(init, result()))
    const { sessionId, costUSD, tokens, turns } = transcript.facts
    assert.deepEqual([sessionId, costUSD, turns], [SESSION, 0.29, 3])
    assert.deepEqual(tokens, { input: 57_570, output: 98, cacheRead: 0, cacheWrite: 0 })
  })

  const models = (input: number, costUSD: number) => ({ 'claude-x': { inputTokens: input, outputTokens: 7, costUSD } })

  it('after an answer that broke off, or a spent budget, tells the tokens by model', () => {
    const transcript = createClaudeTranscript()
    const none = { input_tokens: 0, output_tokens: 0 }
    readAll(transcript, toOutput(init, result({ usage: none, modelUsage: models(100, 0.3) })))
    assert.deepEqual(transcript.facts.tokens, { input: 100, output: 7, cacheRead: 0, cacheWrite: 0 })
  })

  it('that is stopped for a message, and goes on with it, ends as the next turn does', () => {
    const transcript = createClaudeTranscript()
    const stopped = result({
      subtype: 'error_during_execution',
      is_error: true,
      result: undefined,
      total_cost_usd: 0.1,
    })
    const taken = { type: 'command_lifecycle', command_uuid: 'm1', state: 'started', session_id: SESSION }
    const read = (line: object) => transcript.read({ text: JSON.stringify(line), isCut: false })
    assert.equal(read(stopped).isStopped, true)
    assert.equal(read({ ...taken, state: 'queued' }).taken, undefined)
    assert.deepEqual(read(taken).taken, ['m1'])
    // Whatever ends it now has not finished.
    assert.equal(interpretClaudeExit(transcript.facts, killed('SIGTERM')).outcome, 'failed')
    assert.equal(read(result({ total_cost_usd: 0.3 })).isStopped, undefined)
    assert.equal(interpretClaudeExit(transcript.facts, exited(0)).outcome, 'succeeded')
    assert.deepEqual([transcript.facts.costUSD, transcript.facts.turns], [0.3, 6])
  })

  it('of a session that is resumed tells the cost and tokens of this run, not those of the session', () => {
    const transcript = createClaudeTranscript()
    const session = { total_cost_usd: 0.5, modelUsage: models(300, 0.5) }
    const first = result({ ...session, model_usage_since_last_result: models(100, 0.2) })
    const second = result({ total_cost_usd: 0.6, model_usage_since_last_result: models(50, 0.1) })
    readAll(transcript, toOutput(init, first, second))
    assert.ok(Math.abs((transcript.facts.costUSD ?? 0) - 0.3) < 1e-9, String(transcript.facts.costUSD))
    assert.deepEqual(transcript.facts.tokens, { input: 150, output: 14, cacheRead: 0, cacheWrite: 0 })
  })
})

describe('the end of claude', () => {
  it('is a success with exit 0 and its own success result', () => {
    assert.deepEqual(interpret([init, result()], exited(0)), { outcome: 'succeeded', summary: 'Created hello.txt' })
  })

  it('is a quota with the reset time of its event', () => {
    const info = { status: 'rejected', resetsAt: 1_795_256_360, rateLimitType: 'five_hour' }
    const lines = [
      { type: 'rate_limit_event', rate_limit_info: info },
      ...providerError('rate_limit', 429, "You've hit your session limit · resets 10:19am (UTC)"),
    ]
    const exit = interpret(lines, exited(1))
    assert.deepEqual(
      [exit.outcome, exit.error?.category, exit.resumeAfter],
      ['budget_exceeded', 'quota', '2026-11-21T10:19:20Z'],
    )
    assert.match(exit.error?.message ?? '', /the limit ends at 2026-11-21T10:19:20Z/)
  })

  for (const [what, resetsAt] of [
    ['was over when it was met', (ENDED_AT - 5000) / 1000],
    ['is told in milliseconds, so after the year 9999', ENDED_AT + 3_600_000],
  ] as const)
    it(`is a quota without a known end where that ${what}, so that nothing meets it again at once`, () => {
      const info = { status: 'rejected', resetsAt, rateLimitType: 'five_hour' }
      const lines = [{ type: 'rate_limit_event', rate_limit_info: info }, ...providerError('rate_limit', 429, 'limit')]
      const exit = interpret(lines, exited(1))
      assert.deepEqual([exit.error?.category, exit.resumeAfter], ['quota', undefined])
      assert.match(exit.error?.message ?? '', /^limit: undrain the agent when there is quota again/)
    })

  const cases = [
    [
      'a rate limit of an API key',
      'rate_limit',
      429,
      'API Error: Request rejected (429) · slow down',
      'failed',
      'rate_limit',
    ],
    ['overload', 'server_error', 529, 'API Error: 529 Overloaded.', 'failed', 'rate_limit'],
    [
      'no connection',
      'server_error',
      null,
      'API Error: Unable to connect to API (ConnectionRefused)',
      'failed',
      'rate_limit',
    ],
    ['no credit', 'billing_error', 400, 'Credit balance is too low', 'budget_exceeded', 'quota'],
    ['not logged in', 'authentication_failed', null, 'Not logged in · Please run /login', 'failed', 'auth'],
    ['a wrong key', 'authentication_failed', 401, 'Invalid API key · Fix external API key', 'failed', 'auth'],
    ['a prompt that is too long', 'invalid_request', 400, 'Prompt is too long', 'failed', 'failed'],
    ['an unknown model', 'model_not_found', 404, "There's an issue with the selected model (x)", 'failed', 'failed'],
  ] as const
  for (const [what, code, status, text, outcome, category] of cases) {
    it(`by ${what} is ${outcome} with category ${category}, quotes it and says what to do`, () => {
      const exit = interpret(providerError(code, status, text), exited(1))
      assert.deepEqual([exit.outcome, exit.error?.category], [outcome, category])
      assert.ok(exit.error?.message.startsWith(`${text.replace(/\.$/, '')}: `), exit.error?.message)
    })
  }

  it('by a login that is refused names the Agent, and a way to log in that there is', () => {
    const lines = providerError('authentication_failed', null, 'Not logged in · Please run /login')
    const message = interpret(lines, exited(1)).error?.message ?? ''
    assert.match(message, /renew the credentials of agent agent-x \(an API key, a token of `claude setup-token`, or/)
    assert.doesNotMatch(message, /claude login/)
  })

  it('by its budget is a spent budget, not a failure', () => {
    const exit = interpret(
      [init, result({ subtype: 'error_max_budget_usd', is_error: true, result: undefined })],
      exited(1),
    )
    assert.deepEqual([exit.outcome, exit.error?.category], ['budget_exceeded', 'budget'])
  })

  it('by its turns is a failure that can be resumed', () => {
    const exit = interpret([init, result({ subtype: 'error_max_turns', is_error: true, result: undefined })], exited(1))
    assert.equal(exit.outcome, 'failed')
    assert.match(exit.error?.message ?? '', /turns.*resume/)
  })

  it('without a result is no success, even with exit 0', () => {
    assert.equal(interpret([init, says([{ type: 'text', text: 'done' }])], exited(0)).outcome, 'failed')
    assert.match(interpret([init], killed('SIGKILL')).error?.message ?? '', /ended by SIGKILL/)
  })

  it('for want of the session it was to resume says that the session is lost', () => {
    const exit = interpret([], exited(1, `No conversation found with session ID: ${SESSION}`))
    assert.equal(exit.isSessionLost, true)
  })

  it('by wrong use quotes stderr', () => {
    assert.match(interpret([], exited(1, 'error: unknown option --x')).error?.message ?? '', /unknown option --x/)
  })
})
