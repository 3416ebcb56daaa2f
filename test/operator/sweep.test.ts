import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTIONS, TASKS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import { openArchive } from '../../lib/archive/archive.ts'
import { anExecution, aTask, NAMESPACE } from '../helpers/build.ts'
import { measureFolder, NOTHING } from '../helpers/folder-size.ts'
import { type World, openWorld } from './world.ts'

describe('the sweep of the data volume', () => {
  let world: World
  beforeEach(async () => void (world = await openWorld()))
  afterEach(() => world.close())

  const at = (path: string): string => join(world.volumeRoot, path)
  /** A folder as an execution leaves it; `ageMs` by the operator's clock. */
  const leave = async (path: string, mark?: string | object, ageMs = 2 * 3_600_000): Promise<void> => {
    await mkdir(join(at(path), 'agent'), { recursive: true })
    await writeFile(join(at(path), 'agent', 'stdout.log'), 'text')
    const text = typeof mark === 'string' ? mark : JSON.stringify(mark)
    const file = path.startsWith('sandboxes/') ? `${at(path)}.owner` : join(at(path), 'owner')
    if (mark !== undefined) await writeFile(file, text)
    const then = new Date(world.clock.now().getTime() - ageMs)
    await utimes(at(path), then, then)
  }
  const left = async (parent = 'executions'): Promise<string[]> => (await readdir(at(parent))).sort()
  const mark = (uid: string, more: object = {}): object => ({ uid, namespace: NAMESPACE, ...more })

  it('removes the files of deleted tasks that earlier versions have left, with their uid or without', async () => {
    for (let n = 1; n <= 6; n++) await leave(`executions/gone-${n}`, n % 2 === 0 ? `uid-${n}` : undefined)
    await leave('sandboxes/gone')
    await leave('sandboxes/elaborate-01')
    await world.sweep()
    assert.deepEqual([await left(), await left('sandboxes'), await measureFolder(at(''))], [[], [], NOTHING])
  })

  it('keeps what a task has that still needs it, marked or from before that', async () => {
    world.kube.put(TASKS, aTask({ status: { state: 'READY', executions: 2 } }))
    world.kube.put(TASKS, aTask({ name: 'task-b', status: { state: 'FAILED', executions: 1 } }))
    await leave('sandboxes/task-a', mark('uid-task-a', { name: 'task-a' }))
    await leave('sandboxes/task-b')
    // Its Execution was deleted, its task was not.
    await leave('executions/task-a-1', mark('uid-old', { name: 'task-a-1', task: 'uid-task-a' }))
    await leave('executions/task-b-1')
    world.kube.put(EXECUTIONS, anExecution({ name: 'query' }))
    await leave('executions/query', 'uid-query')
    await leave('sandboxes/aside.uid-query', mark('uid-query', { name: 'query' }))
    await world.sweep()
    assert.deepEqual(await left(), ['query', 'task-a-1', 'task-b-1'])
    assert.deepEqual(await left('sandboxes'), [
      'aside.uid-query',
      'aside.uid-query.owner',
      'task-a',
      'task-a.owner',
      'task-b',
    ])
  })

  it('removes the sandbox of a COMPLETED task, and keeps its logs', async () => {
    world.kube.put(TASKS, aTask({ status: { state: 'COMPLETED', executions: 1 } }))
    await leave('sandboxes/task-a', mark('uid-task-a', { name: 'task-a' }))
    await leave('executions/task-a-1', mark('uid-task-a-1', { task: 'uid-task-a' }))
    await world.sweep()
    assert.deepEqual([await left(), await left('sandboxes')], [['task-a-1'], []])
    assert.deepEqual(await measureFolder(at('sandboxes')), NOTHING)
  })

  it('keeps the sandbox of a COMPLETED task until its work is delivered: a delivery that fails makes it READY again', async () => {
    const status = { state: 'COMPLETED', executions: 1, delivery: { state: 'Pending' } } as const
    world.kube.put(TASKS, aTask({ status }))
    await leave('sandboxes/task-a', mark('uid-task-a', { name: 'task-a' }))
    await world.sweep()
    assert.deepEqual(await left('sandboxes'), ['task-a', 'task-a.owner'])
    world.kube.put(TASKS, aTask({ status: { ...status, delivery: { state: 'Delivered' } } }))
    await world.sweep()
    assert.deepEqual(await left('sandboxes'), [])
  })

  it('keeps the logs of the deliveries of an archived task, as those of its work', async () => {
    const archivedAt = '2026-11-24T02:00:00Z'
    const { uid = '' } = aTask().metadata
    const executions = [anExecution({ name: 'task-a-d2', metadata: { uid: 'uid-task-a-d2' } })]
    await openArchive(world.volumeRoot).add({ archivedAt, task: aTask(), executions })
    for (const name of ['task-a-1', 'task-a-d1', 'task-a-d2'])
      await leave(`executions/${name}`, mark(`uid-${name}`, { task: uid }))
    // Of a version that named no task in them; the other is of an earlier task of the name.
    for (const n of [2, 3]) await leave(`executions/task-a-d${n}`, mark(`uid-task-a-d${n}`))
    await leave('executions/task-b-d1', mark('uid-task-b-d1', { task: 'uid-task-b' }))
    await world.sweep()
    assert.deepEqual(await left(), ['task-a-1', 'task-a-d1', 'task-a-d2'])
  })

  it('removes what an earlier task of the same name has left', async () => {
    world.kube.put(TASKS, aTask({ metadata: { uid: 'new' }, status: { state: 'PENDING' } }))
    await leave('sandboxes/task-a', mark('old', { name: 'task-a' }))
    await leave('executions/task-a-1', mark('old-1', { task: 'old' }))
    await world.sweep()
    assert.deepEqual([await left(), await left('sandboxes'), await measureFolder(at(''))], [[], [], NOTHING])
  })

  it('leaves a prompt alone whose Execution is about to be made, and what is of another namespace', async () => {
    await leave('executions/asked', undefined, 60_000)
    await leave('executions/theirs-1', mark('uid', { namespace: 'theirs' }))
    await leave('sandboxes/theirs', mark('uid', { namespace: 'theirs', name: 'theirs' }))
    await world.sweep()
    assert.deepEqual(
      [await left(), await left('sandboxes')],
      [
        ['asked', 'theirs-1'],
        ['theirs', 'theirs.owner'],
      ],
    )
  })

  it('looks in every namespace for the owner of what bears no mark, where it may', async () => {
    await leave('executions/theirs-1')
    world.kube.put(TASKS, aTask({ name: 'theirs', metadata: { namespace: 'theirs' } }))
    const { list } = world.kube
    const named: typeof list = async (resource, query = {}) => {
      const { items, ...page } = await list(resource, query)
      const name = query.fieldSelector?.replace('metadata.name=', '')
      return { ...page, items: items.filter(({ metadata }) => name === undefined || metadata.name === name) }
    }
    Object.assign(world.context, { client: { ...world.kube, list: named } })
    await world.sweep()
    assert.deepEqual(await left(), ['theirs-1'])
    const forbidden = () => Promise.reject(new KubeError(403, 'Forbidden', 'tasks is forbidden'))
    Object.assign(world.context, { client: { ...world.kube, list: forbidden } })
    await world.sweep()
    assert.deepEqual(await left(), [])
  })

  it('believes the server that an owner is gone, not a cache that has yet to hear of it', async () => {
    world.kube.put(TASKS, aTask({ status: { state: 'FAILED' } }))
    await leave('sandboxes/task-a', mark('uid-task-a', { name: 'task-a' }))
    const { views } = world.context
    Object.assign(world.context, { views: { ...views, tasks: { ...views.tasks, get: () => undefined } } })
    await world.sweep()
    assert.ok(existsSync(at('sandboxes/task-a')))
  })

  it('removes at the next start what a kill had left of a removal', async () => {
    await leave('sandboxes/.discarded-task-a')
    await leave('executions/.discarded-task-a-1')
    await world.sweep()
    assert.deepEqual([await left(), await left('sandboxes')], [[], []])
  })
})
