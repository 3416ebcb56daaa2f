import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, TaskStatus } from '../../core/crd/types.ts'
import { checkoutPath, checkResultPath, executionPath, givenFile } from '../../core/execution/layout.ts'
import type { Given } from '../../core/execution/given.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import { checkOut, handBack } from '../../core/task/take-over.ts'
import { AGENTS, JOBS, PODS, PROJECTS, SECRETS, TASKS } from '../../kube/resources.ts'
import type { ContainerStatus } from '../../kube/builtin.ts'
import { aPod, aProject, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type JobEnd, type World, openWorld, runSpecOf } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }
const HEAD = 'a'.repeat(40)

type Verdicts = NonNullable<ExecutionResult['checks']>

const verdict = (name: string, state: Verdicts[number]['state'], parts: Partial<Verdicts[number]> = {}) => ({
  name,
  state,
  required: true,
  commit: HEAD,
  seconds: 4,
  ...(state === 'Failed' ? { exitCode: 1 } : {}),
  ...parts,
})

const done = (costUSD: number) => ({ outcome: 'succeeded', sessionId: 's-1', costUSD }) as const

/** As deliver leaves it where a check is red. */
function red(checks: Verdicts, costUSD = 0.4): JobEnd {
  const error = { category: 'checks', message: 'check test is red: exit code 1' } as const
  return { outcome: done(costUSD), result: { ...done(costUSD), outcome: 'failed', pushed: false, error, checks } }
}

function green(checks: Verdicts, costUSD = 0.4): JobEnd {
  return { outcome: done(costUSD), result: { ...done(costUSD), pushed: true, head: HEAD, checks } }
}

describe('the checks of a project', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    const credentials = { secretName: 'login', env: [{ name: 'KEY', key: 'key' }] }
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials } }))
    const metadata = { name: 'login', namespace: NAMESPACE, labels: { 'slipway.dev/usable-by': 'agent' } }
    world.kube.put(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'a2V5' } })
  })
  afterEach(() => world.close())

  async function begin(spec: Partial<Project['spec']> = {}): Promise<void> {
    const checks = [{ name: 'test', run: 'npm test' }]
    world.kube.put(PROJECTS, aProject({ spec: { checks, ...spec } }))
    world.given({ status: QUEUED, spec: { project: 'project-a', agent: { type: 'claude' }, budgetUSD: 5 } })
    await world.sync()
  }

  async function end(job: string, how: JobEnd): Promise<void> {
    await world.endJob(job, how)
    await world.sync()
  }

  const act = async (action: string, comment = 'because'): Promise<void> => {
    await world.clock.advance(1_000)
    world.annotate('task-a', { 'slipway.dev/action': action, 'slipway.dev/comment': comment })
    await world.sync()
  }

  const containers = (job: string): string[] =>
    (world.job(job)?.spec.template.spec.initContainers ?? []).map(({ name }) => name)

  async function givenTo(job: string): Promise<Given> {
    const { execution, given = '' } = runSpecOf(world.job(job))
    const path = join(world.volumeRoot, executionPath(execution), givenFile(given))
    return JSON.parse(await readFile(path, 'utf8')) as Given
  }

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
    await end('task-a-1-run', red([verdict('test', 'Failed')]))
    assert.equal(world.task().status?.state, 'RUNNING')
    const { rounds, checks, costUSD } = world.execution('task-a-1') ?? {}
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

  function putPod(job: string, statuses: Partial<ContainerStatus>[], phase: 'Running' | 'Failed' = 'Running'): void {
    const { spec } = world.job(job)?.spec.template ?? {}
    assert.ok(spec)
    const initContainerStatuses = statuses.map((status) => ({
      name: '',
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      ...status,
    }))
    const { initContainers = [], containers: main } = spec
    world.kube.put(
      PODS,
      aPod({ job, spec: { initContainers, containers: main }, status: { phase, initContainerStatuses } }),
    )
    const found = world.job(job)
    if (phase === 'Failed' && found !== undefined)
      world.kube.put(JOBS, { ...found, status: { conditions: [{ type: 'Failed', status: 'True' }] } })
  }

  function evict(job: string): void {
    const pod = world.kube.all(PODS).find(({ metadata }) => metadata.name === `${job}-x`)
    assert.ok(pod)
    world.kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Failed', reason: 'Evicted' } })
  }

  const ended = (name: string, exitCode = 0, parts: object = {}) => ({
    name,
    state: {
      terminated: { exitCode, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:09Z', ...parts },
    },
  })
  const before = [ended('prepare'), ended('agent'), ended('stage')]

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

  /** As the agent's step of the first Job leaves it. */
  async function writeOutcome(): Promise<void> {
    const at = world.clock.now().toISOString()
    const folder = join(world.volumeRoot, executionPath('task-a-1'), 'agent')
    await mkdir(folder, { recursive: true })
    await mkdir(join(world.volumeRoot, 'sandboxes/task-a/repo/.git'), { recursive: true })
    const identity = { schemaVersion: 1, execution: 'task-a-1', jobNumber: 1, startedAt: at, finishedAt: at }
    await writeFile(join(folder, 'outcome.json'), JSON.stringify({ ...identity, ...done(0.4) }))
  }

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
