import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { matchesPattern } from '../../../core/transcript/acp-dialect.ts'
import { interpretAcpExit } from '../../../core/transcript/acp-exit.ts'
import { type AcpRun, createAcpTranscript } from '../../../core/transcript/acp.ts'
import type { Transcript } from '../../../core/transcript/transcript.ts'
import { runs } from '../../helpers/runs.ts'
import { exited, killed, readAll, toOutput } from './cli-output.ts'

const RUN: AcpRun = { prompt: 'Do it.', cwd: '/clone', mcpServers: [], dialect: {} }

const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result })
const refusal = (id: number, message: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32603, message, ...more },
})
const update = (sessionUpdate: string, fields: object) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate, ...fields } },
})
const says = (text: string) => update('agent_message_chunk', { content: { type: 'text', text } })
const capable = (capabilities: object = {}) => answer(1, { protocolVersion: 1, agentCapabilities: capabilities })
const opened = [capable(), answer(2, { sessionId: 's1' })] as const
const stopped = (stopReason = 'end_turn') => answer(3, { stopReason })

/** The methods of the requests that were made, and what they were made with. */
function asked(replies: readonly string[]): readonly (readonly [unknown, unknown])[] {
  return replies.map((reply) => JSON.parse(reply)).map(({ method, params }) => [method, params] as const)
}

function outcomeOf(transcript: Transcript, end = exited(0)) {
  const { outcome, error, isSessionLost } = interpretAcpExit(transcript.facts, end)
  return [outcome, error?.category, isSessionLost === true] as const
}

describe('a program that speaks the Agent Client Protocol', () => {
  it('is led to a new session and through its prompt, and what it does becomes a conversation', () => {
    const transcript = createAcpTranscript(RUN)
    const call = { toolCallId: 'c', title: 'ls', kind: 'execute' }
    const content = [
      { type: 'content', content: { type: 'text', text: 'a' } },
      { type: 'diff', path: 'a', oldText: 'x', newText: 'y' },
    ]
    const { events, replies } = readAll(
      transcript,
      toOutput(
        ...opened,
        update('agent_thought_chunk', { content: { type: 'text', text: 'hm' } }),
        says('I loo'),
        says('k.'),
        update('tool_call', { ...call, status: 'pending', rawInput: {} }),
        update('tool_call_update', { ...call, status: 'in_progress', rawInput: { command: 'ls' } }),
        update('tool_call_update', { toolCallId: 'c', status: 'completed', content }),
        update('plan', { entries: [{ content: 'Look', priority: 'high', status: 'completed' }] }),
        says('All done.'),
        update('usage_update', { used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } }),
        answer(3, { stopReason: 'end_turn', usage: { inputTokens: 10, outputTokens: 2 } }),
      ),
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['session', 'thinking', 'text', 'tool_call', 'edit', 'tool_result', 'todo', 'text', 'usage', 'result'],
    )
    assert.deepEqual(events[3], { kind: 'tool_call', call_id: 'c', tool: 'execute', input: { command: 'ls' } })
    assert.deepEqual(asked(replies), [
      ['session/new', { cwd: '/clone', mcpServers: [] }],
      ['session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'Do it.' }] }],
    ])
    assert.deepEqual(interpretAcpExit(transcript.facts, exited(0)), { outcome: 'succeeded', summary: 'All done.' })
    const { sessionId, costUSD, tokens } = transcript.facts
    assert.deepEqual([sessionId, costUSD, tokens?.input], ['s1', 0.5, 10])
  })

  it('takes up its session by what it is capable of, tells none of its past again, and costs what is new', () => {
    const run = { ...RUN, sessionId: 's1', spentUSD: 0.4 }
    const cost = update('usage_update', { used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } })
    const resumed = createAcpTranscript(run)
    const { replies } = readAll(
      resumed,
      toOutput(capable({ sessionCapabilities: { resume: {} } }), answer(2, {}), cost, stopped()),
    )
    assert.deepEqual(
      asked(replies).map(([method]) => method),
      ['session/resume', 'session/prompt'],
    )
    assert.ok(Math.abs((resumed.facts.costUSD ?? 0) - 0.1) < 1e-9)
    const loaded = createAcpTranscript(run)
    const past = readAll(
      loaded,
      toOutput(capable({ loadSession: true }), says('of the past'), answer(2, {}), says('new'), stopped()),
    )
    assert.deepEqual(
      asked(past.replies).map(([method]) => method),
      ['session/load', 'session/prompt'],
    )
    assert.deepEqual(
      past.events.filter(({ kind }) => kind === 'text'),
      [{ kind: 'text', text: 'new' }],
    )
    const incapable = createAcpTranscript(run)
    readAll(incapable, toOutput(capable()))
    assert.deepEqual(outcomeOf(incapable), ['failed', 'failed', true])
  })

  it('is given its mode and its model before the prompt, and refuses a model that it offers no choice of', () => {
    const run = { ...RUN, model: 'm1', dialect: { mode: 'code' } }
    const options = { sessionId: 's1', configOptions: [{ id: 'which', category: 'model', type: 'select' }] }
    const { replies } = readAll(
      createAcpTranscript(run),
      toOutput(capable(), answer(2, options), answer(3, {}), answer(4, {})),
    )
    assert.deepEqual(asked(replies).slice(1), [
      ['session/set_mode', { sessionId: 's1', modeId: 'code' }],
      ['session/set_config_option', { sessionId: 's1', configId: 'which', value: 'm1' }],
      ['session/prompt', { sessionId: 's1', prompt: [{ type: 'text', text: 'Do it.' }] }],
    ])
    const older = { sessionId: 's1', models: { availableModels: [], currentModelId: 'auto' } }
    const chosen = readAll(createAcpTranscript({ ...RUN, model: 'm1' }), toOutput(capable(), answer(2, older)))
    assert.deepEqual(asked(chosen.replies).at(-1), ['session/set_model', { sessionId: 's1', modelId: 'm1' }])
    const without = createAcpTranscript({ ...RUN, model: 'm1' })
    readAll(without, toOutput(...opened))
    assert.match(interpretAcpExit(without.facts, exited(0)).error?.message ?? '', /offers no choice of model/)
  })

  it('is allowed its tools, or refused them, and is answered that other methods do not exist', () => {
    const options = ['allow_once', 'reject_once'].map((kind) => ({ optionId: kind, name: kind, kind }))
    const request = (method: string) => ({ jsonrpc: '2.0', id: 'p', method, params: { sessionId: 's1', options } })
    const reply = (permissions: 'Allow' | 'Refuse', method: string): unknown =>
      readAll(createAcpTranscript({ ...RUN, dialect: { permissions } }), toOutput(...opened, request(method)))
        .replies.map((text) => JSON.parse(text))
        .at(-1)
    const selected = (optionId: string) => ({
      jsonrpc: '2.0',
      id: 'p',
      result: { outcome: { outcome: 'selected', optionId } },
    })
    assert.deepEqual(reply('Allow', 'session/request_permission'), selected('allow_once'))
    assert.deepEqual(reply('Refuse', 'session/request_permission'), selected('reject_once'))
    const error = { code: -32601, message: 'Method not found: fs/read_text_file' }
    assert.deepEqual(reply('Allow', 'fs/read_text_file'), { jsonrpc: '2.0', id: 'p', error })
  })

  it('that asks is blocked with its question and the answers to choose from, and its turn is ended', () => {
    const transcript = createAcpTranscript(RUN)
    const requestedSchema = {
      type: 'object',
      properties: {
        color: {
          type: 'string',
          oneOf: [
            { const: 'r', title: 'Red' },
            { const: 'b', title: 'Blue' },
          ],
        },
      },
    }
    const params = { mode: 'form', sessionId: 's1', message: 'Which color?', requestedSchema }
    const elicitation = { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params }
    const { replies } = readAll(transcript, toOutput(...opened, elicitation, stopped('cancelled')))
    const [, , declined, cancel] = replies.map((text) => JSON.parse(text))
    assert.deepEqual([declined?.result, cancel?.method], [{ action: 'cancel' }, 'session/cancel'])
    assert.deepEqual(interpretAcpExit(transcript.facts, exited(0)), {
      outcome: 'blocked',
      questions: [{ text: 'Which color?', options: ['Red', 'Blue'] }],
    })
  })
})

describe('a program that speaks the Agent Client Protocol, told more while it works', () => {
  const promptIds = (replies: readonly string[]): unknown[] => replies.map((reply) => JSON.parse(reply).id)
  const call = (toolCallId: string, status: string) =>
    update(status === 'pending' ? 'tool_call' : 'tool_call_update', { toolCallId, status, kind: 'execute' })

  it('gets the next prompt in the same session when its turn is over, and what both used is added', () => {
    const transcript = createAcpTranscript(RUN)
    const used = { usage: { inputTokens: 10, outputTokens: 2 } }
    const first = readAll(transcript, toOutput(...opened, says('One.'), answer(3, { stopReason: 'end_turn', ...used })))
    assert.deepEqual([first.taken, first.isOver, outcomeOf(transcript)[0]], [[], true, 'succeeded'])
    const line = JSON.parse(transcript.say('Now two.', 'message1'))
    assert.deepEqual([line.method, line.id, line.params.sessionId], ['session/prompt', 'message1', 's1'])
    assert.equal(outcomeOf(transcript, killed('SIGKILL'))[0], 'failed', 'what ends it now has not finished')
    const second = readAll(
      transcript,
      toOutput(says('Two.'), { jsonrpc: '2.0', id: 'message1', result: { stopReason: 'end_turn', ...used } }),
    )
    assert.deepEqual([second.taken, second.isOver], [['message1'], true])
    assert.deepEqual(interpretAcpExit(transcript.facts, exited(0)), { outcome: 'succeeded', summary: 'Two.' })
    assert.equal(transcript.facts.tokens?.input, 20)
  })

  it('has begun with what joins its turn once its model goes on after a tool, and the last answer ends the turn', () => {
    const transcript = createAcpTranscript(RUN)
    const { replies } = readAll(transcript, toOutput(...opened, says('I look'), call('c', 'pending')))
    assert.equal(promptIds(replies).at(-1), 3)
    transcript.say('Use tabs.', 'message1')
    const parts = [call('c', 'in_progress'), says('. On it'), call('c', 'completed'), says('Tabs.'), stopped()].map(
      (one) => readAll(transcript, toOutput(one)),
    )
    assert.deepEqual(
      parts.map(({ taken, isOver }) => [taken.length, isOver]),
      [
        [0, false],
        [0, false],
        [0, false],
        [1, false],
        [0, false],
      ],
    )
    const end = { jsonrpc: '2.0', id: 'message1', result: { stopReason: 'end_turn' } }
    assert.equal(readAll(transcript, toOutput(end)).isOver, true)
    assert.deepEqual(outcomeOf(transcript), ['succeeded', undefined, false])
  })

  it('goes on with what it is told where that cancels its turn, in whatever order it answers', () => {
    const cancelled = stopped('cancelled')
    const done = { jsonrpc: '2.0', id: 'message1', result: { stopReason: 'end_turn' } }
    for (const lines of [
      [cancelled, says('Tabs.'), done],
      [says('Tabs.'), done, cancelled],
    ]) {
      const transcript = createAcpTranscript(RUN)
      readAll(transcript, toOutput(...opened))
      assert.equal(JSON.parse(transcript.cancel()).method, 'session/cancel')
      transcript.say('Use tabs.', 'message1')
      const { taken } = readAll(transcript, toOutput(...lines))
      assert.deepEqual([taken, outcomeOf(transcript)[0]], [['message1'], 'succeeded'])
    }
  })

  it('is told nothing before it has its task, and names a message at most once, whatever it says', () => {
    const anything = fc.oneof(
      fc.constantFrom('say' as const),
      fc.constantFrom(says('x'), stopped(), stopped('cancelled'), refusal(3, 'x')),
      fc.constantFrom('pending', 'in_progress', 'completed', 'failed').map((status) => call('c', status)),
      fc.nat(5).map((n) => ({ jsonrpc: '2.0', id: `m${n}`, result: { stopReason: 'end_turn' } })),
    )
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 20 }), (story) => {
        const transcript = createAcpTranscript(RUN)
        readAll(transcript, toOutput(capable()))
        assert.equal(transcript.facts.sessionId, undefined)
        readAll(transcript, toOutput(answer(2, { sessionId: 's1' })))
        assert.equal(transcript.facts.sessionId, 's1')
        const [said, named]: [string[], string[]] = [[], []]
        for (const one of story) {
          if (one !== 'say') named.push(...readAll(transcript, toOutput(one)).taken)
          else transcript.say('x', `m${said.push('') - 1}`)
        }
        assert.deepEqual(named, [...new Set(named)])
        assert.ok(named.every((id) => Number(id.slice(1)) < said.length))
      }),
      { numRuns: runs(200) },
    )
  })

  it('that begins call after call and ends none is remembered the latest of them alone', () => {
    const transcript = createAcpTranscript(RUN)
    const begins = (n: number) =>
      update('tool_call', { toolCallId: `c${n}`, status: 'pending', rawInput: { command: `ls ${n}` } })
    readAll(transcript, toOutput(...opened, ...Array.from({ length: 1000 }, (_, n) => begins(n))))
    const inputOf = (id: string): unknown => {
      const { events } = readAll(transcript, toOutput(call(id, 'completed')))
      return events.flatMap((event) => (event.kind === 'tool_call' ? [event.input] : []))[0]
    }
    assert.deepEqual([inputOf('c0'), inputOf('c999')], [{}, { command: 'ls 999' }])
  })
})

describe('the end of a program that speaks the Agent Client Protocol', () => {
  const dialect = {
    auth: ['bad * key'],
    limit: ['no credit'],
    busy: ['overloaded'],
    lostSession: ['gone'],
    failure: ['Error: ', 'is not found'],
  }
  const cases: readonly (readonly [object, readonly [string, string | undefined, boolean]])[] = [
    [refusal(3, 'Internal error: BAD api KEY'), ['failed', 'auth', false]],
    [refusal(3, 'Internal error', { data: { details: 'no credit left' } }), ['budget_exceeded', 'quota', false]],
    [refusal(3, 'Overloaded'), ['failed', 'rate_limit', false]],
    [refusal(3, 'x', { code: -32000 }), ['failed', 'auth', false]],
    [refusal(3, 'x', { code: 429 }), ['failed', 'rate_limit', false]],
    [refusal(3, 'x', { data: { statusCode: 401 } }), ['failed', 'auth', false]],
    [refusal(3, 'session is gone'), ['failed', 'failed', true]],
    [refusal(3, 'models/x is not found', { code: 500 }), ['failed', 'failed', false]],
    [refusal(3, 'fetch failed'), ['failed', 'rate_limit', false]],
    [refusal(3, 'something else'), ['failed', 'failed', false]],
    [stopped('max_turn_requests'), ['failed', 'failed', false]],
    [stopped('refusal'), ['failed', 'failed', false]],
    [stopped('cancelled'), ['failed', 'failed', false]],
    [stopped('a word of a later version'), ['failed', 'failed', false]],
    [stopped(), ['succeeded', undefined, false]],
  ]
  for (const [last, expected] of cases) {
    it(`by ${JSON.stringify(last)} is ${expected.join(' ')}`, () => {
      const transcript = createAcpTranscript({ ...RUN, dialect })
      readAll(transcript, toOutput(...opened, last))
      assert.deepEqual(outcomeOf(transcript), expected)
    })
  }

  it('that passes on what its provider answered is told in the provider’s own sentence', () => {
    const transcript = createAcpTranscript({ ...RUN, dialect })
    const quoted = JSON.stringify({ error: { code: 403, message: 'Not for you', details: [{ reason: 'NO CREDIT' }] } })
    readAll(transcript, toOutput(...opened, refusal(3, quoted, { code: 403 })))
    assert.deepEqual(outcomeOf(transcript), ['budget_exceeded', 'quota', false])
    assert.match(interpretAcpExit(transcript.facts, exited(0)).error?.message ?? '', /^Not for you: /)
  })

  it('that tells a failure as a success is none, by the words of the manifest', () => {
    const transcript = createAcpTranscript({ ...RUN, dialect })
    readAll(transcript, toOutput(...opened, says('Error: bad api key'), stopped()))
    assert.deepEqual(outcomeOf(transcript), ['failed', 'auth', false])
  })

  it('without an answer to the prompt is no success, however it ended', () => {
    for (const end of [exited(0), exited(1), killed('SIGTERM')]) {
      const transcript = createAcpTranscript(RUN)
      readAll(transcript, toOutput(...opened, says('Done.')))
      assert.deepEqual(outcomeOf(transcript, end), ['failed', 'failed', false])
    }
  })

  it('is the same in whatever pieces its output comes, and whatever stands between its lines', () => {
    const output = toOutput(
      ...opened,
      says('One '),
      'noise {',
      { jsonrpc: '2.0', id: 99, result: {} },
      says('two.'),
      stopped(),
    )
    const whole = createAcpTranscript(RUN)
    const expected = readAll(whole, output)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 60 }), (sizes) => {
        const transcript = createAcpTranscript(RUN)
        assert.deepEqual(readAll(transcript, output, sizes), expected)
        assert.deepEqual(transcript.facts, whole.facts)
      }),
      { numRuns: runs(60) },
    )
  })

  it('survives any JSON in any place', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.jsonValue(), (lines, params) => {
        const transcript = createAcpTranscript(RUN)
        const methods = ['session/update', 'session/request_permission', 'elicitation/create']
        const requests = methods.map((method) => ({ jsonrpc: '2.0', id: 5, method, params }))
        readAll(transcript, toOutput(...opened, ...lines.map((line) => JSON.stringify(line)), ...requests))
        assert.notEqual(interpretAcpExit(transcript.facts, exited(0)).outcome, 'succeeded')
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('a pattern of a manifest', () => {
  it('is found by its parts in their order, in any case, in linear time', () => {
    assert.ok(matchesPattern('Internal: Bad API Key given', 'bad*key'))
    assert.ok(!matchesPattern('key is bad', 'bad*key'))
    // With a quadratic search this would not end in a test's time.
    assert.ok(!matchesPattern('a'.repeat(1_000_000), `${'a*'.repeat(90)}b`))
  })
})
