/** Tasks and executions that are deleted: what ends, what waits for it, and what nobody has to write for that. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { homePath } from '../../core/execution/layout.ts'
import { FINALIZER } from '../../core/names.ts'
import { AGENTS, EXECUTIONS, NAMESPACES, PODS, SECRETS, TASKS } from '../../kube/resources.ts'
import { isConflict } from '../../kube/types.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { aPod, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const QUEUED = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
const SLOT = 'slipway-slot-script-1'
const DAY_MS = 24 * 3_600_000

describe('deleting', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.kube.put(TASKS, aTask({ status: QUEUED }))
    await world.sync()
  })
  afterEach(() => world.close())

  const execution = (name = 'task-a-1') => world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === name)
  const at = (path: string): string => join(world.volumeRoot, path)
  /** As `kubectl delete task` does, and the collector then with what it owned. */
  const deleteTask = async (): Promise<void> => {
    await world.kube.delete(TASKS, { namespace: NAMESPACE, name: 'task-a' })
    for (const { metadata } of world.kube.all(EXECUTIONS)) await world.kube.delete(EXECUTIONS, metadata)
  }
  const runPod = (): void => {
    const spec = world.job('task-a-1-run')?.spec.template.spec
    assert.ok(spec)
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', spec, status: { phase: 'Running' } }))
  }

  describe('the namespace of a RUNNING task', () => {
    it('does not wait for its pod, for the operator is deleted too', async () => {
      runPod()
      world.kube.put(NAMESPACES, { metadata: { name: NAMESPACE }, status: { phase: 'Terminating' } })
      await deleteTask()
      await world.sync('task-a')
      assert.equal(execution(), undefined)
    })
  })

  describe('a RUNNING task', () => {
    it('takes it away at once, ends its Job, and keeps the record of the execution until its pod has ended', async () => {
      runPod()
      await deleteTask()
      await world.sync('task-a')
      assert.deepEqual([world.kube.all(TASKS), world.job('task-a-1-run')], [[], undefined])
      assert.notEqual(execution(), undefined)
      assert.equal(world.holderOf(SLOT), 'task-a-1')
      await world.sweep()
      assert.ok(existsSync(at('sandboxes/task-a')) && existsSync(at('executions/task-a-1')))
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed' } }))
      await world.sync('task-a')
      assert.deepEqual([execution(), world.holderOf(SLOT)], [undefined, undefined])
      await world.sweep()
      assert.deepEqual([existsSync(at('sandboxes/task-a')), existsSync(at('executions/task-a-1'))], [true, false])
    })

    it('keeps for a day what was not pushed, and an Event of the task says where', async () => {
      runPod()
      await writeFile(at('sandboxes/task-a/half'), 'done')
      await deleteTask()
      await world.sync('task-a')
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed' } }))
      await world.sync('task-a')
      const told = world.events.filter(({ reason }) => reason === 'DeletedWhileRunning')
      const [{ regarding, type, message } = { regarding: undefined, type: '', message: '' }] = told
      assert.deepEqual([told.length, regarding?.kind, regarding?.metadata.uid], [1, 'Task', 'uid-task-a'])
      const until = new Date(world.clock.now().getTime() + DAY_MS).toISOString().slice(0, 19)
      assert.equal(type, 'Warning')
      assert.equal(
        message,
        `the task was deleted while task-a-1 ran, so that was ended; what it had not pushed is kept in ${at('sandboxes/task-a/repo')} until ${until}Z, or until another task of this name starts`,
      )
      await world.clock.advance(DAY_MS - 1000)
      await world.sweep()
      assert.ok(existsSync(at('sandboxes/task-a/half')))
      await world.clock.advance(1000)
      await world.sweep()
      assert.deepEqual([existsSync(at('sandboxes/task-a')), existsSync(at('sandboxes/task-a.owner'))], [false, false])
    })

    it('keeps nothing when its work was pushed in the end', async () => {
      runPod()
      await deleteTask()
      await world.endJob('task-a-1-run')
      await world.sync('task-a')
      await world.sweep()
      assert.deepEqual([existsSync(at('sandboxes/task-a')), execution()], [false, undefined])
      assert.ok(!world.events.some(({ reason }) => reason === 'DeletedWhileRunning'))
    })

    it('keeps the login that its program had renewed', async () => {
      const credentials = {
        secretName: 'login',
        files: [{ key: 'auth.json', path: '.cli/auth.json' }],
        writeBack: true,
      }
      const stored = (text: string): string => Buffer.from(text).toString('base64')
      world.kube.put(AGENTS, anAgent({ spec: { credentials } }))
      world.kube.put(SECRETS, {
        metadata: { name: 'login', namespace: NAMESPACE },
        data: { 'auth.json': stored('{"token":"old"}') },
      })
      await mkdir(at(`${homePath('task-a')}/.cli`), { recursive: true })
      await writeFile(at(`${homePath('task-a')}/.cli/auth.json`), '{"token":"new"}')
      runPod()
      await deleteTask()
      await world.sync('task-a')
      await world.sweep()
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed' } }))
      await world.sync('task-a')
      const [secret] = world.kube.all(SECRETS)
      assert.equal(secret?.data?.['auth.json'], stored('{"token":"new"}'))
    })

    it('waits for a pod that does not end for a minute only', async () => {
      runPod()
      await deleteTask()
      const deletedAt = execution()?.metadata.deletionTimestamp
      assert.ok(deletedAt !== undefined)
      await world.sync('task-a')
      await world.clock.advance(Date.parse(deletedAt) + 59_000 - world.clock.now().getTime())
      await world.sync('task-a')
      assert.notEqual(execution(), undefined)
      await world.clock.advance(1000)
      await world.sync('task-a')
      assert.equal(execution(), undefined)
      assert.equal(world.holderOf(SLOT), 'task-a-1', 'the slot is held as long as the pod may run')
      assert.ok(world.events.some(({ reason }) => reason === 'DeletedWhileRunning'))
      await world.sweep()
      assert.ok(existsSync(at('sandboxes/task-a')))
    })

    it('is not taken for deleted by a cache that has yet to hear of it', async () => {
      const { views } = world.context
      Object.assign(world.context, { views: { ...views, tasks: { ...views.tasks, get: () => undefined } } })
      await assert.rejects(syncTask(world.context, { namespace: NAMESPACE, name: 'task-a' }), isConflict)
      assert.notEqual(world.job('task-a-1-run'), undefined)
    })
  })

  describe('and making a task again under its name', () => {
    it('has the new one wait for the end of the old execution, and start from nothing', async () => {
      await mkdir(at('sandboxes/task-a/home'), { recursive: true })
      await writeFile(at('sandboxes/task-a/home/session'), 'of the old one')
      runPod()
      await deleteTask()
      world.kube.put(TASKS, aTask({ metadata: { uid: 'uid-new' }, status: QUEUED }))
      await world.sync('task-a')
      const { status } = world.task()
      assert.deepEqual(
        [status?.state, status?.waitingFor],
        ['QUEUED', 'an execution of an earlier task of this name has not ended yet'],
      )
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed' } }))
      await world.sync('task-a')
      assert.equal(world.task().status?.state, 'RUNNING')
      assert.equal(execution()?.metadata.ownerReferences?.[0]?.uid, 'uid-new')
      assert.equal(existsSync(at('sandboxes/task-a/home/session')), false)
      assert.match(await readFile(at('sandboxes/task-a.owner'), 'utf8'), /"uid":"uid-new"/)
    })
  })

  describe('a running Execution', () => {
    it('ends its Job first, and its task is lost, to be tried again as such', async () => {
      runPod()
      await world.kube.delete(EXECUTIONS, execution()?.metadata ?? { name: '' })
      await world.sync('task-a')
      assert.deepEqual([world.job('task-a-1-run'), world.task().status?.state], [undefined, 'RUNNING'])
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Failed' } }))
      await world.sync('task-a')
      const { error, executions } = world.task().status ?? {}
      assert.deepEqual([execution('task-a-1'), executions], [undefined, 2])
      assert.equal(error, undefined, 'the next attempt is on its way')
      const reasons = world.events.map(({ message }) => message)
      assert.ok(reasons.includes('Execution task-a-1 was deleted while it ran'), reasons.join())
    })
  })

  describe('what an earlier version has marked', () => {
    for (const state of TASK_STATE_VALUES)
      it(`waits for nobody: the finalizer of a ${state} task is lifted at the first look`, async () => {
        const finalizers = [FINALIZER, 'example.com/other']
        world.kube.put(TASKS, aTask({ name: 'old', metadata: { finalizers }, status: { state, executions: 1 } }))
        await world.sync('old')
        assert.deepEqual(world.task('old').metadata.finalizers, ['example.com/other'])
      })

    it('and was deleted meanwhile goes', async () => {
      const metadata = { finalizers: [FINALIZER], deletionTimestamp: '2026-01-01T00:00:00Z' }
      world.kube.put(TASKS, aTask({ name: 'old', metadata, status: { state: 'RUNNING', execution: 'old-1' } }))
      await world.sync('old')
      assert.deepEqual(
        world.kube.all(TASKS).map(({ metadata: { name } }) => name),
        ['task-a'],
      )
    })
  })
})

describe('a finalizer', () => {
  it('is held by executions alone, from their creation to their end, and costs each one write', async () => {
    const world = await openWorld()
    const patches: string[] = []
    world.kube.onWrite = (moment, write) =>
      void (moment === 'before' && write.startsWith('patch') && patches.push(write))
    world.kube.put(AGENTS, anAgent())
    world.kube.put(TASKS, aTask({ status: QUEUED }))
    await world.sync()
    const held = (): unknown => world.kube.all(EXECUTIONS).map(({ metadata }) => metadata.finalizers)
    assert.deepEqual([held(), world.task().metadata.finalizers, patches], [[[FINALIZER]], undefined, []])
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([held(), world.task().metadata.finalizers], [[[]], undefined])
    assert.deepEqual(patches, ['patch Execution task-a-1'])
    assert.equal(world.task().status?.state, 'READY')
    await world.close()
  })
})
