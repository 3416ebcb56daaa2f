import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { executionPath } from '../../core/execution/layout.ts'
import { PODS, PROJECTS } from '../../kube/resources.ts'
import { aProject } from '../helpers/build.ts'
import { before, done, ended, green, HEAD, inWorld, openChecks, red, verdict } from './checks-world.ts'
import { type World, runSpecOf } from './world.ts'

describe('the checks of a pod', () => {
  let world: World
  beforeEach(async () => void (world = await openChecks()))
  afterEach(() => world.close())
  const { begin, end, act, containers, givenTo, putPod, evict, writeOutcome } = inWorld(() => world)

  it('are shown while they run, and how each ended as soon as it has', async () => {
    const list = ['unit', 'lint'].map((name) => ({ name, run: 'true' }))
    await begin({ checks: list })
    const told = JSON.stringify({ name: 'lint', state: 'Failed', exitCode: 3, seconds: 9, required: false })
    const running = { name: 'check-lint', state: { running: { startedAt: '2026-01-01T00:00:09Z' } } }
    putPod('task-a-1-run', [...before, ended('check-unit', 0, { message: told }), running])
    await world.sync()
    const { checks, phases } = world.execution('task-a-1') ?? {}
    // A check speaks for itself alone.
    assert.deepEqual(checks, [
      { name: 'unit', round: 1, state: 'Failed', exitCode: 3, seconds: 9, startedAt: '2026-01-01T00:00:00Z' },
      { name: 'lint', round: 1, state: 'Running', startedAt: '2026-01-01T00:00:09Z' },
    ])
    assert.deepEqual(
      phases?.map(({ name, finishedAt }) => [name, finishedAt !== undefined]),
      [
        ['prepare', true],
        ['agent', true],
        ['stage', true],
        ['checks', false],
      ],
    )
  })

  it('may run for longer than a container may take to start', async () => {
    await begin()
    putPod('task-a-1-run', [
      ...before,
      { name: 'check-test', state: { running: { startedAt: '2026-01-01T00:00:09Z' } } },
    ])
    await world.clock.advance(3_600_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('are red where one ran out of memory, and the agent is told', async () => {
    await begin()
    await writeOutcome()
    putPod('task-a-1-run', [...before, ended('check-test', 137, { reason: 'OOMKilled' })], 'Failed')
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-1-run-2')).checks?.round, 2)
    assert.match((await givenTo('task-a-1-run-2')).resume, /Check test: ran out of memory/)
  })

  it('go on without one that was killed and holds nothing back', async () => {
    const list = [
      { name: 'slow', run: 'true', required: false },
      { name: 'unit', run: 'true' },
    ]
    await begin({ checks: list })
    await writeOutcome()
    putPod('task-a-1-run', [...before, ended('check-slow', 137, { reason: 'OOMKilled' })], 'Failed')
    await world.sync()
    assert.deepEqual(containers('task-a-1-run-2'), ['prepare', 'agent', 'stage', 'check-unit'])
    assert.equal(runSpecOf(world.job('task-a-1-run-2')).deliverOnly, true)
    await end('task-a-1-run-2', green([verdict('unit', 'Passed')]))
    const { state, checks } = world.task().status ?? {}
    assert.deepEqual(
      [state, checks?.map((check) => [check.name, check.state])],
      [
        'READY',
        [
          ['slow', 'Failed'],
          ['unit', 'Passed'],
        ],
      ],
    )
  })

  it('go on without each of many that are killed, also one whose container never began', async () => {
    const optional = ['a', 'b', 'c', 'd'].map((name) => ({ name, run: 'true', required: false }))
    await begin({ checks: [...optional, { name: 'unit', run: 'true' }] })
    await writeOutcome()
    for (const [n, { name }] of optional.entries()) {
      const how = n === 3 ? { reason: 'StartError', startedAt: undefined } : { reason: 'OOMKilled' }
      putPod(`task-a-1-run${n === 0 ? '' : `-${n + 1}`}`, [...before, ended(`check-${name}`, 137, how)], 'Failed')
      await world.sync()
    }
    assert.deepEqual(containers('task-a-1-run-5'), ['prepare', 'agent', 'stage', 'check-unit'])
    // A pod that is lost then is the first one.
    putPod('task-a-1-run-5', [...before], 'Failed')
    evict('task-a-1-run-5')
    await world.sync()
    await end('task-a-1-run-6', green([verdict('unit', 'Passed')]))
    assert.equal(world.task().status?.state, 'READY')
  })

  it('are asked again, without the agent, when the branch has moved before the push', async () => {
    await begin()
    await writeOutcome()
    const deliver = { ...ended('deliver', 68), image: '', imageID: '', ready: false, restartCount: 0 }
    for (const job of ['task-a-1-run', 'task-a-1-run-2', 'task-a-1-run-3', 'task-a-1-run-4']) {
      putPod(job, [...before, ended('check-test')], 'Failed')
      const pod = world.kube.all(PODS).find(({ metadata }) => metadata.name === `${job}-x`)
      assert.ok(pod)
      world.kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Failed', containerStatuses: [deliver] } })
      await world.sync()
    }
    assert.equal(runSpecOf(world.job('task-a-1-run-4')).deliverOnly, true)
    assert.equal(world.execution('task-a-1')?.restaged, 3)
    const { state, error } = world.task().status ?? {}
    assert.deepEqual([state, error?.category], ['FAILED', 'git'])
    assert.match(error?.message ?? '', /moves faster/)
  })

  it('tell a Job that takes the place of a lost one of a round what is to be mended', async () => {
    await begin()
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    putPod('task-a-1-run-2', [ended('prepare', 137)], 'Failed')
    evict('task-a-1-run-2')
    await world.sync()
    const run = runSpecOf(world.job('task-a-1-run-3'))
    assert.deepEqual([run.deliverOnly, run.checks?.round, run.agent.sessionId], [false, 2, 's-1'])
    assert.match((await givenTo('task-a-1-run-3')).resume, /Check test: exit code 1/)
  })

  it('have nothing delivered of a round whose agent was lost at work, though it had succeeded before', async () => {
    await begin()
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    putPod('task-a-1-run-2', [ended('prepare'), ended('agent', 137)], 'Failed')
    evict('task-a-1-run-2')
    await world.sync()
    assert.equal(world.execution('task-a-1')?.error?.category, 'lost')
    // Lost work is tried again by itself.
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([run.deliverOnly, run.keepClone, run.agent.sessionId], [false, true, 's-1'])
  })

  it('are those that the project has by then, also on the record', async () => {
    const named = (prefix: string) => Array.from({ length: 12 }, (_, n) => ({ name: `${prefix}-${n}`, run: 'true' }))
    await begin({ checks: named('old') })
    await writeOutcome()
    const old = named('old').map(({ name }) => ended(`check-${name}`, 0, { message: '{"state":"Passed"}' }))
    putPod('task-a-1-run', [...before, ...old], 'Failed')
    evict('task-a-1-run')
    world.kube.put(PROJECTS, aProject({ spec: { checks: named('new') } }))
    await world.sync()
    await end('task-a-1-run-2', green(named('new').map(({ name }) => verdict(name, 'Passed'))))
    const { state, checks } = world.task().status ?? {}
    assert.deepEqual([state, checks?.length, checks?.every(({ name }) => name.startsWith('new'))], ['READY', 12, true])
  })

  it('are no longer shown as red on work that was delivered once the project had none', async () => {
    await begin()
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    world.kube.put(PROJECTS, aProject({ spec: {} }))
    putPod('task-a-1-run-2', [ended('prepare', 137)], 'Failed')
    evict('task-a-1-run-2')
    await world.sync()
    assert.deepEqual(containers('task-a-1-run-3'), ['prepare', 'agent'])
    await end('task-a-1-run-3', { outcome: done(0.5), result: { ...done(0.5), pushed: true, head: HEAD } })
    const { state, checks, checksSummary } = world.task().status ?? {}
    assert.deepEqual([state, checks, checksSummary], ['READY', undefined, undefined])
  })

  it('leave no checkouts behind where the pod cannot go on', async () => {
    await begin()
    putPod('task-a-1-run', [
      ...before,
      { name: 'check-test', state: { waiting: { reason: 'ErrImagePull', message: 'no such image' } } },
    ])
    await world.clock.advance(11 * 60_000)
    await world.sync()
    assert.equal(world.task().status?.error?.category, 'unavailable')
    assert.equal(existsSync(join(world.volumeRoot, executionPath('task-a-1'), 'checkouts')), false)
  })

  it('end with the task where that is cancelled while one runs', async () => {
    await begin()
    await writeOutcome()
    putPod('task-a-1-run', [
      ...before,
      { name: 'check-test', state: { running: { startedAt: '2026-01-01T00:00:09Z' } } },
    ])
    await act('cancel')
    const pod = world.kube.all(PODS).find(({ metadata }) => metadata.name === 'task-a-1-run-x')
    assert.ok(pod)
    world.kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Failed' } })
    await world.sync()
    const { state, error, checks } = world.task().status ?? {}
    assert.deepEqual([state, error, checks], ['CANCELLED', undefined, undefined])
  })
})
