import assert from 'node:assert/strict'
import { priceOf, budgetNotKeptReason } from '../../../core/agent/prices.ts'
import { aTask, anAgent } from '../../helpers/build.ts'

const prices = { inputPerMillion: 2, outputPerMillion: 10 }

describe('the price of tokens', () => {
  const tokens = { input: 100_000, output: 10_000, cacheRead: 500_000, cacheWrite: 50_000 }

  it('is that of what is read and written; from a cache as read anew, where nothing else is said', () => {
    assert.equal(priceOf(tokens, prices), 0.2 + 0.1 + 0.1 + 1)
  })

  it('knows a price of its own for what comes from a cache', () => {
    const cost = priceOf(tokens, { ...prices, cachedInputPerMillion: 0.2 })
    assert.ok(Math.abs(cost - 0.5) < 1e-9, String(cost))
  })
})

describe('a budget', () => {
  const task = aTask({ spec: { budgetUSD: 1 } })
  const agent = (adapter: 'claude' | 'codex' | 'gemini' | 'script', spec = {}) =>
    anAgent({ name: 'team', spec: { adapter, ...spec } })

  for (const adapter of ['codex', 'gemini'] as const) {
    it(`cannot be kept by ${adapter} without prices, which is said with the field that would help`, () => {
      assert.match(
        budgetNotKeptReason(task, agent(adapter)) ?? '',
        /^budget_usd cannot be kept: agent team .*spec\.prices/,
      )
      assert.equal(budgetNotKeptReason(task, agent(adapter, { prices })), undefined)
      assert.equal(budgetNotKeptReason(aTask(), agent(adapter)), undefined)
    })
  }

  it('is kept by claude, which tells its cost, and not needed by a script', () => {
    assert.equal(budgetNotKeptReason(task, agent('claude')), undefined)
    assert.equal(budgetNotKeptReason(task, agent('script')), undefined)
  })
})
