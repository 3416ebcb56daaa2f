import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskState } from '../../core/crd/types.ts'
import type { Room } from '../../core/task/room.ts'
import { JOBS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import { keepRoom } from '../../operator/room.ts'
import { aProject, aTask, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const AT = '2026-01-01T00:00:00Z'
const DAY_MS = 86_400_000
const NONE: Room = {
  mirrorBytes: Infinity,
  workspaceBytes: Infinity,
  reviewMs: Infinity,
  environmentBytes: Infinity,
  environmentMs: Infinity,
}

describe('the room that clones and homes may take', () => {
  let world: World
  beforeEach(async () => void (world = await openWorld()))
  afterEach(() => world.close())

  const at = (name: string): string => join(world.volumeRoot, 'sandboxes', name)
  /** @param kib that it takes on the disk */
  const given = async (name: string, state: TaskState, days: number, kib = 64): Promise<void> => {
    const finishedAt = new Date(world.clock.now().getTime() - days * DAY_MS).toISOString()
    const conditions = [
      { type: 'Ready', status: 'True', reason: 'WorkReady', message: 'it waits', lastTransitionTime: finishedAt },
    ] as const
    world.kube.put(TASKS, aTask({ name, status: { state, finishedAt, workspace: at(name), conditions } }))
    await mkdir(join(at(name), 'repo'), { recursive: true })
    await writeFile(join(at(name), 'repo', 'file'), Buffer.alloc(kib * 1024, 1))
    await writeFile(`${at(name)}.owner`, JSON.stringify({ uid: `uid-${name}`, namespace: NAMESPACE, name }))
  }
  const keep = (room: Partial<Room>): Promise<void> => {
    const { context, volumeRoot, clock } = world
    const served = [{ namespace: NAMESPACE, context }]
    const { events, logger } = context
    const ended = new AbortController().signal
    return keepRoom({ served, volumeRoot, clock, events, logger, room: { ...NONE, ...room }, ended }, clock.now())
  }
  const left = (...names: string[]): string[] => names.filter((name) => existsSync(at(name)))

  it('is given back by what has been READY for too long, and the task says why', async () => {
    await given('task-a', 'READY', 15)
    await given('task-b', 'READY', 13)
    await keep({ reviewMs: 14 * DAY_MS })
    assert.deepEqual(left('task-a', 'task-b', 'task-a.owner'), ['task-b'])
    const { workspace, conditions } = world.task().status ?? {}
    assert.equal(workspace, undefined)
    const [{ reason, message } = { reason: '', message: '' }] = world.events
    assert.deepEqual([reason, conditions?.[0]?.message], ['WorkspaceRemoved', `it waits; ${message}`])
    assert.match(message, /nobody has decided for 14 days \(retention\.reviewDays\)/)
    assert.notEqual(world.task('task-b').status?.workspace, undefined)
  })

  it('is bounded: the oldest READY task gives up its clone first', async () => {
    await given('task-a', 'FAILED', 9)
    await given('task-b', 'READY', 3)
    await given('task-c', 'READY', 2)
    await keep({ workspaceBytes: 1024 * 1024 })
    assert.equal(left('task-a', 'task-b', 'task-c').length, 3)
    await keep({ workspaceBytes: 180 * 1024 })
    assert.deepEqual(left('task-a', 'task-b', 'task-c'), ['task-a', 'task-c'])
  })

  for (const [meanwhile, refusal] of [
    ['written', new KubeError(409, 'Conflict', 'it was changed')],
    ['deleted', new KubeError(404, 'NotFound', 'it is gone')],
  ] as const)
    it(`is taken from the next one too where somebody has ${meanwhile} the first meanwhile`, async () => {
      await given('task-a', 'READY', 16)
      await given('task-b', 'READY', 15)
      world.kube.onWrite = (moment, write) => {
        if (moment === 'before' && write.endsWith('task-a')) throw refusal
      }
      await keep({ reviewMs: DAY_MS })
      assert.deepEqual(left('task-a', 'task-b'), ['task-a'])
      assert.notEqual(world.task().status?.workspace, undefined)
    })

  it('is not taken from a task that somebody has run again meanwhile, nor from one whose container still runs', async () => {
    await given('task-a', 'READY', 15)
    await given('task-b', 'READY', 15)
    world.kube.put(JOBS, {
      metadata: { name: 'task-b-1-run', namespace: NAMESPACE },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'agent', volumeMounts: [{ name: 'data', mountPath: '/x', subPath: 'sandboxes/task-b' }] },
            ],
          },
        },
      },
    })
    const { find } = world.kube
    world.kube.find = async (resource, key) => {
      const found = await find(resource, key)
      if (key.name !== 'task-a' || found === undefined) return found
      return { ...found, status: { state: 'QUEUED' } }
    }
    await keep({ reviewMs: DAY_MS })
    assert.deepEqual(left('task-a', 'task-b'), ['task-a', 'task-b'])
    assert.deepEqual(world.events, [])
  })

  it('is told of mirrors on each project whose repository they are of, and no more once they are gone', async () => {
    const mirror = async (key: string, namespace: string, url: string): Promise<void> => {
      const folder = join(world.volumeRoot, 'repositories', key.repeat(32))
      await mkdir(join(folder, 'mirrors', '1'), { recursive: true })
      await writeFile(join(folder, 'mirrors', '1', 'pack'), Buffer.alloc(64 * 1024, 1))
      await writeFile(`${folder}.owner`, JSON.stringify({ uid: key.repeat(32), namespace, name: url }))
    }
    const url = 'https://git.example/shop.git'
    // With two credentials, and what is none of its own.
    for (const key of ['a', 'b']) await mirror(key, NAMESPACE, url)
    await mirror('c', 'others', url)
    await mirror('d', NAMESPACE, 'https://git.example/other.git')
    const condition = { type: 'Ready', status: 'True', reason: 'Usable', message: 'x', lastTransitionTime: AT } as const
    world.kube.put(PROJECTS, aProject({ name: 'shop', spec: { remoteUrl: url }, status: { conditions: [condition] } }))
    world.kube.put(PROJECTS, aProject({ name: 'none', spec: { remoteUrl: 'https://git.example/none.git' } }))
    const told = () =>
      Object.fromEntries(world.kube.all(PROJECTS).map(({ metadata, status }) => [metadata.name, status?.mirrorBytes]))
    const writes: string[] = []
    world.kube.onWrite = (_, write) => void writes.push(write)
    await keep({})
    const { shop = 0, none } = told()
    assert.ok(shop >= 128 * 1024 && shop < 192 * 1024, String(shop))
    assert.equal(none, undefined)
    assert.equal(world.kube.all(PROJECTS)[0]?.status?.conditions?.length, 1)
    const count = writes.length
    await keep({})
    assert.equal(writes.length, count)
    await keep({ mirrorBytes: 1 })
    assert.deepEqual(told(), { shop: undefined, none: undefined })
  })
})
