/** The operator with our own control plane, node and runner: what the parts do to one another, not what each decides. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import type { TaskSpec, TaskState } from '../../core/crd/types.ts'
import { type ControlPlane, startControlPlane } from '../../embedded/server.ts'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { AGENTS, LEASES, TASKS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { type RunningNode, startNode } from '../../node/main.ts'
import { type RunningOperator, startOperator } from '../../operator/main.ts'
import { aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { RUNNER } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

const run = promisify(execFile)
const logger = makeLogger('silent')
const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('the operator on our own control plane', () => {
  let dir: string
  let server: ControlPlane
  let client: ApiClient
  let node: RunningNode
  let operator: RunningOperator

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'slipway-stack-'))
    await mkdir(join(dir, 'volume'))
    await makeRepository(dir)
    const crds = await readCrds()
    const common = { clock: systemClock, logger, randomBytes }
    server = await startControlPlane({ ...common, storeDir: join(dir, 'store'), crds, host: '127.0.0.1', port: 0 })
    const config = await loadKubeConfig({ kind: 'content', content: server.kubeconfig })
    client = createClient(config, { userAgent: 'test', fieldManager: 'test', requestTimeoutMs: 30_000 })
    const claims = { data: join(dir, 'volume') }
    const secretsRoot = join(dir, 'secrets')
    const how = { dir: join(dir, 'node'), claims, secretsRoot, imagePaths: [], runtime: 'process' } as const
    node = await startNode({ ...common, client, name: 'local', ...how })
    operator = await start()
    await client.create(AGENTS, anAgent())
  })

  after(async () => {
    await operator.stop()
    await node.stop({ endPods: true })
    await client.close()
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  })

  const start = async (): Promise<RunningOperator> => {
    const started = await startOperator({
      client,
      namespaces: [NAMESPACE],
      identity: 'test',
      volumeRoot: join(dir, 'volume'),
      volumeClaim: 'data',
      credentialsRoot: join(dir, 'secrets'),
      runnerCommand: [process.execPath, RUNNER],
      image: 'slipway',
      installation: { isolation: 'none', allowUnsandboxed: false, embedded: true },
      clock: systemClock,
      logger,
      random: Math.random,
      leaderElection: true,
    })
    await started.ready
    return started
  }
  const create = async (name: string, instructions: string, spec: Partial<TaskSpec> = {}) => {
    const { metadata, ...task } = aTask({
      name,
      spec: { repositoryUrl: join(dir, 'repo.git'), runPolicy: 'Auto', ...spec },
    })
    const agent = { type: 'script', instructions }
    await client.create(TASKS, {
      ...task,
      metadata: { name: metadata.name, namespace: NAMESPACE },
      spec: { ...task.spec, agent },
    })
  }
  const get = (name: string) => client.get(TASKS, { namespace: NAMESPACE, name })
  const reaches = (name: string, state: TaskState) =>
    until(`${name} is ${state}`, async () => (await get(name)).status?.state === state)
  const pushed = async (branch: string) =>
    (await run('git', ['-C', join(dir, 'repo.git'), 'log', '--format=%s', branch])).stdout

  it('brings two script tasks, one depending on the other, to READY and pushes their work', async () => {
    await create('second', 'echo two > two.txt', { dependsOn: ['first'] })
    await create('first', 'echo one > one.txt')
    await reaches('second', 'READY')
    assert.deepEqual(
      [await pushed('slipway/first'), await pushed('slipway/second')],
      ['A task\nstart\n', 'A task\nstart\n'],
    )
    await until('the slot is free', async () => {
      const lease = await client.get(LEASES, { namespace: NAMESPACE, name: 'slipway-slot-script-1' })
      return lease.spec?.holderIdentity === ''
    })
  })

  it('leaves a running Job alone when it stops, and takes its result when it starts again', async () => {
    await create('long', `touch ${dir}/begun; until [ -e ${dir}/go ]; do sleep 0.05; done; echo done > done.txt`)
    await until('the script runs', async () => (await readdir(dir)).includes('begun'))
    await operator.stop()
    await writeFile(join(dir, 'go'), '')
    await until(
      'the work is pushed',
      async () => (await pushed('--all')).split('\n').filter((subject) => subject === 'A task').length > 2,
    )
    assert.equal((await get('long')).status?.state, 'RUNNING')
    operator = await start()
    await reaches('long', 'READY')
    assert.equal((await get('long')).status?.executions, 1)
  })

  it('ends the processes of a task that is cancelled by annotation', async () => {
    await create('endless', `echo $$ > ${dir}/pid; sleep 600`)
    await until('the script runs', async () => (await readdir(dir)).includes('pid'))
    const patch = { metadata: { annotations: { 'slipway.dev/action': 'cancel' } } }
    await client.mergePatch(TASKS, { namespace: NAMESPACE, name: 'endless' }, patch)
    await reaches('endless', 'CANCELLED')
    const pid = Number(await readFile(join(dir, 'pid'), 'utf8'))
    await until('the process is gone', () => !isAlive(pid))
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function readCrds(): Promise<unknown[]> {
  const folder = join(root, 'crds')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  return Promise.all(files.map(async (name): Promise<unknown> => parse(await readFile(join(folder, name), 'utf8'))))
}

async function makeRepository(dir: string): Promise<void> {
  const work = join(dir, 'work')
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
  await run('git', ['init', '--quiet', '-b', 'main', work])
  await run('git', ['-C', work, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'start'])
  await run('git', ['clone', '--quiet', '--bare', work, join(dir, 'repo.git')])
}
