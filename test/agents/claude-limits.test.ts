import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import { CLAUDE } from './programs.ts'
import { anthropicRefuses, NO_CREDIT, subscriptionUsedUp } from './refusals.ts'
import type { AgentRig } from './rig.ts'
import { DEADLINE_MS, MARKER, startAgentRig } from './rig.ts'

const { writes } = CLAUDE

describe('the real claude at a limit', function () {
  this.timeout(240_000)
  let rig: AgentRig

  before(async () => {
    rig = await startAgentRig('claude')
    const login = { CLAUDE_CODE_OAUTH_TOKEN: MARKER, ANTHROPIC_BASE_URL: rig.model.url }
    await rig.storeSecret('subscription', login)
  })
  after(() => rig.stop())

  const isLimited = async (agent: string) => (await rig.statusOf(agent)).record['state'] === 'rate_limited'
  const subscriber = {
    credentials: {
      secret_name: 'subscription',
      env: ['CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_BASE_URL'].map((name) => ({ name, key: name })),
    },
  }

  it('of its subscription waits for the reset, says until when, and then goes on in its session by itself', async () => {
    await rig.addAgent('subscriber', subscriber)
    rig.model.play([writes, () => subscriptionUsedUp(10)])
    await rig.submit('limited', { agent: { type: 'subscriber' } })
    const waiting = await rig.reaches('limited', 'BUDGET_EXCEEDED')
    assert.equal(waiting['error_category'], 'quota')
    assert.match(String(waiting['error']), /hit your .*limit.*: it goes on by itself at \d{4}-\d\d-\d\dT/)
    assert.ok(Date.parse(String(waiting['resume_after'])) > Date.parse(String(waiting['finished_at'])))
    await until('the agent is limited', () => isLimited('subscriber'))
    assert.deepEqual((await rig.statusOf('subscriber')).events, ['rate_limited'])
    assert.equal(rig.model.asked.length, 2)
    const isReady = async () => (await rig.server.task('limited'))['state'] === 'READY'
    await until('it has gone on by itself', isReady, DEADLINE_MS)
    const [first, second] = await rig.executions('limited')
    assert.equal(second?.['session_id'], first?.['session_id'])
    assert.match(JSON.stringify(rig.model.asked.at(-1)?.body), /A usage limit stopped you\. It is over/)
    assert.equal(rig.remote.git('show', 'slipway/limited:hello.txt'), 'hello')
    assert.deepEqual((await rig.statusOf('subscriber')).events, ['rate_limited', 'recovered'])
    const limits = rig.conversation('limited-1').filter(({ kind }) => kind === 'limit')
    assert.equal(limits.at(-1)?.['state'], 'reached')
  })

  it('of its account has no credit, and waits for a person who pays', async () => {
    rig.model.play([], NO_CREDIT)
    await rig.submit('unpaid')
    const task = await rig.reaches('unpaid', 'BUDGET_EXCEEDED')
    assert.deepEqual([task['error_category'], task['resume_after']], ['quota', undefined])
    assert.match(String(task['error']), /Credit balance is too low: resume the task when there is quota again/)
    assert.ok(rig.model.asked.length <= 2, `asked ${rig.model.asked.length} times`)
  })

  it('of requests per minute, with an API key, fails as rate_limit and is tried again by itself', async () => {
    await rig.addAgent('throttled')
    const tooFast = anthropicRefuses(429, 'rate_limit_error', 'Number of requests per minute exceeded')
    rig.model.play([], tooFast)
    await rig.submit('too-fast', { agent: { type: 'throttled' } })
    const task = await rig.reaches('too-fast', 'FAILED')
    assert.equal(task['error_category'], 'rate_limit')
    assert.match(String(task['error']), /429.*: it is tried again by itself/)
    assert.ok(Date.parse(String(task['resume_after'])) > Date.parse(String(task['finished_at'])))
    assert.ok(rig.model.asked.length <= 5, `asked ${rig.model.asked.length} times`)
  })

  it('of the task’s own budget stops as budget, which only a person raises', async () => {
    rig.model.play([writes, writes, writes], writes)
    await rig.submit('dear', { budget_usd: 0.0001 })
    const task = await rig.reaches('dear', 'BUDGET_EXCEEDED')
    assert.deepEqual([task['error_category'], task['resume_after']], ['budget', undefined])
    assert.match(String(task['error']), /raise budget_usd and resume the task, or cancel it/)
    assert.ok(Number(task['cost_usd']) > 0.0001)
  })
})
