import assert from 'node:assert/strict'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { aTask, anAgent } from '../helpers/build.ts'
import { openWorld } from './world.ts'

/** The writes of one script task from QUEUED to READY. */
async function writesOfOneRun(generation: number | undefined): Promise<readonly string[]> {
  const world = await openWorld()
  const writes: string[] = []
  world.kube.onWrite = (moment, write) => void (moment === 'before' && writes.push(write))
  const metadata = generation === undefined ? {} : { generation }
  world.kube.put(AGENTS, anAgent())
  world.kube.put(TASKS, aTask({ metadata, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
  await world.sync()
  await world.endJob('task-a-1-run')
  await world.sync()
  assert.deepEqual([world.task().status?.state, world.task().status?.observedGeneration], ['READY', generation])
  const life = [...writes]
  const { metadata: known, ...task } = world.task()
  world.kube.put(TASKS, { ...task, metadata: { ...known, ...(generation === undefined ? {} : { generation: 2 }) } })
  await world.sync()
  const edited = writes.slice(life.length)
  assert.deepEqual(edited, generation === undefined ? [] : ['status Task task-a'])
  await world.close()
  return life
}

describe('the generation that a task was observed at', () => {
  it('costs no write in the life of a task, and one when its spec is changed', async () => {
    assert.deepEqual(await writesOfOneRun(1), await writesOfOneRun(undefined))
  })
})
