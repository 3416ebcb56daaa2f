import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  type SessionUsage,
  createCodexSessionUsage,
  createGeminiSessionUsage,
} from '../../../core/transcript/session-usage.ts'

function read(usage: SessionUsage, ...lines: readonly unknown[]) {
  for (const line of lines) usage.read(typeof line === 'string' ? line : JSON.stringify(line))
  return usage.tokens
}

describe('the session file of codex', () => {
  const counted = (input: number, cached: number, output: number) => ({
    timestamp: '2026-11-22T10:32:36.446Z',
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
        last_token_usage: { input_tokens: 1, cached_input_tokens: 1, output_tokens: 1 },
      },
    },
  })

  it('tells the total of the session after each answer', () => {
    const usage = createCodexSessionUsage()
    assert.equal(read(usage, { type: 'session_meta' }), undefined)
    assert.deepEqual(read(usage, counted(100, 10, 20)), { input: 90, output: 20, cacheRead: 10, cacheWrite: 0 })
    const noInfo = { type: 'event_msg', payload: { type: 'token_count', info: null, note: 'total_token_usage' } }
    assert.deepEqual(read(usage, counted(300, 30, 60), noInfo), {
      input: 270,
      output: 60,
      cacheRead: 30,
      cacheWrite: 0,
    })
  })
})

describe('the session file of gemini', () => {
  const answer = (id: string, input: number, cached: number, output: number, thoughts = 0) => {
    const tokens = { input, output, cached, thoughts, tool: 0, total: input + output + thoughts }
    return { id, type: 'gemini', content: 'x', tokens }
  }

  it('is the sum of its answers, each counted once though it is written whenever it grows', () => {
    const answers = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), output: fc.nat(1000) }))
    fc.assert(
      fc.property(answers, (list) => {
        const last = new Map(list.map(({ id, output }) => [id, output]))
        const grown = list.map(({ id, output }) => answer(id, 100, 0, output))
        const sorted = grown.toSorted((a, b) => a.tokens.output - b.tokens.output)
        const most = [...last.keys()].map((id) =>
          Math.max(...list.filter((one) => one.id === id).map(({ output }) => output)),
        )
        const tokens = read(createGeminiSessionUsage(), ...sorted)
        const sum = most.reduce((a, b) => a + b, 0)
        assert.deepEqual(
          tokens,
          list.length === 0 ? undefined : { input: 100 * last.size, output: sum, cacheRead: 0, cacheWrite: 0 },
        )
      }),
    )
  })

  it('counts thoughts as said, and what comes from the cache apart', () => {
    assert.deepEqual(read(createGeminiSessionUsage(), answer('a', 100, 40, 20, 30)), {
      input: 60,
      output: 50,
      cacheRead: 40,
      cacheWrite: 0,
    })
  })
})

for (const create of [createCodexSessionUsage, createGeminiSessionUsage]) {
  it(`${create.name} survives any line`, () => {
    const words = fc.constantFrom('"tokens"', 'total_token_usage', '')
    fc.assert(
      fc.property(fc.json(), words, (json, word) => {
        read(create(), json, `${json}${word}`, `{"id":"a",${word}:${json}}`, `{"payload":{"info":{"${word}":${json}}}}`)
      }),
    )
  })
}
