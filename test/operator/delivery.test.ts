import assert from 'node:assert/strict'
import type { Execution, ExecutionStatus, Project, TaskStatus } from '../../core/crd/types.ts'
import { decideTask, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { baseBranchOf } from '../../core/task/project.ts'
import { EXECUTIONS, PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import { syncStory } from '../../operator/story/controller.ts'
import { findCarrier } from '../../operator/story/reconcile.ts'
import { readExecutionOwner } from '../../operator/volume.ts'
import { aProject, aStory, aTask, NAMESPACE, REVIEWED, text, unclipped } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

const PUSHED = 'a'.repeat(40)
const READY: TaskStatus = {
  state: 'READY',
  branch: 'slipway/task-a',
  summary: text('It was done.'),
  head: { commit: PUSHED, at: '2025-01-01T00:00:00Z' },
}

describe('accepted work', () => {
  let world: World
  beforeEach(async () => void (world = await openWorld()))
  afterEach(() => world.close())

  const given = (spec: Partial<Project['spec']>, status: TaskStatus = READY): void => {
    world.kube.put(PROJECTS, aProject({ spec }))
    world.kube.put(TASKS, aTask({ spec: { project: 'project-a' }, status }))
  }
  const accept = async (): Promise<void> => {
    const outcome = decideTask(world.task(), { action: 'accept', by: 'ada', at: world.clock.now() }, NO_SURROUNDINGS)
    assert.equal(outcome.kind, 'allowed')
    if (outcome.kind === 'allowed') world.kube.put(TASKS, { ...world.task(), status: outcome.status })
    await world.sync()
  }
  const deliveries = (): Execution[] => world.kube.all(EXECUTIONS).filter(({ spec }) => spec.purpose === 'Deliver')
  const end = async (name: string, status: ExecutionStatus): Promise<void> => {
    const found = deliveries().find(({ metadata }) => metadata.name === name)
    assert.ok(found, `no execution ${name}`)
    const finishedAt = world.clock.now().toISOString()
    world.kube.put(EXECUTIONS, { ...found, status: { finishedAt, ...status } })
    await world.sync()
  }
  const failed = (message: string, category: 'git' | 'credentials' = 'git'): ExecutionStatus => ({
    state: 'FAILED',
    error: { category, message: text(message) },
    ...(category === 'git' ? { resumeAfter: '2026-01-01T00:00:00Z' } : {}),
  })

  it('stays on its branch where the project asks for nothing', async () => {
    given({})
    await accept()
    assert.deepEqual([deliveries(), world.task().status?.delivery], [[], undefined])
  })

  it('is delivered with what it was compared with and what was pushed of it, as an earlier version recorded it too', async () => {
    const { at: _, ...pushed } = REVIEWED.pushes[1]
    const { pushes: __, ...unrecorded } = REVIEWED
    const cases = [
      ['task-a-d1', { ...READY, ...unrecorded }, [{ found: REVIEWED.baseCommit, head: REVIEWED.head.commit }]],
      ['task-a-d2', { ...READY, ...unrecorded, deliveries: 1, pushes: [REVIEWED.pushes[1]] }, [pushed]],
    ] as const
    for (const [name, status, pushes] of cases) {
      given({ onAccept: 'Merge' }, unclipped<TaskStatus>(status))
      await accept()
      const run = runSpecOf(world.job(`${name}-run`))
      assert.deepEqual([run.baseCommit, run.pushes], [REVIEWED.baseCommit, pushes])
    }
  })

  it('is delivered once, by an Execution that carries the name of the task', async () => {
    given({ onAccept: 'Merge', defaultBranch: 'trunk', host: { type: 'Gitea' } })
    await accept()
    await world.sync()
    const [delivery, ...others] = deliveries()
    assert.deepEqual(others, [])
    assert.equal(delivery?.metadata.name, 'task-a-d1')
    assert.deepEqual(delivery?.spec.delivery, {
      kind: 'Merge',
      branch: 'slipway/task-a',
      commit: PUSHED,
      base: 'trunk',
      title: 'A task',
      text: 'It was done.',
      host: { type: 'Gitea' },
    })
    const begun = world.events.find(({ reason }) => reason === 'Delivering')
    assert.equal(begun?.message, 'task-a-d1 merges slipway/task-a into trunk')
    const { delivery: told } = world.task().status ?? {}
    assert.deepEqual([told?.state, told?.kind, told?.execution], ['Pending', 'Merge', 'task-a-d1'])
  })

  it('goes to the branch that the task itself names as its base, and a story’s task names none', async () => {
    given({ onAccept: 'Merge', defaultBranch: 'trunk' })
    const { spec, ...task } = world.task()
    world.kube.put(TASKS, { ...task, spec: { ...spec, baseBranch: 'feature' } })
    await accept()
    assert.equal(deliveries()[0]?.spec.delivery?.base, 'feature')
    assert.equal(baseBranchOf(aTask({ spec: { baseBranch: 'feature', storyId: 's' } }), undefined), undefined)
  })

  it('marks the files of its delivery as those of the task, with which they stay', async () => {
    given({ onAccept: 'Merge' })
    await accept()
    const mark = await readExecutionOwner(world.volumeRoot, 'task-a-d1')
    assert.deepEqual([mark?.uid, mark?.task], [deliveries()[0]?.metadata.uid, world.task().metadata.uid])
  })

  it('tells the commit and the page of the pull request', async () => {
    given({ onAccept: 'PullRequest' })
    await accept()
    const delivered = { commit: 'c'.repeat(40), url: 'https://git.example/pulls/1' }
    await end('task-a-d1', { state: 'COMPLETED', finishedAt: '2026-01-01T00:00:00Z', delivered })
    const { state, delivery } = world.task().status ?? {}
    assert.equal(state, 'COMPLETED')
    assert.deepEqual([delivery?.state, delivery?.commit, delivery?.url], ['Delivered', delivered.commit, delivered.url])
  })

  it('whose branch is gone is READY again at once: another try would find the same', async () => {
    given({ onAccept: 'Merge' })
    await accept()
    const { resumeAfter: _, ...gone } = failed('branch slipway/task-a is not on the remote any more')
    await end('task-a-d1', gone)
    const { state, delivery } = world.task().status ?? {}
    assert.deepEqual([state, delivery?.state, delivery?.retries], ['READY', 'Failed', undefined])
  })

  it('that conflicts is READY again with the files named, and delivered anew when it is accepted again', async () => {
    given({ onAccept: 'Merge' })
    await accept()
    await end('task-a-d1', { ...failed('branch slipway/task-a conflicts with main in a'), conflicts: ['a'] })
    const { state, delivery } = world.task().status ?? {}
    assert.deepEqual([state, delivery?.state, delivery?.files], ['READY', 'Conflict', ['a']])
    assert.match(delivery?.message ?? '', /conflicts with main/)
    assert.equal(world.events.at(-1)?.reason, 'DeliveryConflict')
    await accept()
    assert.equal(world.task().status?.delivery?.execution, 'task-a-d2')
  })

  it('whose branch has moved on is READY again, and the commit that was found is what the next accept delivers', async () => {
    given({ onAccept: 'Merge' })
    await accept()
    const found = 'b'.repeat(40)
    const changes = { files: 2, insertions: 3, deletions: 0 }
    await end('task-a-d1', { ...failed('the branch is at b, but a was reviewed'), head: found, changes })
    const { state, delivery, head, changes: shown } = world.task().status ?? {}
    assert.deepEqual(
      [state, delivery?.state, delivery?.reviewed, head?.commit, shown],
      ['READY', 'Moved', found, found, changes],
    )
    assert.equal(world.events.at(-1)?.reason, 'BranchMoved')
    await accept()
    const [, again] = deliveries()
    assert.deepEqual([again?.metadata.name, again?.spec.delivery?.commit], ['task-a-d2', found])
  })

  it('is delivered as it was accepted, also by a further try', async () => {
    given({ onAccept: 'Merge' })
    await accept()
    const task = world.task()
    const head = { commit: 'c'.repeat(40), at: '2030-01-01T00:00:00Z' }
    world.kube.put(TASKS, { ...task, status: { ...task.status, head } })
    await end('task-a-d1', failed('the host cannot be reached'))
    await world.clock.advance(60_000)
    await world.sync()
    assert.deepEqual(
      deliveries().map(({ spec }) => spec.delivery?.commit),
      [PUSHED, PUSHED],
    )
  })

  it('is tried again after 1, 5 and 15 minutes when the remote fails, then READY again with the reason', async () => {
    given({ onAccept: 'Merge' })
    await accept()
    for (const [n, minutes] of [1, 5, 15].entries()) {
      await end(`task-a-d${n + 1}`, failed('the host cannot be reached'))
      assert.equal(world.task().status?.state, 'COMPLETED')
      await world.clock.advance(minutes * 60_000 - 1000)
      await world.sync()
      assert.equal(deliveries().length, n + 1)
      await world.clock.advance(1000)
      await world.sync()
      assert.equal(world.task().status?.delivery?.execution, `task-a-d${n + 2}`)
    }
    await end('task-a-d4', failed('the host cannot be reached'))
    const { state, delivery } = world.task().status ?? {}
    assert.deepEqual([state, delivery?.state, delivery?.message], ['READY', 'Failed', 'the host cannot be reached'])
  })

  it('is not tried again where a person must mend the credentials first', async () => {
    given({ onAccept: 'PullRequest' })
    await accept()
    await end('task-a-d1', failed('a pull request needs a token', 'credentials'))
    assert.deepEqual([world.task().status?.state, world.task().status?.delivery?.state], ['READY', 'Failed'])
  })

  it('of before the project asked for it is left where it is', async () => {
    given({ onAccept: 'Merge' }, { ...READY, state: 'COMPLETED' })
    await world.sync()
    assert.deepEqual(deliveries(), [])
  })

  it('without a branch has nothing to deliver', async () => {
    given({ onAccept: 'Merge' }, { state: 'READY' })
    await accept()
    assert.deepEqual([deliveries(), world.task().status?.delivery], [[], undefined])
  })

  it('forgets a delivery that failed when the task is run anew', async () => {
    const delivery = { state: 'Conflict', kind: 'Merge', files: ['a'] } as const
    given({ onAccept: 'Merge' }, { state: 'FAILED', delivery })
    const outcome = decideTask(world.task(), { action: 'run', by: 'ada', at: world.clock.now() }, NO_SURROUNDINGS)
    assert.ok(outcome.kind === 'allowed' && outcome.status.delivery === undefined)
  })

  describe('of a story', () => {
    const story = () => world.kube.all(STORIES)[0]
    const syncAll = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        await syncStory(world.context, { namespace: NAMESPACE, name: 'story-a' })
        await world.sync()
      }
    }
    beforeEach(() => {
      world.kube.put(PROJECTS, aProject({ spec: { onAccept: 'Merge' } }))
      const annotations = { 'slipway.dev/action': 'accept' }
      const spec = { projectId: 'project-a', branchName: 'story/shop', spec: 'A shop.' }
      world.kube.put(STORIES, aStory({ metadata: { annotations }, spec, status: { status: 'REVIEW_READY' } }))
      for (const [name, dependsOn, at] of [
        // Run once more after the other: its push is the last.
        ['task-a', [], '2025-01-01T02:00:00Z'],
        ['task-b', ['task-a'], '2025-01-01T01:00:00Z'],
      ] as const) {
        const { repositoryUrl: _, ...rest } = aTask({ spec: { storyId: 'story-a', dependsOn } }).spec
        const head = { commit: name === 'task-a' ? PUSHED : 'd'.repeat(40), at }
        const status = { state: 'READY', branch: 'story/shop', finishedAt: '2025-01-01T00:00:00Z', head } as const
        world.kube.put(TASKS, { ...aTask({ name, status }), spec: rest })
      }
    })

    it('is delivered once when the story is accepted, and told on the last task of its chain', async () => {
      await syncAll()
      assert.equal(story()?.status?.status, 'DONE')
      const [delivery, ...others] = deliveries()
      assert.deepEqual([delivery?.metadata.name, others], ['task-b-d1', []])
      const { branch, title, text, commit } = delivery?.spec.delivery ?? {}
      assert.deepEqual([branch, title, text, commit], ['story/shop', 'A story', 'A shop.', PUSHED])
      await end('task-b-d1', { state: 'COMPLETED', delivered: { commit: 'c'.repeat(40) } })
      await syncAll()
      assert.equal(deliveries().length, 1)
      const told = (name: string): unknown => [world.task(name).status?.state, world.task(name).status?.delivery?.state]
      assert.deepEqual(
        [told('task-a'), told('task-b')],
        [
          ['READY', undefined],
          ['READY', 'Delivered'],
        ],
      )
    })

    it('is told on a task that is done, where the end of its chain is not', async () => {
      const end = world.task('task-b')
      for (const [carrier, status] of [
        ['task-a', { state: 'CANCELLED' }],
        ['task-a', { ...end.status, state: 'CANCELLED' }],
        ['task-a', { ...end.status, state: 'FAILED' }],
        // What it pushes until it ends is shown then.
        ['task-b', { ...end.status, state: 'RUNNING' }],
        // Of work that was done before it joined the story.
        ['task-a', { ...end.status, branch: 'slipway/task-b' }],
      ] as const) {
        world.kube.put(TASKS, { ...end, status })
        const found = findCarrier(story() ?? aStory(), world.kube.all(TASKS))
        assert.equal(found?.metadata.name, carrier, JSON.stringify(status))
      }
      const elsewhere = { ...end, spec: { ...end.spec, repositoryUrl: 'https://git.example/other.git' } }
      assert.equal(findCarrier(story() ?? aStory(), [world.task('task-a'), elsewhere])?.metadata.name, 'task-a')
      world.kube.put(TASKS, { ...end, status: { state: 'CANCELLED' } })
      await syncAll()
      assert.deepEqual(
        deliveries().map(({ metadata, spec }) => [metadata.name, spec.delivery?.commit]),
        [['task-a-d1', PUSHED]],
      )
    })

    it('is delivered although no task of it is done any more', async () => {
      const end = world.task('task-b')
      world.kube.put(TASKS, { ...world.task('task-a'), status: { state: 'CANCELLED' } })
      world.kube.put(TASKS, { ...end, status: { ...end.status, state: 'FAILED' } })
      await syncAll()
      assert.deepEqual(
        deliveries().map(({ metadata, spec }) => [metadata.name, spec.delivery?.commit]),
        [['task-b-d1', 'd'.repeat(40)]],
      )
    })

    for (const state of ['PENDING', 'QUEUED', 'BLOCKED', 'CANCELLED'] as const)
      it(`is delivered although the task that carries it is ${state} by then`, async () => {
        await syncAll()
        world.kube.put(TASKS, { ...world.task('task-b'), status: { ...world.task('task-b').status, state } })
        await end('task-b-d1', { state: 'COMPLETED', delivered: { commit: 'c'.repeat(40) } })
        assert.equal(world.task('task-b').status?.delivery?.state, 'Delivered')
      })

    it('is not delivered by who accepts one of its tasks', async () => {
      await accept()
      assert.deepEqual(deliveries(), [])
    })

    it('is delivered without what a task pushed after it was accepted, in the same second or by a clock behind', async () => {
      await syncStory(world.context, { namespace: NAMESPACE, name: 'story-a' })
      assert.equal(story()?.status?.accepted?.commit, PUSHED)
      for (const at of [story()?.status?.accepted?.at ?? '', '2025-01-01T03:00:00Z']) {
        const task = world.task('task-a')
        const head = { commit: 'e'.repeat(40), at }
        world.kube.put(TASKS, { ...task, status: { ...task.status, head } })
      }
      await syncAll()
      assert.deepEqual(
        deliveries().map(({ spec }) => spec.delivery?.commit),
        [PUSHED],
      )
    })

    it('that an earlier version let be accepted is delivered as of the time of that', async () => {
      const { metadata, spec } = story() ?? aStory()
      const accepted = { by: 'ann', at: '2025-01-01T01:30:00Z' }
      world.kube.put(
        STORIES,
        aStory({ metadata: { ...metadata, annotations: {} }, spec, status: { status: 'DONE', accepted } }),
      )
      await syncAll()
      assert.equal(deliveries()[0]?.spec.delivery?.commit, 'd'.repeat(40))
    })

    it('whose branch has moved on is delivered as it was found, by who accepts its last task', async () => {
      await syncAll()
      await end('task-b-d1', { ...failed('moved'), head: 'f'.repeat(40) })
      const { status } = world.task('task-b')
      assert.deepEqual([status?.delivery?.state, status?.head?.commit], ['Moved', 'd'.repeat(40)])
      const outcome = decideTask(
        world.task('task-b'),
        { action: 'accept', by: 'ada', at: world.clock.now() },
        NO_SURROUNDINGS,
      )
      assert.ok(outcome.kind === 'allowed')
      world.kube.put(TASKS, { ...world.task('task-b'), status: outcome.status })
      await syncAll()
      assert.equal(deliveries().at(-1)?.spec.delivery?.commit, 'f'.repeat(40))
    })

    it('that conflicts leaves its task READY, and accepting that delivers the story anew', async () => {
      await syncAll()
      await end('task-b-d1', { ...failed('conflicts'), conflicts: ['a'] })
      const { status } = world.task('task-b')
      assert.deepEqual([status?.state, status?.delivery?.state], ['READY', 'Conflict'])
      const outcome = decideTask(
        world.task('task-b'),
        { action: 'accept', by: 'ada', at: world.clock.now() },
        NO_SURROUNDINGS,
      )
      assert.ok(outcome.kind === 'allowed')
      world.kube.put(TASKS, { ...world.task('task-b'), status: outcome.status })
      await syncAll()
      assert.equal(world.task('task-b').status?.delivery?.execution, 'task-b-d2')
    })

    it('is not delivered when the project asks for it only after the story was accepted', async () => {
      world.kube.put(PROJECTS, aProject())
      await syncAll()
      world.kube.put(PROJECTS, aProject({ spec: { onAccept: 'Merge' } }))
      world.kube.put(TASKS, aTask({ name: 'task-c', spec: { storyId: 'story-a' }, status: { state: 'CANCELLED' } }))
      await syncAll()
      assert.deepEqual(deliveries(), [])
    })
  })
})
