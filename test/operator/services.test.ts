import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectService } from '../../core/crd/types.ts'
import { addMs, parseTimestamp } from '../../core/time.ts'
import type { ContainerStatus, Pod } from '../../kube/builtin.ts'
import { AGENTS, PODS, PROJECTS } from '../../kube/resources.ts'
import { readServices } from '../../operator/execution/services.ts'
import { aPod, aProject, anAgent, NAMESPACE } from '../helpers/build.ts'
import { syncProject } from '../../operator/project/controller.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { type World, openWorld } from './world.ts'

const DB: ProjectService = {
  name: 'test-db',
  image: 'postgres:17',
  env: [{ name: 'POSTGRES_HOST_AUTH_METHOD', value: 'trust' }],
  ports: [5432],
  ready: { exec: ['pg_isready'] },
  resources: { limits: { memory: '1Gi', cpu: 1 } },
}

const AT = '2026-01-01T00:00:05Z'
const running = { started: true, state: { running: { startedAt: AT } } }
const ended = { state: { terminated: { exitCode: 0, startedAt: '2026-01-01T00:00:01Z', finishedAt: AT } } }

describe('services of a project beside an agent', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ embedded: false })
    world.kube.put(AGENTS, anAgent())
    start([DB, { name: 'queue', image: 'redis:8' }])
    await world.sync()
  })
  afterEach(() => world.close())

  function start(services: readonly ProjectService[]): void {
    world.kube.put(PROJECTS, aProject({ spec: { services } }))
    world.given({ spec: { project: 'project-a' }, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
  }

  const template = () => world.job('task-a-1-run')?.spec.template.spec
  const container = (name: string) => template()?.initContainers?.find((one) => one.name === name)

  /** The pod as a kubelet would tell of it. */
  const put = (statuses: readonly Partial<ContainerStatus>[], rest: Partial<NonNullable<Pod['status']>> = {}) =>
    world.kube.put(
      PODS,
      aPod({
        job: 'task-a-1-run',
        spec: template() ?? { containers: [] },
        status: { phase: 'Pending', initContainerStatuses: statuses as readonly ContainerStatus[], ...rest },
      }),
    )

  const kept = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(world.volumeRoot, 'executions/task-a-1/services.json'), 'utf8'))

  it('start after prepare, before the agent, and run until the pod ends', () => {
    const order = template()?.initContainers?.map(({ name, restartPolicy }) => [name, restartPolicy])
    assert.deepEqual(order, [
      ['prepare', undefined],
      ['service-test-db', 'Always'],
      ['service-queue', 'Always'],
      ['agent', undefined],
    ])
  })

  it('run nowhere if two have the same port, and the execution says which', async () => {
    start([DB, { name: 'queue', image: 'redis:8', ports: [1, 5432] }])
    await world.endJob('task-a-1-run')
    world.given({ metadata: { name: 'task-b' }, spec: { project: 'project-a' }, status: { state: 'QUEUED' } })
    await world.sync('task-a', 'task-b')
    assert.match(
      world.execution('task-b-1')?.error?.message ?? '',
      /^services test-db and queue of project project-a both have port 5432/,
    )
  })

  it('are not what others inject under a longer name', () => {
    const initContainers = ['service-db', `service-${'x'.repeat(31)}`].map((name) => ({ name, image: 'proxy' }))
    const pod = aPod({ job: 'task-a-1-run', spec: { initContainers, containers: [] }, status: { phase: 'Pending' } })
    assert.deepEqual(
      readServices(pod).map(({ name }) => name),
      ['db'],
    )
  })

  it('mount nothing and get no credentials, and no right that the pod has not', () => {
    const { volumeMounts, env, securityContext, resources } = container('service-test-db') ?? {}
    assert.deepEqual([volumeMounts, env], [undefined, DB.env])
    assert.equal(securityContext?.allowPrivilegeEscalation, false)
    assert.deepEqual(resources, { limits: { memory: '1Gi', cpu: '1' } })
  })

  it('keep the agent waiting until they are ready: by what the project says, else by their first port', async () => {
    assert.deepEqual(container('service-test-db')?.startupProbe?.exec, { command: ['pg_isready'] })
    assert.equal(container('service-queue')?.startupProbe, undefined)
    world.kube.put(PROJECTS, aProject({ spec: { services: [{ name: 'queue', image: 'redis:8', ports: [6379] }] } }))
    world.given({ metadata: { name: 'task-b' }, spec: { project: 'project-a' }, status: { state: 'QUEUED' } })
    await world.endJob('task-a-1-run')
    await world.sync('task-a', 'task-b')
    const pod = world.job('task-b-1-run')?.spec.template.spec
    const queue = pod?.initContainers?.find(({ name }) => name === 'service-queue')
    assert.deepEqual(queue?.startupProbe?.tcpSocket, { port: 6379 })
  })

  it('are found by the agent, and by what it starts, through their variables', () => {
    const { env = [] } = container('agent') ?? {}
    const own = env.filter(({ name }) => name.startsWith('SERVICE_')).map(({ name, value }) => `${name}=${value ?? ''}`)
    assert.deepEqual(own, [
      'SERVICE_TEST_DB_HOST=127.0.0.1',
      'SERVICE_TEST_DB_PORT=5432',
      'SERVICE_QUEUE_HOST=127.0.0.1',
    ])
    const told: unknown = JSON.parse(env.find(({ name }) => name === 'SLIPWAY_RUN')?.value ?? '')
    assert.deepEqual(
      (told as { passEnv?: unknown }).passEnv,
      own.map((one) => one.split('=')[0]),
    )
  })

  it('are said to be what the agent waits for, with the reason', async () => {
    const waiting = { reason: 'ErrImagePull', message: 'no such image\n' }
    put([
      { name: 'prepare', ...ended },
      { name: 'service-test-db', state: { waiting } },
    ])
    await world.sync()
    const text = 'service test-db does not start: ErrImagePull (image postgres:17): no such image'
    assert.equal(world.execution('task-a-1')?.waitingFor, text)
  })

  it('are said to be what it waits for once one that runs is not ready for a minute, until it is', async () => {
    const prepared = { name: 'prepare', ...ended }
    put([prepared, { name: 'service-test-db', started: false, state: { running: { startedAt: AT } } }])
    await world.sync()
    assert.equal(world.execution('task-a-1')?.waitingFor, undefined)
    const lookAt = await syncTask(world.context, { namespace: NAMESPACE, name: 'task-a' })
    assert.deepEqual(lookAt, addMs(parseTimestamp(AT), 60_000))
    await world.clock.advance(66_000)
    await world.sync()
    const text = "service test-db runs and is not ready, as the project's services[].ready says (image postgres:17)"
    assert.equal(world.execution('task-a-1')?.waitingFor, text)
    put([prepared, ...['service-test-db', 'service-queue'].map((name) => ({ name, ...running }))])
    await world.sync()
    assert.equal(world.execution('task-a-1')?.waitingFor, undefined)
  })

  it('are not said to run while their image is still pulled, however late', async () => {
    const waiting = { reason: 'PodInitializing' }
    put([
      { name: 'prepare', ...ended },
      { name: 'service-test-db', state: { waiting } },
    ])
    await world.clock.advance(2 * 60_000)
    await world.sync()
    assert.equal(world.execution('task-a-1')?.waitingFor, undefined)
    await world.clock.advance(9 * 60_000)
    await world.sync()
    const { message } = world.task().status?.error ?? {}
    assert.match(message ?? '', /^service test-db does not start: PodInitializing \(image postgres:17\)/)
  })

  it('fail the execution when one is not ready within 10 minutes, by its name, and leave what it printed', async () => {
    world.kube.logs.set('service-test-db', 'waits for its disk\n')
    put([
      { name: 'prepare', ...ended },
      { name: 'service-test-db', started: false, state: { running: { startedAt: AT } } },
    ])
    await world.clock.advance(11 * 60_000)
    await world.sync()
    const { state, error } = world.task().status ?? {}
    assert.equal(state, 'FAILED')
    assert.match(
      error?.message ?? '',
      /^service test-db runs and is not ready, as the project's services\[\]\.ready says/,
    )
    assert.deepEqual(await kept(), [
      { name: 'test-db', log: 'waits for its disk\n' },
      { name: 'queue', log: '' },
    ])
  })

  it('have a phase of their own between clone and agent', async () => {
    put([
      { name: 'prepare', ...ended },
      { name: 'service-test-db', started: true, restartCount: 0, state: { running: { startedAt: AT } } },
      { name: 'agent', state: { running: { startedAt: '2026-01-01T00:00:09Z' } } },
    ])
    await world.sync()
    const phase = world.execution('task-a-1')?.phases?.find(({ name }) => name === 'services')
    assert.deepEqual(phase, { name: 'services', startedAt: AT, finishedAt: '2026-01-01T00:00:09Z' })
  })

  it('are told on the execution and by one Event when they die under the agent', async () => {
    const dead = { terminated: { exitCode: 137, reason: 'OOMKilled' } }
    const statuses = [
      { name: 'prepare', ...ended },
      {
        name: 'service-test-db',
        started: true,
        restartCount: 1,
        state: { running: { startedAt: AT } },
        lastState: dead,
      },
      { name: 'agent', state: { running: { startedAt: AT } } },
    ]
    put(statuses)
    await world.sync()
    await world.sync()
    assert.deepEqual(world.execution('task-a-1')?.services, [{ name: 'test-db', restarts: 1, reason: 'OOMKilled' }])
    const told = world.events.filter(({ reason }) => reason === 'ServiceRestarted').map(({ message }) => message)
    assert.deepEqual(told, ['service test-db was started again 1 time (OOMKilled)'])
  })

  it('leave the ends of their logs beside the agent’s when the execution ends, and why one is not there', async () => {
    world.kube.logs.set('service-test-db', 'FATAL: role "root" does not exist\n')
    await world.endJob('task-a-1-run', { jobLags: true })
    put(
      [
        { name: 'prepare', ...ended },
        { name: 'service-test-db', ...running },
        { name: 'service-queue', ...running },
        { name: 'agent', ...ended },
      ],
      { phase: 'Running', containerStatuses: [{ name: 'deliver', ...ended }] as unknown as ContainerStatus[] },
    )
    await world.sync()
    assert.equal(world.task().status?.state, 'READY')
    assert.deepEqual(await kept(), [
      { name: 'test-db', log: 'FATAL: role "root" does not exist\n' },
      { name: 'queue', log: '', problem: 'container service-queue is not available' },
    ])
  })

  it('leave them when the task is cancelled, before their pod is deleted', async () => {
    world.kube.logs.set('service-test-db', 'ready\n').set('service-queue', '')
    put([
      { name: 'service-test-db', ...running },
      { name: 'service-queue', ...running },
    ])
    await world.sync()
    const task = world.task()
    world.given({ spec: task.spec, status: { ...task.status, cancelRequestedAt: AT } })
    await world.sync()
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.deepEqual(await kept(), [
      { name: 'test-db', log: 'ready\n' },
      { name: 'queue', log: '' },
    ])
  })

  it('are ended with the Job once the delivery has ended, and then hold no slot', async () => {
    await world.endJob('task-a-1-run', { jobLags: true })
    const pod = put(
      [
        { name: 'prepare', ...ended },
        { name: 'service-test-db', started: true, state: { running: { startedAt: AT } } },
        { name: 'agent', ...ended },
      ],
      { phase: 'Running', containerStatuses: [{ name: 'deliver', ...ended }] as unknown as ContainerStatus[] },
    )
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.job('task-a-1-run')], ['READY', undefined])
    world.kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Succeeded' } })
    await world.sync()
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })
})

describe('services of a project on one machine', () => {
  it('make the project Stalled, with the way out', async () => {
    for (const [embedded, expected] of [
      [
        true,
        [
          ['Ready', 'False'],
          ['Stalled', 'True'],
        ],
      ],
      [false, [['Ready', 'True']]],
    ] as const) {
      const world = await openWorld({ embedded })
      try {
        const { metadata } = world.kube.put(
          PROJECTS,
          aProject({ spec: { services: [DB], remoteUrl: 'https://h/a.git' } }),
        )
        await syncProject(world.context, { namespace: NAMESPACE, name: metadata.name })
        const { conditions = [] } = world.kube.all(PROJECTS)[0]?.status ?? {}
        assert.deepEqual(
          conditions.map(({ type, status }) => [type, status]),
          expected,
        )
        if (embedded) assert.match(conditions[1]?.message ?? '', /run in a cluster only.*take spec\.services out/)
      } finally {
        await world.close()
      }
    }
  })

  it('are refused before anything starts, with the way out', async () => {
    const world = await openWorld()
    try {
      world.kube.put(AGENTS, anAgent())
      world.kube.put(PROJECTS, aProject({ spec: { services: [DB] } }))
      world.given({ spec: { project: 'project-a' }, status: { state: 'QUEUED' } })
      await world.sync()
      const { state, error } = world.task().status ?? {}
      assert.deepEqual([state, error?.category, world.job('task-a-1-run')], ['FAILED', 'unavailable', undefined])
      assert.match(
        error?.message ?? '',
        /has services \(test-db\), which run in a cluster only.*take spec\.services out/,
      )
    } finally {
      await world.close()
    }
  })
})
