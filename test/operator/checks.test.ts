import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkoutPath, checkResultPath, executionPath } from '../../core/execution/layout.ts'
import { checkOut, handBack } from '../../core/task/take-over.ts'
import { addMs, parseTimestamp, toTimestamp } from '../../core/time.ts'
import { AGENTS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { aProject } from '../helpers/build.ts'
import { green, HEAD, inWorld, openChecks, red, verdict } from './checks-world.ts'
import { type World, runSpecOf } from './world.ts'

describe('the checks of a project', () => {
  let world: World
  beforeEach(async () => void (world = await openChecks()))
  afterEach(() => world.close())
  const { begin, end, act, containers, givenTo } = inWorld(() => world)

  it('run behind the agent, in folders that are there before the pod', async () => {
    await begin()
    assert.deepEqual(containers('task-a-1-run'), ['prepare', 'agent', 'stage', 'check-test'])
    for (const path of [checkoutPath('test'), checkResultPath(1, 'test')])
      assert.ok(existsSync(join(world.volumeRoot, executionPath('task-a-1'), path)), path)
  })

  it('let work be delivered that they find green, and say so', async () => {
    await begin()
    await end('task-a-1-run', green([verdict('test', 'Passed')]))
    const { state, checks } = world.task().status ?? {}
    assert.deepEqual(
      [state, checks?.map((check) => [check.name, check.state, check.commit])],
      ['READY', [['test', 'Passed', HEAD]]],
    )
  })

  it('have the agent mend what is red, in its session, told the end of what the check printed', async () => {
    await begin()
    const printed = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join('\n')
    await writeFile(
      join(world.volumeRoot, executionPath('task-a-1'), checkResultPath(1, 'test'), 'output.log'),
      printed,
    )
    await world.clock.advance(60_000)
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    assert.equal(world.task().status?.state, 'RUNNING')
    const { rounds, roundStartedAt, startedAt = '', checks, costUSD } = world.execution('task-a-1') ?? {}
    assert.equal(roundStartedAt, toTimestamp(addMs(parseTimestamp(startedAt), 60_000)))
    assert.deepEqual([rounds, checks?.map(({ state, round }) => [state, round]), costUSD], [2, [['Failed', 1]], 0.4])
    const run = runSpecOf(world.job('task-a-1-run-2'))
    assert.deepEqual(
      [run.keepClone, run.deliverOnly, run.agent.sessionId, run.checks?.round, run.budgetUSD],
      [true, false, 's-1', 2, 4.6],
    )
    const { resume, prompt = '' } = await givenTo('task-a-1-run-2')
    for (const told of [resume, prompt]) {
      assert.match(told, /Check test: exit code 1/)
      assert.match(told, /line 2999\n/)
      assert.match(told, /cannot read the 2,\d+ lines before/)
      assert.doesNotMatch(told, /line 1000\n/)
    }
    assert.match(prompt, /# A task/)
    assert.ok(world.events.some(({ reason, message }) => reason === 'ChecksFailed' && /test/.test(message)))
    await end('task-a-1-run-2', green([verdict('test', 'Passed')], 0.9))
    const task = world.task().status
    assert.deepEqual(
      [task?.state, task?.costUSD, task?.checks?.map(({ state, round }) => [state, round])],
      ['READY', 0.9, [['Passed', 2]]],
    )
    assert.deepEqual(
      world.execution('task-a-1')?.checks?.map(({ state, round }) => [state, round]),
      [
        ['Failed', 1],
        ['Passed', 2],
      ],
    )
  })

  it('end the task as FAILED after the last round, which drains nobody and is tried by nobody again', async () => {
    await begin({ maxCheckRounds: 1 })
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    assert.match((await givenTo('task-a-1-run-2')).resume, /for the last time before a person decides/)
    await end('task-a-1-run-2', red([verdict('test', 'TimedOut', { seconds: 90 })]))
    const { state, error, resumeAfter, checks } = world.task().status ?? {}
    assert.deepEqual(
      [state, error?.category, resumeAfter, checks?.[0]?.state],
      ['FAILED', 'checks', undefined, 'TimedOut'],
    )
    assert.deepEqual(
      world.kube.all(AGENTS)[0]?.status?.outcomes?.map(({ counted }) => counted),
      ['Ignored'],
    )
    assert.ok(!existsSync(join(world.volumeRoot, executionPath('task-a-1'), 'checkouts')))
    assert.ok(existsSync(join(world.volumeRoot, executionPath('task-a-1'), checkResultPath(2, 'test'))))
  })

  for (const [why, spec, budget] of [
    ['nobody may be asked', { maxCheckRounds: 0 }, undefined],
    ['the budget is spent', {}, 5],
  ] as const)
    it(`make no round where ${why}`, async () => {
      await begin(spec)
      await end('task-a-1-run', red([verdict('test', 'Failed')], budget))
      assert.deepEqual([world.task().status?.state, world.job('task-a-1-run-2')], ['FAILED', undefined])
    })

  it('are asked again when the task is resumed, and begin rounds anew', async () => {
    await begin({ maxCheckRounds: 0 })
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    world.kube.put(PROJECTS, aProject({ spec: { checks: [{ name: 'test', run: 'npm test' }] } }))
    await act('resume')
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([run.deliverOnly, run.checks?.round], [true, 1])
    assert.ok(containers('task-a-2-run').includes('check-test'))
    await end('task-a-2-run', red([verdict('test', 'Failed')]))
    const mending = runSpecOf(world.job('task-a-2-run-2'))
    assert.deepEqual([mending.deliverOnly, mending.checks?.round, mending.agent.sessionId], [false, 2, 's-1'])
  })

  it('are not asked where a person has waived them, by name and for a reason', async () => {
    await begin({ maxCheckRounds: 0 })
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    await act('waive', 'the test is wrong')
    const run = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([run.deliverOnly, run.checks, containers('task-a-2-run')], [true, undefined, ['prepare', 'agent']])
    await end('task-a-2-run', { result: { pushed: true, head: HEAD } })
    const { state, checksWaived, checks } = world.task().status ?? {}
    assert.deepEqual(
      [state, checksWaived?.by, checksWaived?.reason, checks?.[0]?.state],
      ['READY', 'kubectl (annotation)', 'the test is wrong', 'Failed'],
    )
    await act('revise', 'mend it')
    assert.equal(world.task().status?.checksWaived, undefined)
    assert.ok(containers('task-a-3-run').includes('check-test'))
  })

  it('may be waived again where the delivery without them has failed', async () => {
    await begin({ maxCheckRounds: 0 })
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    await act('waive', 'the test is wrong')
    const error = { category: 'git', message: 'the host refuses the password' } as const
    await end('task-a-2-run', { result: { outcome: 'failed', pushed: false, error } })
    await act('waive', 'still wrong')
    assert.deepEqual(containers('task-a-3-run'), ['prepare', 'agent'])
  })

  it('ask no agent to mend what a person has handed back for review', async () => {
    await begin()
    await end('task-a-1-run', green([verdict('test', 'Passed')]))
    const at = world.clock.now()
    const held = checkOut(world.task(), { by: 'ann', at })
    assert.ok(held.kind === 'allowed')
    const back = handBack({ ...world.task(), status: held.status }, { by: 'ann', at, head: 'b'.repeat(40) }, undefined)
    assert.ok(back.kind === 'allowed')
    world.kube.put(TASKS, { ...world.task(), status: back.status })
    await world.sync()
    assert.ok(containers('task-a-2-run').includes('check-test'))
    await end('task-a-2-run', red([verdict('test', 'Failed')]))
    assert.deepEqual([world.task().status?.state, world.job('task-a-2-run-2')], ['FAILED', undefined])
  })

  it('say so where nothing is left that could be delivered', async () => {
    await begin({ maxCheckRounds: 0 })
    await world.endJob('task-a-1-run', red([verdict('test', 'Failed')]))
    await world.sync()
    await rm(join(world.volumeRoot, 'sandboxes'), { recursive: true })
    await act('waive')
    const { state, error } = world.task().status ?? {}
    assert.deepEqual([state, error?.category], ['FAILED', 'git'])
    assert.match(error?.message ?? '', /clone .* is gone/)
  })
})
