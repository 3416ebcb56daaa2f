import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { executionPath, givenFile, sandboxOwnerPath } from '../../core/execution/layout.ts'
import { EXIT_NOT_GIVEN } from '../../core/execution/steps.ts'
import { AGENTS, JOBS, PODS, TASKS } from '../../kube/resources.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { findKeptClone } from '../../operator/kept-clone.ts'
import { readExecutionOwner } from '../../operator/volume.ts'
import { aPod, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const QUEUED = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const

describe('the file of what an agent is given', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.given({ spec: { agent: { type: 'script', instructions: 'echo 1' } }, status: QUEUED })
  })
  afterEach(() => world.close())

  const pathOf = (job: string): string => {
    const { execution, given = '' } = runSpecOf(world.job(job))
    return join(world.volumeRoot, executionPath(execution), givenFile(given))
  }
  /** As kubelet and Job controller tell it of a runner that did not find the file. */
  const endAs = async (job: string, step: 'prepare' | 'agent'): Promise<void> => {
    const terminated = { exitCode: EXIT_NOT_GIVEN, reason: 'Error', message: 'given-….json is missing' }
    const status = { name: step, state: { terminated }, ready: false, restartCount: 0, image: '', imageID: '' }
    world.kube.put(PODS, aPod({ job, status: { phase: 'Failed', initContainerStatuses: [status] } }))
    const found = world.job(job)
    assert.ok(found)
    world.kube.put(JOBS, { ...found, status: { conditions: [{ type: 'Failed', status: 'True' }] } })
    await world.sync()
  }

  it('has the digest that its pod is told', async () => {
    await world.sync()
    const digest = createHash('sha256')
      .update(await readFile(pathOf('task-a-1-run')))
      .digest('hex')
    assert.equal(runSpecOf(world.job('task-a-1-run')).given, digest)
  })

  for (const step of ['prepare', 'agent'] as const) {
    it(`is written again where ${step} did not find it, and the run goes on`, async () => {
      await world.sync()
      await rm(pathOf('task-a-1-run'))
      await endAs('task-a-1-run', step)
      assert.equal(world.task().status?.state, 'RUNNING')
      assert.equal((await readGiven(world, 'task-a-1')).prompt, 'echo 1')
      assert.equal(pathOf('task-a-1-run-2'), pathOf('task-a-1-run'))
      assert.match(
        world.events.find(({ reason }) => reason === 'JobRepeated')?.message ?? '',
        /given-….json is missing/,
      )
      await world.endJob('task-a-1-run-2')
      await world.sync()
      assert.equal(world.task().status?.state, 'READY')
    })
  }

  it('takes the place of a folder that whoever mounted it has made there', async () => {
    await world.sync()
    await rm(pathOf('task-a-1-run'))
    await mkdir(pathOf('task-a-1-run'))
    await endAs('task-a-1-run', 'agent')
    assert.equal((await readGiven(world, 'task-a-1')).prompt, 'echo 1')
  })

  it('is given up after three Jobs, naming the step and the volume', async () => {
    await world.sync()
    for (const job of ['task-a-1-run', 'task-a-1-run-2', 'task-a-1-run-3']) await endAs(job, 'prepare')
    const { state, error } = world.task().status ?? {}
    assert.deepEqual([state, error?.category, world.kube.all(JOBS).length], ['FAILED', 'unavailable', 3])
    assert.match(error?.message ?? '', /^step prepare did not find .*; 3 Jobs did not: look at the data volume$/s)
  })

  it('of a Job that runs stays as it is where an operator that was killed begins once more with other words', async () => {
    const { replaceStatus } = world.kube
    world.kube.onWrite = (at, write) => {
      if (at === 'after' && write.startsWith('create Job'))
        world.kube.replaceStatus = () => Promise.reject(new Error('killed'))
    }
    await assert.rejects(world.sync(), /killed/)
    world.kube.onWrite = () => undefined
    world.kube.replaceStatus = replaceStatus
    const path = pathOf('task-a-1-run')
    const before = await readFile(path, 'utf8')
    const result = join(world.volumeRoot, executionPath('task-a-1'), 'prepared.json')
    await writeFile(result, '{}')
    await rm(join(world.volumeRoot, executionPath('task-a-1'), 'owner'), { force: true })
    const task = world.task()
    const agent = { type: 'script', instructions: 'echo 2' }
    world.kube.put(TASKS, { ...task, spec: { ...task.spec, agent } })
    await world.sync()
    assert.equal(await readFile(path, 'utf8'), before)
    assert.equal(await readFile(result, 'utf8'), '{}')
    assert.notEqual(await readExecutionOwner(world.volumeRoot, 'task-a-1'), undefined)
  })

  it('is made once for a Job whose answer was lost: what the pod has done stays, though the cache has not heard of the Job', async () => {
    const { jobs } = world.context.views
    const known = { get: jobs.get, byIndex: jobs.byIndex }
    Object.assign(jobs, { get: () => undefined, byIndex: () => [] })
    world.kube.onWrite = (at, write) => {
      if (at === 'after' && write.startsWith('create Job')) throw new Error('ECONNRESET')
    }
    await assert.rejects(world.sync(), /ECONNRESET/)
    world.kube.onWrite = () => undefined
    const done = ['sandboxes/task-a/repo/.git/HEAD', 'executions/task-a-1/prepared.json'].map((file) =>
      join(world.volumeRoot, file),
    )
    await mkdir(dirname(done[0] ?? ''), { recursive: true })
    for (const file of done) await writeFile(file, 'by the pod')
    await syncTask(world.context, { namespace: NAMESPACE, name: 'task-a' })
    Object.assign(jobs, known)
    for (const file of done) assert.equal(await readFile(file, 'utf8'), 'by the pod')
    await readFile(pathOf('task-a-1-run'))
  })

  it('is beside marks that cost no clone when a power cut empties them', async () => {
    await world.sync()
    await mkdir(join(world.volumeRoot, 'sandboxes/task-a/repo/.git'), { recursive: true })
    for (const torn of ['', '\0'.repeat(60), '{"uid":"uid-']) {
      await writeFile(join(world.volumeRoot, sandboxOwnerPath('task-a')), torn)
      assert.ok(await findKeptClone(world.volumeRoot, 'task-a', world.task().metadata.uid))
    }
  })
})
