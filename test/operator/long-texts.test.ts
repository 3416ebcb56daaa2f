import assert from 'node:assert/strict'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { aTask, anAgent } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

describe('a text that is longer than a field it is copied to', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.given({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
  })
  afterEach(() => world.close())
  const told = () => world.task().status?.conditions?.[0]?.message ?? ''

  it('of a question is whole in the question, and cut in the condition: its task is BLOCKED and frees its slot', async () => {
    const text = '漢'.repeat(65_536)
    await world.endJob('task-a-1-run', { result: { outcome: 'blocked', questions: [{ text }] } })
    await world.sync()
    const { state, question } = world.task().status ?? {}
    assert.deepEqual([state, question?.items[0]?.text], ['BLOCKED', text])
    assert.deepEqual([Array.from(told()).length, told().at(-1)], [32_768, '…'])
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('counts in characters, not in UTF-16 units', async () => {
    const text = '😀'.repeat(32_768)
    await world.endJob('task-a-1-run', { result: { outcome: 'blocked', questions: [{ text }] } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, told() === text], ['BLOCKED', true])
  })

  it('of many subtasks names twenty and counts the rest', async () => {
    for (let n = 0; n < 30; n++) {
      const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
      world.kube.put(TASKS, aTask({ name: `sub-${n}`, spec: { parentTaskId: 'task-a', suspend: true }, status }))
    }
    await world.endJob('task-a-1-run')
    await world.sync('task-a')
    const { state, waitingFor = '' } = world.task().status ?? {}
    assert.equal(state, 'BLOCKED')
    assert.match(waitingFor, /^waits for subtask sub-0 \(QUEUED\), .*sub-26 \(QUEUED\) and 10 more/)
  })
})
