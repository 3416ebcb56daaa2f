import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import { isAssumedToLast, isTriedAgainByItself, itGoesOnAfterItsLimit } from './limits.ts'
import { CLAUDE } from './programs.ts'
import { anthropicRefuses, NO_CREDIT, secondsAhead, subscriptionUsedUp } from './refusals.ts'
import { type AgentRig, MARKER, startAgentRig } from './rig.ts'

const { writes } = CLAUDE

describe('the real claude at a limit', function () {
  let rig: AgentRig

  before(async () => {
    rig = await startAgentRig('claude')
    const login = { CLAUDE_CODE_OAUTH_TOKEN: MARKER, ANTHROPIC_BASE_URL: rig.model.url }
    await rig.storeSecret('subscription', login)
    await rig.addAgent('subscriber', subscriber)
  })
  after(() => rig.stop())

  const isLimited = async (agent: string) => (await rig.statusOf(agent)).record['state'] === 'rate_limited'
  const subscriber = {
    credentials: {
      secret_name: 'subscription',
      env: ['CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_BASE_URL'].map((name) => ({ name, key: name })),
    },
  }

  itGoesOnAfterItsLimit(CLAUDE, () => rig, { agent: 'subscriber', usedUp: subscriptionUsedUp, stepSeconds: 0 })

  it('of its subscription holds the agent while it lasts, and shows until when', async () => {
    await rig.addAgent('patient', subscriber)
    const resetsAt = secondsAhead(3600)
    rig.model.play([], subscriptionUsedUp(resetsAt))
    await rig.submit('waiting', { agent: { type: 'patient' } })
    const task = await rig.reaches('waiting', 'BUDGET_EXCEEDED')
    assert.equal(Date.parse(String(task['resume_after'])), resetsAt * 1000)
    await until('the agent is limited', () => isLimited('patient'))
    const { record, events } = await rig.statusOf('patient')
    assert.equal(Date.parse(String(record['rate_limited_until'])), resetsAt * 1000)
    assert.deepEqual(events, ['rate_limited'])
    assert.equal(rig.model.asked.length, 1)
  })

  it('of its account has no credit: it is limited for an hour, or until somebody pays and undrains it', async () => {
    await rig.addAgent('broke')
    rig.model.play([], NO_CREDIT)
    await rig.submit('unpaid', { agent: { type: 'broke' } })
    await isAssumedToLast(rig, 'unpaid', 'broke', 1)
    const task = await rig.server.task('unpaid')
    assert.match(String(task['error']), /Credit balance is too low: undrain the agent when there is quota again/)
    assert.ok(rig.model.asked.length <= 2, `asked ${rig.model.asked.length} times`)
    rig.model.play([{ kind: 'say', text: 'Paid' }])
    const reply = await rig.server.call('POST', '/api/pool/agents/broke/undrain')
    assert.equal(reply.status, 200, reply.text)
    await until('it was queued again', async () => (await rig.server.task('unpaid'))['state'] !== 'BUDGET_EXCEEDED')
    assert.equal((await rig.reaches('unpaid', 'READY'))['summary'], 'Paid')
    assert.deepEqual((await rig.statusOf('broke')).events, ['rate_limited', 'recovered'])
  })

  it('of requests per minute, with an API key, fails as rate_limit and is tried again by itself', async () => {
    await rig.addAgent('throttled')
    const tooFast = anthropicRefuses(429, 'rate_limit_error', 'Number of requests per minute exceeded')
    rig.model.play([], tooFast)
    await rig.submit('too-fast', { agent: { type: 'throttled' } })
    assert.match(await isTriedAgainByItself(rig, 'too-fast'), /429.*: it is tried again by itself/)
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
