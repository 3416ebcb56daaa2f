/** Executions that somebody made who may create them, and nothing else. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution, ExecutionSpec, TaskStatus } from '../../core/crd/types.ts'
import { decideTask, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { AGENTS, EXECUTIONS, PROJECTS, STORIES, TASKS } from '../../kube/resources.ts'
import { anAgent, anExecution, aProject, aStory, aTask } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

const REVIEWED = 'a'.repeat(40)
const OTHER = 'b'.repeat(40)
const READY: TaskStatus = {
  state: 'READY',
  branch: 'slipway/task-a',
  head: { commit: REVIEWED, at: '2025-01-01T00:00:00Z' },
}

describe('an Execution that somebody made by hand', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    world.kube.put(AGENTS, anAgent())
    world.kube.put(PROJECTS, aProject({ spec: { onAccept: 'Merge' } }))
    world.kube.put(TASKS, aTask({ spec: { project: 'project-a' }, status: READY }))
  })
  afterEach(() => world.close())

  const forge = (name: string, spec: ExecutionSpec, owned = true): Execution => {
    const owner = {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Task',
      name: 'task-a',
      uid: 'uid-task-a',
      controller: true,
    }
    const labels = { 'slipway.dev/task': 'task-a', 'slipway.dev/execution': name, 'slipway.dev/agent': 'script' }
    const metadata = { labels, ...(owned ? { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] } : {}) }
    return world.kube.put(EXECUTIONS, { ...anExecution({ name, metadata }), spec })
  }
  const merge = (name: string, commit = OTHER, spec: Partial<ExecutionSpec> = {}): Execution =>
    forge(name, {
      purpose: 'Deliver',
      taskRef: { name: 'task-a' },
      delivery: { kind: 'Merge', branch: 'slipway/task-a', commit, title: 'A task' },
      ...spec,
    })
  const accept = async (): Promise<void> => {
    const outcome = decideTask(world.task(), { action: 'accept', by: 'ada', at: world.clock.now() }, NO_SURROUNDINGS)
    assert.ok(outcome.kind === 'allowed')
    world.kube.put(TASKS, { ...world.task(), status: outcome.status })
    await world.sync()
  }
  const refused = async (name: string, why: RegExp): Promise<void> => {
    await world.sync()
    const { state, error } = world.execution(name) ?? {}
    assert.equal(state, 'CANCELLED')
    assert.match(error?.message ?? '', why)
    assert.equal(world.job(`${name}-run`), undefined)
  }

  describe('to deliver', () => {
    it('moves nothing while nobody has accepted the work', async () => {
      merge('mine')
      await refused('mine', /not delivered: nobody has accepted the work of task task-a/)
    })

    it('moves nothing for a task that there is not, or of which it says nothing', async () => {
      merge('of-another', OTHER, { taskRef: { name: 'nobody' } })
      await refused('of-another', /task nobody does not exist/)
      const { taskRef: _, ...spec } = merge('of-none').spec
      world.kube.put(EXECUTIONS, { ...merge('of-none'), spec })
      await refused('of-none', /does not exist/)
    })

    it('moves nothing where the project asks for no delivery, or for another', async () => {
      world.kube.put(PROJECTS, aProject())
      await accept()
      merge('task-a-d1', REVIEWED)
      await refused('task-a-d1', /nobody has accepted/)
      const delivery = { state: 'Pending', requestedAt: '2026-01-01T00:00:00Z', reviewed: REVIEWED } as const
      world.kube.put(PROJECTS, aProject({ spec: { onAccept: 'PullRequest' } }))
      world.kube.put(
        TASKS,
        aTask({ spec: { project: 'project-a' }, status: { ...READY, state: 'COMPLETED', delivery } }),
      )
      merge('task-a-d7', REVIEWED)
      await refused('task-a-d7', /asks for no such delivery: its onAccept is PullRequest/)
    })

    it('does not take the place of the accepted one, whatever it says, before the accept or after it', async () => {
      merge('task-a-d1')
      await refused('task-a-d1', /nobody has accepted/)
      await accept()
      assert.equal(world.task().status?.delivery?.execution, 'task-a-d2')
      assert.equal(runSpecOf(world.job('task-a-d2-run')).delivery?.commit, REVIEWED)
    })

    for (const [what, spec] of [
      ['another commit', { delivery: { kind: 'Merge', branch: 'slipway/task-a', commit: OTHER } }],
      ['another branch', { delivery: { kind: 'Merge', branch: 'evil', commit: REVIEWED } }],
      ['another base', { delivery: { kind: 'Merge', branch: 'slipway/task-a', commit: REVIEWED, base: 'release' } }],
      ['another repository', { repositoryUrl: 'https://git.example/other.git' }],
      ['another project', { projectRef: { name: 'project-b' } }],
    ] as const)
      it(`is passed over where it has the name of the accepted one and names ${what}`, async () => {
        const outcome = decideTask(
          world.task(),
          { action: 'accept', by: 'ada', at: world.clock.now() },
          NO_SURROUNDINGS,
        )
        assert.ok(outcome.kind === 'allowed')
        world.kube.put(TASKS, { ...world.task(), status: outcome.status })
        merge('task-a-d1', REVIEWED, spec)
        await world.syncQuery('task-a-d1')
        assert.match(world.execution('task-a-d1')?.error?.message ?? '', /not the delivery that was accepted/)
        await world.sync()
        const { delivery } = world.task().status ?? {}
        assert.equal(delivery?.execution, 'task-a-d2')
        const { commit, branch } = runSpecOf(world.job('task-a-d2-run')).delivery ?? {}
        assert.deepEqual([commit, branch], [REVIEWED, 'slipway/task-a'])
      })

    it('makes no branch of a story whose plan nobody has approved, and none twice', async () => {
      const spec: ExecutionSpec = {
        purpose: 'Deliver',
        storyRef: { name: 'story-a' },
        projectRef: { name: 'project-a' },
        repositoryUrl: 'https://git.example/repo.git',
        ttlSecondsAfterFinished: 7 * 24 * 3600,
        delivery: { kind: 'CreateBranch', branch: 'story/story-a' },
      }
      forge('deliver-story-b', { ...spec, storyRef: { name: 'story-b' } })
      await refused('deliver-story-b', /story story-b does not exist/)
      const story = aStory({ spec: { projectId: 'project-a' } })
      world.kube.put(STORIES, story)
      forge('deliver-story-a', spec)
      await refused('deliver-story-a', /nobody has approved the plan of story story-a/)
      const decisions = [{ action: 'approve', by: 'ann', at: '2026-01-01T00:00:00Z' }] as const
      world.kube.put(STORIES, { ...story, status: { decisions, branch: { created: true } } })
      forge('another', spec)
      await refused('another', /was made before/)
      world.kube.put(STORIES, { ...story, status: { decisions } })
      forge('third', spec)
      await refused('third', /not the delivery that was accepted, which is deliver-story-a/)
    })

    it('is decided by the server, not by a cache that has yet to hear of the accept', async () => {
      const outcome = decideTask(world.task(), { action: 'accept', by: 'ada', at: world.clock.now() }, NO_SURROUNDINGS)
      assert.ok(outcome.kind === 'allowed')
      const stale = world.task()
      world.kube.put(TASKS, { ...stale, status: outcome.status })
      merge('task-a-d1', REVIEWED)
      const views = { ...world.context.views, tasks: { ...world.context.views.tasks, get: () => stale } }
      Object.assign(world.context, { views })
      await world.syncQuery('task-a-d1')
      assert.notEqual(world.job('task-a-d1-run'), undefined)
    })
  })

  describe('with the name of a task', () => {
    for (const state of ['FAILED', 'RUNNING'] as const)
      it(`leaves clone and home of the ${state} task alone, at its end and when it is deleted`, async () => {
        const home = join(world.volumeRoot, 'sandboxes/task-a/home')
        await mkdir(join(world.volumeRoot, 'sandboxes/task-a/repo/.git'), { recursive: true })
        await mkdir(home, { recursive: true })
        await writeFile(join(home, 'session'), 'kept')
        world.kube.put(TASKS, aTask({ status: { state, executions: 1, execution: 'other' } }))
        const made = forge('task-a', { purpose: 'Elaborate', agent: 'script', answerSchema: 'TaskDraft' }, false)
        await world.syncQuery('task-a')
        const run = runSpecOf(world.job('task-a-run'))
        assert.notEqual(run.sandbox ?? run.task, 'task-a')
        assert.doesNotMatch(JSON.stringify(world.job('task-a-run')), /sandboxes\/task-a["/]/)
        await world.endJob('task-a-run', { outcome: { answer: 'Usable' } })
        await world.syncQuery('task-a')
        assert.ok(existsSync(join(home, 'session')))
        await world.kube.delete(EXECUTIONS, made.metadata)
        await world.syncQuery('task-a')
        assert.ok(existsSync(join(home, 'session')))
      })
  })

  describe('to do the work of a task', () => {
    beforeEach(() => {
      world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    })
    const wanted: ExecutionSpec = { taskRef: { name: 'task-a' }, agent: 'script', attempt: 1, purpose: 'Run' }

    for (const [what, spec, owned] of [
      ['names a branch of its own', { ...wanted, branch: 'release' }, true],
      ['names another repository', { ...wanted, repositoryUrl: 'https://git.example/other.git' }, true],
      ['is about another task', { ...wanted, taskRef: { name: 'task-b' } }, true],
      ['is nobody’s', wanted, false],
    ] as const)
      it(`is passed over where it ${what}`, async () => {
        forge('task-a-1', spec, owned)
        await world.sync()
        assert.equal(world.task().status?.execution, 'task-a-2')
        assert.equal(world.job('task-a-1-run'), undefined)
        assert.equal(runSpecOf(world.job('task-a-2-run')).branch, 'slipway/task-a')
      })
  })
})
