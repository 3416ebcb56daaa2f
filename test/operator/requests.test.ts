import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import type { KubeObject, Resource } from '../../kube/types.ts'
import { aTask, anAgent } from '../helpers/build.ts'
import { type JobEnd, type World, openWorld } from './world.ts'

describe('what the operator asks of the API server for one task', () => {
  let world: World
  let writes: string[]
  let reads: string[]
  beforeEach(async () => {
    world = await openWorld()
    writes = []
    reads = []
    world.kube.onWrite = (moment, write) => void (moment === 'before' && writes.push(write))
    const { find, list } = world.kube
    const note = (verb: string, { plural }: Resource<KubeObject>): void => {
      // Git's Secrets are looked up by their label where everything is on one machine.
      if (plural !== 'secrets') reads.push(`${verb} ${plural}`)
    }
    world.kube.find = (resource, ...rest) => (note('get', resource), find(resource, ...rest))
    world.kube.list = (resource, ...rest) => (note('list', resource), list(resource, ...rest))
    // As its controller has found it.
    world.kube.put(AGENTS, anAgent({ status: { conditions: [] } }))
  })
  afterEach(() => world.close())

  async function live(end: JobEnd = {}): Promise<void> {
    world.kube.put(TASKS, aTask({ spec: { runPolicy: 'Auto' } }))
    await world.sync()
    await world.endJob('task-a-1-run', end)
    await world.sync()
  }

  it('reads nothing, and writes ten times and two Events, when it goes well', async () => {
    await live()
    assert.equal(world.task().status?.state, 'READY')
    assert.deepEqual(reads, [])
    assert.deepEqual(writes.toSorted(), [
      'create Execution task-a-1',
      'create Job task-a-1-run',
      'create Lease slipway-slot-script-1',
      'patch Execution task-a-1',
      'replace Lease',
      'status Execution task-a-1',
      'status Execution task-a-1',
      'status Task task-a',
      'status Task task-a',
      'status Task task-a',
    ])
    assert.deepEqual(
      world.events.map(({ reason }) => reason),
      ['Started', 'Ready'],
    )
  })

  describe('one after another', () => {
    let rounds: string[][]
    beforeEach(() => {
      rounds = []
      let underWay = 0
      /** Answers after all that is sent meanwhile, as a server on the network does. */
      const sent = async <T>(name: string, write: () => Promise<T>): Promise<T> => {
        if (underWay === 0) rounds.push([])
        rounds.at(-1)?.push(name)
        underWay += 1
        await setImmediate()
        underWay -= 1
        return write()
      }
      const { create, replace, replaceStatus } = world.kube
      world.kube.create = (resource, object) => sent(resource.kind, () => create(resource, object))
      world.kube.replace = (resource, object) => sent(resource.kind, () => replace(resource, object))
      world.kube.replaceStatus = (resource, object) => sent(resource.kind, () => replaceStatus(resource, object))
      world.kube.put(TASKS, aTask({ spec: { runPolicy: 'Auto' } }))
    })

    it('waits for three answers before the Job of a task that starts at once', async () => {
      await world.sync()
      const [first = [], ...others] = rounds
      assert.deepEqual([first.toSorted(), ...others.slice(0, 2)], [['Execution', 'Lease', 'Task'], ['Task'], ['Job']])
    })

    it('waits for one answer before a task is READY, and for one more before its slot is free', async () => {
      await world.sync()
      await world.endJob('task-a-1-run')
      rounds.length = 0
      await world.sync()
      assert.deepEqual(rounds, [['Execution'], ['Task'], ['Lease']])
      assert.equal(world.task().status?.state, 'READY')
      assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
    })
  })

  it('looks at no file of an execution whose pod is still to come', async () => {
    world.kube.put(TASKS, aTask({ spec: { runPolicy: 'Auto' } }))
    await world.sync()
    const looked: string[] = []
    const { run } = world.context.volume
    world.context.volume.run = (piece, work) => (looked.push(piece.path), run(piece, work))
    await world.sync()
    assert.deepEqual(looked, [])
  })

  it('asks whether anything still runs before it frees the slot of one that failed', async () => {
    await live({ result: { outcome: 'failed' } })
    assert.equal(world.task().status?.state, 'FAILED')
    assert.ok(
      ['list jobs', 'list pods'].every((read) => reads.includes(read)),
      reads.join(', '),
    )
  })
})
