import assert from 'node:assert/strict'
import type { TaskStatus } from '../../core/crd/types.ts'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }
const error = { category: 'quota', message: 'Credit balance is too low' } as const
const UNPAID = {
  outcome: { outcome: 'budget_exceeded', error },
  result: { outcome: 'budget_exceeded', pushed: false, error },
} as const
const HOUR_MS = 3_600_000

describe('an agent whose credit is gone', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    // An empty line, always idle: without a limit it would be chosen again and again.
    world.kube.put(AGENTS, anAgent({ name: 'broke', spec: { adapter: 'claude', credentials: {} } }))
    world.kube.put(AGENTS, anAgent({ name: 'rich', spec: { adapter: 'claude', credentials: {}, maxConcurrent: 5 } }))
  })
  afterEach(() => world.close())

  const given = (name: string, agent = {}) => world.kube.put(TASKS, aTask({ name, spec: { agent }, status: QUEUED }))
  const agentOf = (name: string) => world.task(name).status?.agent?.type
  const broke = () => world.kube.all(AGENTS).find(({ metadata }) => metadata.name === 'broke')?.status

  async function passHours(hours: number): Promise<void> {
    await world.clock.advance(hours * HOUR_MS)
    await syncAgent(world.context, { namespace: NAMESPACE, name: 'broke' })
    await world.sync()
  }

  it('gets none of the unnamed tasks, tells when it is limited, and is tried by one task when that is over', async () => {
    given('first', { type: 'broke' })
    await world.sync()
    await world.endJob('first-1-run', UNPAID)
    await world.sync()
    const { status } = world.task('first')
    assert.deepEqual([status?.state, status?.resumeAfter], ['BUDGET_EXCEEDED', broke()?.rateLimitedUntil])
    for (const name of ['a', 'b', 'c']) given(name)
    await world.sync()
    assert.deepEqual(['a', 'b', 'c'].map(agentOf), ['rich', 'rich', 'rich'])
    assert.match(world.task('a').status?.agent?.reason ?? '', /Passed over: broke \(rate limited until/)
    given('second', { type: 'broke' })
    await world.sync()
    assert.equal(world.task('second').status?.state, 'QUEUED')
    await passHours(1)
    const states = () => ['first', 'second'].map((name) => world.task(name).status?.state ?? '').sort()
    assert.deepEqual(states(), ['QUEUED', 'RUNNING'])
    assert.deepEqual(
      broke()?.events?.map(({ kind }) => kind),
      ['rate_limited', 'recovered'],
    )
    const trying = ['first', 'second'].find((name) => world.task(name).status?.state === 'RUNNING') ?? ''
    await world.endJob(`${world.task(trying).status?.execution ?? ''}-run`, UNPAID)
    await world.sync()
    assert.deepEqual([states(), broke()?.assumedLimit?.level], [['BUDGET_EXCEEDED', 'QUEUED'], 2])
    await passHours(3.9)
    assert.deepEqual(states(), ['BUDGET_EXCEEDED', 'QUEUED'])
    await passHours(0.2)
    assert.deepEqual(states(), ['QUEUED', 'RUNNING'])
  })
})
