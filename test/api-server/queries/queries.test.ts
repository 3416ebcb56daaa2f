// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Queries, createQueries } from '../../../api-server/queries/queries.ts'
import { createCaches } from '../../../api-server/cache/caches.ts'
import { type TaskDraft, TaskDraft as TaskDraftSchema } from '../../../core/answer/task-draft.ts'
import type { ApiError } from '../../../core/errors.ts'
import { makeId } from '../../../core/ids.ts'
import { AGENTS, EXECUTIONS } from '../../../kube/resources.ts'
import { createOutageLog } from '../../../kube/outage.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'
import { compileCheck } from '../../../lib/validate.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type QueryOperator, aClaude, playOperator } from './query-operator.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'
import { text } from '../../helpers/build.ts'

const DRAFT = { name: 'Export', description: 'As CSV.' }
const drained = { drained: { since: '2026-01-01T00:00:00Z', reason: text('three crashes') } }

describe('a server without an agent that could answer', () => {
  let api: Rig
  beforeEach(async () => {
    api = await startRig()
  })
  afterEach(() => api.stop())

  const elaborate = (query = '') => api.post(`/api/tasks/elaborate${query}`, { prompt: 'Anything' })
  const reasons = async () => {
    const { body } = await api.get('/api/agents/status')
    return itemsOf(at(body, 'agents')).filter((agent) => at(agent, 'reason') !== undefined)
  }

  it('answers 503 at once where there are only scripts, and asks nobody', async () => {
    const { status, body } = await elaborate()
    const error = 'no agent can answer now: there is no agent but scripts, and a script answers nothing'
    assert.deepEqual([status, body], [503, { error }])
    assert.deepEqual((await api.client.list(EXECUTIONS, { namespace: api.namespace })).items, [])
  })

  it('says of each agent why it cannot, also of one that is named', async () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z'
    const missing = {
      type: 'Ready',
      status: 'False',
      reason: 'CredentialsMissing',
      message: 'no key y',
      lastTransitionTime,
    } as const
    await api.givenAgent(aClaude({ status: drained }))
    await api.givenAgent(aClaude({ name: 'gemini', status: { conditions: [missing] } }))
    await until('both are known', async () => (await reasons()).length === 2)
    const { status, body } = await elaborate()
    assert.equal(status, 503)
    assert.match(textAt(body, 'error'), /agent claude is drained: three crashes; agent gemini: no key y$/)
    const named = await elaborate('?agent=gemini')
    assert.deepEqual([named.status, /claude/.test(named.text)], [503, false])
  })
})

describe('a question to an agent', () => {
  let api: Rig
  let operator: QueryOperator
  let clock: ManualClock
  let queries: Queries
  let stop: () => Promise<void>
  beforeEach(async () => {
    api = await startRig()
    operator = playOperator(api)
    const { client, namespace, volumeRoot } = api
    const logger = makeLogger('silent')
    const outages = createOutageLog(systemClock, logger)
    const caches = createCaches({ client, namespace, clock: systemClock, logger, random: Math.random, outages })
    clock = manualClock()
    const id = (kind: string) => makeId(kind, systemClock.now(), randomBytes(10))
    queries = createQueries({ client, namespace, volumeRoot, caches, clock, logger, makeId: id })
    const stopping = new AbortController()
    const running = caches.run(stopping.signal)
    stop = async () => {
      stopping.abort()
      await running
    }
    await api.givenAgent(aClaude())
    await caches.synced
    await until('the agent is known', () => caches.agents.find('claude') !== undefined)
  })
  afterEach(async () => {
    await stop()
    await api.stop()
  })

  const ask = (gone = new AbortController().signal): Promise<TaskDraft> =>
    queries.ask({
      purpose: 'Elaborate',
      answerSchema: 'TaskDraft',
      check: compileCheck(TaskDraftSchema),
      agent: { type: 'claude' },
      prompt: 'Anything',
      timeoutMs: 300_000,
      limitMs: 300_000,
      gone,
    })
  const refusedWith = (asked: Promise<unknown>, status: number, text: RegExp) =>
    assert.rejects(asked, (error: ApiError) => {
      assert.deepEqual([error.status, text.test(error.message)], [status, true], error.message)
      return true
    })

  it('is answered within its time, however late in it', async () => {
    const asked = ask()
    const { name } = await operator.next()
    await clock.advance(299_999)
    await operator.answer(name, DRAFT)
    assert.deepEqual(await asked, DRAFT)
  })

  it('is 504 when its time is over, and its execution is cancelled', async () => {
    const refusal = refusedWith(ask(), 504, /^no answer within 300 s: agent claude has not begun/)
    const { name } = await operator.next()
    await clock.advance(300_000)
    await refusal
    await operator.cancelled(name)
  })

  it('is refused as soon as its agent closes before it has begun, and its execution is cancelled', async () => {
    const refusal = refusedWith(ask(), 503, /^agent claude is drained: three crashes$/)
    const { name } = await operator.next()
    await api.setStatus(AGENTS, 'claude', drained)
    await refusal
    await operator.cancelled(name)
  })

  it('is cancelled when the server stops, which then asks nobody any more', async () => {
    const refusal = refusedWith(ask(), 503, /^the server is stopping/)
    const { name } = await operator.next()
    await queries.close()
    await refusal
    await operator.cancelled(name)
    await refusedWith(ask(), 503, /^the server is stopping/)
  })

  it('is not asked for a caller who has gone already', async () => {
    await refusedWith(ask(AbortSignal.abort()), 499, /gone/)
    assert.equal(existsSync(join(api.volumeRoot, 'executions')), false)
  })

  it('leaves no prompt behind when the control plane does not take the execution', async () => {
    await api.stopControlPlane()
    await assert.rejects(ask())
    assert.deepEqual(readdirSync(join(api.volumeRoot, 'executions')), [])
    await api.startControlPlane()
  })
})
