import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Pod } from '../../kube/builtin.ts'
import { CONTAINER_VARIABLE, findProcessesByEnvironment, signalProcess } from '../../lib/process.ts'
import { type ContainerPaths, containerPaths, podsDir } from '../../node/layout.ts'
import { type Pids, parsePids } from '../../node/pids.ts'
import { until } from '../helpers/until.ts'
import { type GivenNode, givenNode, hurried, newRoot } from './given.ts'

const HOST = fileURLToPath(new URL('host.js', import.meta.url))

/** Runs a pod on a node in a process of its own, and kills that process while the pod runs. */
async function killedHost(root: string, script: string): Promise<Pod> {
  const host = spawn(process.execPath, [HOST, root, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(host.stdout), 'line')
  host.kill('SIGKILL')
  await once(host, 'exit')
  return JSON.parse(String(line)) as Pod
}

describe('a node after the kill -9 of its process', () => {
  let root: string
  let given: GivenNode | undefined
  beforeEach(async () => {
    root = await newRoot()
  })
  afterEach(async () => {
    await given?.end()
    given = undefined
    await rm(root, { recursive: true, force: true })
  })

  /** What the shim wrote down; it does so a moment after the pod counts as running. */
  async function pidsOf(pod: Pod): Promise<{ paths: ContainerPaths; pids: Pids }> {
    const paths = containerPaths(join(root, 'node'), pod.metadata.uid ?? '', 'main')
    const read = () => (existsSync(paths.pids) ? parsePids(readFileSync(paths.pids, 'utf8')) : undefined)
    await until('the shim has written its pids', () => read() !== undefined)
    const pids = read()
    assert.ok(pids)
    return { paths, pids }
  }

  it('takes over what still runs and reports its exit code', async () => {
    const gate = join(root, 'gate')
    const pod = await killedHost(root, `until [ -e ${gate} ]; do sleep 0.02; done; echo later; exit 9`)
    given = await givenNode({ root, pods: [pod] })
    assert.equal((await given.running('pod')).status?.startTime, pod.status?.startTime)
    await writeFile(gate, '')
    const ended = await given.finished('pod')
    assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 9)
    assert.equal(await readFile(containerPaths(given.dir, pod.metadata.uid ?? '', 'main').log, 'utf8'), 'later\n')
  })

  it('takes over what runs without a file of its pids, as before its shim has got so far, or on a full disk', async () => {
    const gate = join(root, 'gate')
    const pod = await killedHost(root, `until [ -e ${gate} ]; do sleep 0.02; done; exit 9`)
    await rm((await pidsOf(pod)).paths.pids)
    given = await givenNode({ root, pods: [pod] })
    await writeFile(gate, '')
    const ended = await given.finished('pod')
    assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 9)
  })

  it('ends what runs without a file of its pids, and not the shim that is to see the end', async () => {
    const pod = await killedHost(root, `trap 'exit 9' TERM; while :; do sleep 0.02; done`)
    await rm((await pidsOf(pod)).paths.pids)
    given = await givenNode({
      root,
      pods: [{ ...pod, spec: { ...pod.spec, activeDeadlineSeconds: 0 } }],
      clock: hurried,
    })
    const ended = await given.finished('pod')
    assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 9)
  })

  it('leaves the start of what still runs as the API was told', async () => {
    const told = await killedHost(root, 'sleep 60')
    const [status] = told.status?.containerStatuses ?? []
    assert.ok(status)
    const startedAt = '2026-01-02T03:04:05Z'
    const containerStatuses = [{ ...status, state: { running: { startedAt } } }]
    // So that it is seen when the node has told the API what it found.
    const phase = 'Pending' as const
    given = await givenNode({ root, pods: [{ ...told, status: { ...told.status, phase, containerStatuses } }] })
    const found = await given.running('pod')
    assert.equal(found.status?.containerStatuses?.[0]?.state?.running?.startedAt, startedAt)
  })

  it('takes for the start of what still runs, where the API was not told, when it began', async () => {
    const { status: _, ...pod } = await killedHost(root, 'sleep 60')
    const { paths } = await pidsOf(pod)
    const began = new Date('2026-01-02T03:04:05Z')
    await utimes(paths.pids, began, began)
    given = await givenNode({ root, pods: [pod] })
    const found = await given.running('pod')
    assert.equal(found.status?.containerStatuses?.[0]?.state?.running?.startedAt, '2026-01-02T03:04:05Z')
  })

  it('reports the exit code of what ended while nobody looked', async () => {
    const pod = await killedHost(root, `sleep 0.3; echo out; exit 4`)
    const paths = containerPaths(join(root, 'node'), pod.metadata.uid ?? '', 'main')
    await until('the container has ended', () => existsSync(paths.state))
    given = await givenNode({ root, pods: [pod] })
    const ended = await given.finished('pod')
    assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 4)
  })

  it('fails a pod whose process and shim are gone, and never runs it again', async () => {
    const count = join(root, 'count')
    const pod = await killedHost(root, `echo started >>${count}; sleep 60`)
    await until('the container has begun', () => existsSync(count) && readFileSync(count, 'utf8') !== '')
    const { pids } = await pidsOf(pod)
    signalProcess(pids.shim.pid, 'SIGKILL')
    given = await givenNode({ root, pods: [pod] })
    const terminated = (await given.finished('pod')).status?.containerStatuses?.[0]?.state?.terminated
    assert.deepEqual([terminated?.exitCode, terminated?.reason], [137, 'ContainerStatusUnknown'])
    assert.equal(await readFile(count, 'utf8'), 'started\n')
    assert.deepEqual(await findProcessesByEnvironment(CONTAINER_VARIABLE, `${pod.metadata.uid}/main`), [])
  })

  it('does not take a process for its own that only has the same pid', async () => {
    const pod = await killedHost(root, 'sleep 60')
    const { paths, pids } = await pidsOf(pod)
    signalProcess(pids.shim.pid, 'SIGKILL')
    signalProcess(pids.container.pid, 'SIGKILL')
    const stranger = spawn('sleep', ['60'], { detached: true })
    await writeFile(paths.pids, `${stranger.pid} 1 ${stranger.pid} 1 \n`)
    given = await givenNode({ root, pods: [pod] })
    await given.finished('pod')
    assert.equal(stranger.exitCode ?? stranger.signalCode, null)
    stranger.kill()
    await once(stranger, 'exit')
  })

  it('ends the processes of a pod that the API no longer knows, and removes its files', async () => {
    const pod = await killedHost(root, `trap '' TERM; while :; do sleep 1; done`)
    given = await givenNode({ root })
    assert.deepEqual(await findProcessesByEnvironment(CONTAINER_VARIABLE, `${pod.metadata.uid}/main`), [])
    assert.deepEqual(await readdir(podsDir(given.dir)), [])
  })
})

describe('what a killed node left of a pod that never started', () => {
  it('is removed at the next start, Secrets above all', async () => {
    const root = await newRoot()
    const secret = join(root, 'secrets', 'task-1', 'git')
    const volume = join(root, 'node', 'volumes', 'u-1', 'git')
    for (const folder of [secret, volume, join(root, 'node', 'written')]) await mkdir(folder, { recursive: true })
    await writeFile(join(secret, 'password'), 's3cret')
    await writeFile(join(volume, 'password'), 's3cret')
    await writeFile(join(root, 'node', 'written', 'u-2.json'), JSON.stringify([secret]))
    const given = await givenNode({ root })
    try {
      assert.deepEqual([existsSync(secret), existsSync(volume)], [false, false])
    } finally {
      await given.end()
    }
  })
})

describe('a node that stops', () => {
  it('leaves its pods running for the next one', async () => {
    const given = await givenNode()
    try {
      await given.run({ script: `until [ -e ${given.volume}/gate ]; do sleep 0.02; done; exit 6` })
      await given.running('pod')
      await given.node.stop()
      await given.again()
      await writeFile(join(given.volume, 'gate'), '')
      const pod = await given.finished('pod')
      assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 6)
    } finally {
      await given.end()
    }
  })

  it('does not wait for the grace of a pod that is being deleted', async () => {
    const given = await givenNode()
    try {
      await given.run({ script: `trap '' TERM; touch ${given.volume}/ready; while :; do sleep 0.2; done` })
      await until('the container is ready', () => existsSync(join(given.volume, 'ready')))
      await given.api.deletePod('pod', 300)
      await until('the pod is being deleted', () => given.api.getPod('pod').metadata.deletionTimestamp !== undefined)
      const before = Date.now()
      await given.node.stop()
      assert.ok(Date.now() - before < 240_000)
      given.api.dropPod('pod')
    } finally {
      await given.again()
      await given.end()
    }
  })

  it('ends its pods when asked to, and reports it', async () => {
    const given = await givenNode()
    try {
      await given.run({ script: 'sleep 60' })
      const pod = await given.running('pod')
      await given.node.stop({ endPods: true })
      assert.equal(given.api.getPod('pod').status?.phase, 'Failed')
      assert.deepEqual(await findProcessesByEnvironment(CONTAINER_VARIABLE, `${pod.metadata.uid}/main`), [])
    } finally {
      await given.end()
    }
  })
})
