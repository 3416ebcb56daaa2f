import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Pod } from '../../kube/builtin.ts'
import { readBootId } from '../../lib/boot.ts'
import { readStat } from '../../lib/process-state.ts'
import { CONTAINER_VARIABLE, findProcessesByEnvironment, findStartTime } from '../../lib/process.ts'
import { type ContainerPaths, containerPaths } from '../../node/layout.ts'
import { parsePids } from '../../node/pids.ts'
import { textOf } from '../helpers/leaks.ts'
import { until } from '../helpers/until.ts'
import { type GivenNode, givenNode, newRoot, script } from './given.ts'

const HOST = fileURLToPath(new URL('host.js', import.meta.url))
const mainOf = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state?.terminated
const processesOf = (pod: Pod) => findProcessesByEnvironment(CONTAINER_VARIABLE, `${pod.metadata.uid}/main`)

describe('a node whose folder is removed', () => {
  let given: GivenNode
  beforeEach(async () => {
    given = await givenNode()
  })
  afterEach(() => given.end())

  it('while a pod runs, ends the pod as lost and says why, without a restart', async () => {
    const pod = await given.run({ script: `trap '' TERM; while :; do sleep 1; done` })
    await given.running('pod')
    await removeFolder(given.dir)
    const { status } = await given.finished('pod')
    const terminated = status?.containerStatuses?.[0]?.state?.terminated
    assert.deepEqual([status?.phase, terminated?.reason], ['Failed', 'ContainerStatusUnknown'])
    // A folder goes file by file: that of the process that waits may be missed before the folder is.
    assert.match(terminated?.message ?? '', /^its folder \S+ was removed while it ran$|ended without noting its end/)
    assert.deepEqual(await processesOf(pod), [])
  })

  it('runs the next pod all the same', async () => {
    await removeFolder(given.dir)
    await given.run({
      volumes: [{ name: 'own', emptyDir: {} }],
      container: { volumeMounts: [{ name: 'own', mountPath: '/tmp' }] },
      script: 'echo mine >"$TMPDIR/file"; cat "$TMPDIR/file" >"$TERMINATION_MESSAGE_PATH"',
    })
    assert.equal(mainOf(await given.finished('pod'))?.message, 'mine\n')
  })

  it('while no node runs, ends what ran and starts nothing a second time', async () => {
    const count = join(given.volume, 'count')
    const wait = `until [ -e ${given.volume}/gate ]; do sleep 0.02; done`
    await given.run({
      initContainers: [script('init', `echo init >>${count}`)],
      script: `echo main >>${count}; ${wait}`,
    })
    const pod = await given.running('pod')
    await until('the container has begun', async () => /main/.test(await readFile(count, 'utf8')))
    await given.node.stop()
    await removeFolder(given.dir)
    await given.again()
    const ended = await given.finished('pod')
    assert.deepEqual([ended.status?.phase, mainOf(ended)?.reason], ['Failed', 'ContainerStatusUnknown'])
    assert.equal(ended.status?.initContainerStatuses?.[0]?.state?.terminated?.exitCode, 0)
    assert.equal(await readFile(count, 'utf8'), 'init\nmain\n')
    assert.deepEqual(await processesOf(pod), [])
  })
})

describe('the process of a container', () => {
  let root: string
  let given: GivenNode | undefined
  const started: ChildProcess[] = []
  beforeEach(async () => {
    given = undefined
    root = await newRoot()
  })
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
    await given?.end()
    await removeFolder(root)
  })

  async function startHost(text: string) {
    const host = spawn(process.execPath, [HOST, root, text], { stdio: ['ignore', 'pipe', 'inherit'] })
    started.push(host)
    const [line] = await once(createInterface(host.stdout), 'line')
    const pod = JSON.parse(String(line)) as Pod
    const paths = containerPaths(join(root, 'node'), pod.metadata.uid ?? '', 'main')
    const read = () => parsePids(existsSync(paths.pids) ? textOf(paths.pids) : '')
    await until('the shim has written its pids', () => read() !== undefined)
    const pids = read()
    assert.ok(pids)
    return { host, pod, paths, pids }
  }

  it('is gone when its shim is a zombie that nobody waits for', async () => {
    const { host, pod, pids } = await startHost('while :; do sleep 1; done')
    // A parent that is stopped waits for nobody.
    host.kill('SIGSTOP')
    process.kill(pids.shim.pid, 'SIGKILL')
    await until('the shim is a zombie', () => readStat(pids.shim.pid)?.isDead === true)
    given = await givenNode({ root, pods: [pod] })
    assert.equal(mainOf(await given.finished('pod'))?.reason, 'ContainerStatusUnknown')
    host.kill('SIGKILL')
    await once(host, 'exit')
  })

  it('is known by the boot of the machine as well: one of another boot with its pid and start is a stranger', async () => {
    const { host, pod, paths, pids } = await startHost('while :; do sleep 1; done')
    host.kill('SIGKILL')
    await once(host, 'exit')
    assert.equal(pids.bootId, readBootId())
    process.kill(pids.shim.pid, 'SIGKILL')
    process.kill(-pids.container.pid, 'SIGKILL')
    const stranger = spawn('sleep', ['60'], { detached: true })
    started.push(stranger)
    const start = await findStartTime(stranger.pid ?? 0)
    await writePids(paths, `${stranger.pid} ${start} ${stranger.pid} ${start} 00000000-0000-4000-8000-000000000000\n`)
    given = await givenNode({ root, pods: [pod] })
    await given.finished('pod')
    assert.equal(stranger.exitCode ?? stranger.signalCode, null)
    stranger.kill()
    await once(stranger, 'exit')
  })

  it('that ended before its shim could look at it is nobody’s, whoever has its pid now', async () => {
    const { host, pod, paths, pids } = await startHost('while :; do sleep 1; done')
    host.kill('SIGKILL')
    await once(host, 'exit')
    process.kill(pids.shim.pid, 'SIGKILL')
    process.kill(-pids.container.pid, 'SIGKILL')
    const stranger = spawn('sleep', ['60'], { detached: true })
    started.push(stranger)
    await writePids(paths, `${pids.shim.pid} ${pids.shim.startTime} ${stranger.pid} - ${readBootId()}\n`)
    given = await givenNode({ root, pods: [pod] })
    await given.finished('pod')
    assert.equal(stranger.exitCode ?? stranger.signalCode, null)
    stranger.kill()
    await once(stranger, 'exit')
  })
})

/** What runs in it may write there meanwhile. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

async function writePids(paths: ContainerPaths, text: string): Promise<void> {
  await writeFile(`${paths.pids}.new`, text)
  await rename(`${paths.pids}.new`, paths.pids)
}
