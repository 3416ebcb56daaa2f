import assert from 'node:assert/strict'
import { taskAttention } from '../../core/attention.ts'
import type { Task } from '../../core/crd/types.ts'
import { findNotification } from '../../core/notify.ts'
import { actionsAllowed, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { goesOn } from '../../core/task/going-on.ts'
import { AGENTS, STORIES, TASKS } from '../../kube/resources.ts'
import { aStory, aTask, anAgent, text } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const DUE = '2026-01-01T00:00:00Z'

describe('a failed task with an attempt to come', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  const put = (spec: Partial<Task['spec']> = {}): void => {
    const error = { category: 'rate_limit', message: text('throttled') } as const
    const status = { state: 'FAILED', agent: { type: 'script' }, error, resumeAfter: DUE } as const
    world.kube.put(TASKS, aTask({ spec, status }))
  }
  const condition = () => world.task().status?.conditions?.map(({ type, message }) => `${type}: ${message}`)

  const HOLDERS = {
    'it is suspended': { hold: () => put({ suspend: true }), release: () => put(), says: 'the task is suspended' },
    'its agent does not resume': {
      hold: () => (put(), void world.kube.put(AGENTS, anAgent({ spec: { autoResume: false } }))),
      release: () => void world.kube.put(AGENTS, anAgent()),
      says: 'agent script does not resume by itself',
    },
    'its story is DONE': {
      hold: () => (put({ storyId: 'story-a' }), void world.kube.put(STORIES, aStory({ status: { status: 'DONE' } }))),
      release: () => put(),
      says: 'story is DONE',
    },
  }
  for (const [what, { hold, release, says }] of Object.entries(HOLDERS)) {
    it(`waits for a person while ${what}, by the operator, its condition, the inbox and notifications alike`, async () => {
      hold()
      await world.sync()
      const task = world.task()
      assert.equal(task.status?.state, 'FAILED')
      assert.deepEqual(condition(), [`Stalled: throttled; not tried again: ${says}`])
      const around = { story: world.kube.all(STORIES)[0], ownAgent: world.kube.all(AGENTS)[0] }
      const isGoingOn = goesOn(task, around)
      const actions = actionsAllowed(task, { ...NO_SURROUNDINGS, ...around })
      assert.equal(taskAttention({ state: 'FAILED', goesOn: isGoingOn, actions }), 'failed')
      assert.equal(findNotification(undefined, task, { ...NO_SURROUNDINGS, ...around })?.urgency, 'high')
      release()
      await world.sync()
      assert.equal(world.task().status?.state, 'RUNNING')
    })
  }

  it('stays as it is while a person goes on with it by hand, and is tried again once that is over', async () => {
    const error = { category: 'rate_limit', message: text('throttled') } as const
    const status = { state: 'FAILED', agent: { type: 'script' }, error, resumeAfter: DUE } as const
    const checkedOut = { by: 'ada', at: DUE }
    world.kube.put(TASKS, aTask({ status: { ...status, checkedOut } }))
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
    assert.deepEqual(condition(), ['Stalled: throttled; not tried again: checked out by ada'])
    world.kube.put(TASKS, aTask({ status }))
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })
})
