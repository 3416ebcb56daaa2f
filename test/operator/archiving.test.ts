import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task } from '../../core/crd/types.ts'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import { toTimestamp } from '../../core/time.ts'
import { EXECUTIONS, TASKS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import type { Archive } from '../../lib/archive/archive.ts'
import { archiveFinished, removeStaleRecords } from '../../operator/archiving.ts'
import { anExecution, aTask, NAMESPACE } from '../helpers/build.ts'
import { type ArchiveWorld, openArchiveWorld } from './archive-world.ts'
import type { World } from './world.ts'

const DAY_MS = 86_400_000

describe('the move of finished tasks to the archive', () => {
  let world: World
  let archive: Archive
  let warnings: readonly object[]
  let context: ArchiveWorld['context']
  let givenFolder: ArchiveWorld['givenFolder']
  beforeEach(async () => {
    ;({ world, archive, warnings, context, givenFolder } = await openArchiveWorld())
  })
  afterEach(() => world.close())

  const pass = async (client?: World['context']['client'], max?: number) =>
    (await archiveFinished(context(client), NAMESPACE, max)).moved
  const names = (): string[] => world.kube.all(TASKS).map(({ metadata }) => metadata.name)

  /** Accepted so many days ago, with one execution and its files. */
  async function finished(name: string, days: number): Promise<Task> {
    const at = toTimestamp(new Date(world.clock.now().getTime() - days * DAY_MS))
    const task = world.kube.put(
      TASKS,
      aTask({
        name,
        metadata: { labels: { [LABELS.managedBy]: MANAGED_BY } },
        status: { state: 'COMPLETED', executions: 1, finishedAt: at, decisions: [{ action: 'accept', at, by: 'ann' }] },
      }),
    )
    const owner = { apiVersion: task.apiVersion, kind: task.kind, name, uid: task.metadata.uid ?? '' }
    const metadata = { labels: { [LABELS.task]: name }, ownerReferences: [owner] }
    world.kube.put(EXECUTIONS, anExecution({ name: `${name}-1`, metadata, status: { state: 'COMPLETED' } }))
    await givenFolder(`${name}-1`, task.metadata.uid ?? '')
    return task
  }

  it('takes them with their executions, and keeps their files', async () => {
    const old = await finished('old', 31)
    await finished('young', 29)
    assert.deepEqual(await pass(), ['old'])
    assert.deepEqual(names(), ['young'])
    const record = await archive.find(NAMESPACE, 'old')
    assert.deepEqual(record?.task, old)
    assert.deepEqual(
      record.executions.map(({ metadata }) => metadata.name),
      ['old-1'],
    )
    await world.sweep()
    assert.ok(existsSync(join(world.volumeRoot, 'executions', 'old-1', 'owner')))
    await archive.remove(NAMESPACE, 'old')
    await world.context.client.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'old-1' })
    await world.sweep()
    assert.equal(existsSync(join(world.volumeRoot, 'executions', 'old-1')), false)
  })

  it('takes the oldest first, a bounded number in each pass', async () => {
    for (const days of [40, 60, 50]) await finished(`task-${days}`, days)
    assert.deepEqual(await pass(undefined, 2), ['task-60', 'task-50'])
    assert.deepEqual(await pass(undefined, 2), ['task-40'])
  })

  it('deletes nothing that it could not write', async () => {
    await finished('old', 31)
    await writeFile(join(world.volumeRoot, 'archive'), 'in the way')
    assert.deepEqual(await archiveFinished(context(), NAMESPACE), { moved: [], failed: ['old'] })
    assert.deepEqual([names(), warnings.length], [['old'], 1])
    await rm(join(world.volumeRoot, 'archive'))
    assert.deepEqual(await pass(), ['old'])
  })

  it('leaves a task alone that has changed meanwhile, and no record of it', async () => {
    const task = await finished('old', 31)
    const changed = {
      ...world.context.client,
      delete: () => {
        world.kube.put(TASKS, { ...task, spec: { ...task.spec, title: 'Changed meanwhile' } })
        return Promise.reject(new KubeError(409, 'Conflict', 'changed'))
      },
    }
    assert.deepEqual(await pass(changed), [])
    assert.deepEqual([names(), await archive.find(NAMESPACE, 'old')], [['old'], undefined])
    world.kube.put(
      EXECUTIONS,
      anExecution({
        name: 'old-2',
        metadata: { labels: { [LABELS.task]: 'old' } },
        spec: { taskRef: { name: 'old' }, purpose: 'Deliver' },
      }),
    )
    assert.deepEqual(await pass(), [])
    assert.equal(task.metadata.name, 'old')
  })

  it('keeps the record when the answer to the deletion was lost, and the next try finds nothing', async () => {
    await finished('old', 31)
    const { client } = world.context
    const lossy: typeof client = {
      ...client,
      delete: async (resource, key, how) => {
        await client.delete(resource, key, how)
        throw new KubeError(404, 'NotFound', 'gone')
      },
    }
    assert.deepEqual(await pass(lossy), ['old'])
    assert.deepEqual([names(), (await archive.find(NAMESPACE, 'old')) !== undefined], [[], true])
  })

  it('goes on after a crash between the record and the deletion, and archives nothing twice', async () => {
    await finished('old', 31)
    const dying = { ...world.context.client, delete: () => Promise.reject(new Error('killed')) }
    assert.deepEqual((await archiveFinished(context(dying), NAMESPACE)).failed, ['old'])
    assert.deepEqual([names(), (await archive.find(NAMESPACE, 'old')) !== undefined], [['old'], true])
    assert.deepEqual(await pass(), ['old'])
    assert.equal((await archive.months(NAMESPACE)).length, 1)
    assert.deepEqual(names(), [])
  })

  it('ends without a warning when another operator leads, which goes on with the task', async () => {
    for (const days of [40, 60]) await finished(`task-${days}`, days)
    const lost = new AbortController()
    const { client } = world.context
    const losing: typeof client = {
      ...client,
      delete: () => {
        lost.abort(new Error('leadership lost'))
        return Promise.reject(new Error('leadership lost'))
      },
    }
    const ended = await archiveFinished(context(losing), NAMESPACE, undefined, lost.signal)
    assert.deepEqual([ended.moved, warnings], [[], []])
    assert.deepEqual(await pass(), ['task-60', 'task-40'])
  })

  it('moves the others when one cannot be moved', async () => {
    for (const days of [40, 60, 50]) await finished(`task-${days}`, days)
    const { client } = world.context
    const failing: typeof client = {
      ...client,
      delete: (resource, key, how) =>
        key.name === 'task-60' ? Promise.reject(new Error('refused')) : client.delete(resource, key, how),
    }
    assert.deepEqual(await archiveFinished(context(failing), NAMESPACE), {
      moved: ['task-50', 'task-40'],
      failed: ['task-60'],
    })
    assert.match(JSON.stringify(warnings), /task-60/)
  })

  it('writes a damaged record anew, for the task is still there', async () => {
    const task = await finished('old', 31)
    const folder = join(world.volumeRoot, 'archive', NAMESPACE, '2026-01')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'old.jsonl.gz'), 'not what was written')
    assert.deepEqual(await pass(), ['old'])
    assert.deepEqual((await archive.find(NAMESPACE, 'old'))?.task, task)
  })

  it('takes of a task declared elsewhere the executions and their files, and leaves the task', async () => {
    const task = await finished('declared', 31)
    world.kube.put(TASKS, { ...task, metadata: { ...task.metadata, labels: {} } })
    assert.deepEqual(await pass(), ['declared'])
    assert.deepEqual([names(), world.kube.all(EXECUTIONS)], [['declared'], []])
    assert.equal(await archive.find(NAMESPACE, 'declared'), undefined)
    assert.equal(existsSync(join(world.volumeRoot, 'executions', 'declared-1')), false)
    assert.deepEqual(await pass(), [])
  })

  it('gives back what it took to whoever makes a task of that name, and does not run it', async () => {
    await finished('old', 31)
    await pass()
    await world.sweep()
    // What the collector of the cluster does.
    await world.context.client.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'old-1' })
    world.given({ name: 'old', metadata: { uid: 'made-again' }, spec: { runPolicy: 'Auto' } })
    await world.sync('old')
    const task = world.task('old')
    assert.deepEqual([task.status?.state, task.status?.executions], ['COMPLETED', 1])
    assert.deepEqual(world.execution('old-1')?.state, 'COMPLETED')
    const [execution] = world.kube.all(EXECUTIONS)
    assert.equal(execution?.metadata.ownerReferences?.[0]?.uid, 'made-again')
    assert.equal(await archive.find(NAMESPACE, 'old'), undefined)
    await world.sweep()
    assert.ok(existsSync(join(world.volumeRoot, 'executions', 'old-1', 'owner')))
    assert.equal(world.job('old-1-1') ?? world.job('old-2-1'), undefined)
  })

  it('says in the condition of a task that its record is damaged, and runs nothing until somebody has mended it', async () => {
    await finished('old', 31)
    await pass()
    await world.context.client.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'old-1' })
    const [month = ''] = await archive.months(NAMESPACE)
    const path = join(world.volumeRoot, 'archive', NAMESPACE, month, 'old.jsonl.gz')
    const bytes = await readFile(path)
    await writeFile(path, bytes.subarray(0, 40))
    world.given({ name: 'old', metadata: { uid: 'made-again' }, spec: { runPolicy: 'Auto' } })
    await assert.rejects(world.sync('old'), { name: 'DamagedRecord' })
    await assert.rejects(world.sync('old'), { name: 'DamagedRecord' })
    const { status } = world.task('old')
    const [condition] = status?.conditions ?? []
    assert.deepEqual([status?.state, condition?.type, condition?.reason], [undefined, 'Stalled', 'ArchiveDamaged'])
    assert.match(condition?.message ?? '', /old\.jsonl\.gz cannot be used: .*put it back from a backup, or remove it/)
    assert.deepEqual([world.kube.all(EXECUTIONS), world.events.length], [[], 1])
    await writeFile(path, bytes)
    await world.sync('old')
    assert.equal(world.task('old').status?.state, 'COMPLETED')
  })

  it('forgets the record of a task that was taken up again after such a crash', async () => {
    const task = await finished('old', 31)
    const dying = { ...world.context.client, delete: () => Promise.reject(new Error('killed')) }
    await pass(dying)
    // Whoever died may have sent the deletion of this version: the record must outlive that.
    await removeStaleRecords(context(), NAMESPACE)
    assert.ok(await archive.find(NAMESPACE, 'old'))
    world.kube.put(TASKS, { ...task, spec: { ...task.spec, title: 'Taken up again' } })
    await removeStaleRecords(context(), NAMESPACE)
    assert.equal(await archive.find(NAMESPACE, 'old'), undefined)
    await pass()
    world.given({ name: 'old', metadata: { uid: 'another' } })
    await removeStaleRecords(context(), NAMESPACE)
    assert.ok(await archive.find(NAMESPACE, 'old'))
  })
})
