import assert from 'node:assert/strict'
import type { Conditioned } from '../../core/conditions.ts'
import { AGENTS, EPICS, EXECUTIONS, PROJECTS, STORIES } from '../../kube/resources.ts'
import { type KubeObject, type Resource, KubeError } from '../../kube/types.ts'
import type { Action } from '../../operator/action.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { syncEpic } from '../../operator/epic/controller.ts'
import { syncProject } from '../../operator/project/controller.ts'
import { syncStory } from '../../operator/story/controller.ts'
import { anAgent, anExecution, aProject, aStory, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const WORDS = 'status.message: Too long: may not be more than 32768 bytes'

/** A write that the API server refuses once as invalid, and what it must come to. */
interface Refusal {
  /** As the Kubernetes in memory names it. */
  readonly write: RegExp
  readonly given: (world: World) => void | Promise<void>
  /** Lets the operator work until nothing changes; default: at its tasks and queries. */
  readonly sync?: (world: World) => Promise<unknown>
  /** Where the object stands that was to be written; a task by its state. */
  readonly end: (world: World) => unknown
  readonly expected: unknown
}

const queued = (world: World, spec = {}): void => {
  world.kube.put(AGENTS, anAgent())
  world.given({ spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
}
const ended = async (world: World): Promise<void> => {
  queued(world)
  await world.sync()
  await world.endJob('task-a-1-run')
}
const query = (world: World): void => {
  world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {} } }))
  const { taskRef: _, attempt: __, ...rest } = anExecution().spec
  const spec = { ...rest, agent: 'claude', purpose: 'Elaborate', answerSchema: 'TaskDraft' } as const
  world.kube.put(EXECUTIONS, { ...anExecution({ name: 'elaborate-a' }), spec })
}
/** The task has failed with the words of the API server, and its slot is free. */
const task = (world: World): unknown => {
  const { state, error, resumeAfter } = world.task().status ?? {}
  return [state, error?.message.includes(WORDS) ?? false, resumeAfter, world.holderOf('slipway-slot-script-1')]
}
const FAILED = ['FAILED', true, undefined, undefined]
const READY = ['READY', false, undefined, undefined]
const stalled =
  <T extends KubeObject & Conditioned>(resource: Resource<T>) =>
  (world: World): unknown =>
    world.kube.all(resource).map(({ status }) => status?.conditions?.map(({ type, message }) => [type, message])[0])
const STALLED = [['Stalled', WORDS]]
const of = (name: string) => ({ namespace: NAMESPACE, name })

const WRITES = {
  takeSlot: { write: /^create Lease slipway-slot-/, given: queued, end: task, expected: FAILED },
  takeBranch: {
    write: /^create Lease slipway-branch-/,
    given: (world) => {
      world.kube.put(STORIES, aStory())
      queued(world, { storyId: 'story-a' })
    },
    end: task,
    expected: FAILED,
  },
  createExecution: { write: /^create Execution/, given: queued, end: task, expected: FAILED },
  createJob: { write: /^create Job/, given: queued, end: task, expected: FAILED },
  writeTask: { write: /^status Task/, given: ended, end: task, expected: FAILED },
  writeExecution: { write: /^status Execution/, given: ended, end: task, expected: FAILED },
  // What was done stands; only what comes after it is put off.
  releaseSlot: { write: /^(replace|delete) Lease/, given: ended, end: task, expected: READY },
  removeFinalizer: { write: /^patch Execution/, given: ended, end: task, expected: READY },
  writeAgent: {
    write: /^status Agent/,
    given: (world) => void world.kube.put(AGENTS, anAgent()),
    sync: (world) => syncAgent(world.context, of('script')),
    end: stalled(AGENTS),
    expected: STALLED,
  },
  clearAnnotations: {
    write: /^patch Agent/,
    given: (world) =>
      void world.kube.put(AGENTS, anAgent({ metadata: { annotations: { 'slipway.dev/action': 'undrain' } } })),
    sync: (world) => syncAgent(world.context, of('script')),
    end: stalled(AGENTS),
    expected: STALLED,
  },
  writeStory: {
    write: /^status Story/,
    given: (world) => void world.kube.put(STORIES, aStory()),
    sync: (world) => syncStory(world.context, of('story-a')),
    end: stalled(STORIES),
    expected: STALLED,
  },
  createStoryEvent: {
    write: /^create StoryEvent/,
    given: (world) => {
      const accepted = { by: 'kim', at: '2026-01-01T00:00:00Z' }
      world.kube.put(STORIES, aStory({ status: { status: 'DONE', accepted } }))
    },
    sync: (world) => syncStory(world.context, of('story-a')),
    end: stalled(STORIES),
    expected: STALLED,
  },
  writeEpic: {
    write: /^status Epic/,
    given: (world) => {
      const epic = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Epic', spec: { title: 'An epic' } } as const
      world.kube.put(EPICS, { ...epic, metadata: { name: 'epic-a', namespace: NAMESPACE } })
    },
    sync: (world) => syncEpic(world.context, of('epic-a')),
    end: stalled(EPICS),
    expected: STALLED,
  },
  writeProject: {
    write: /^status Project/,
    given: (world) => void world.kube.put(PROJECTS, aProject()),
    sync: (world) => syncProject(world.context, of('project-a')),
    end: stalled(PROJECTS),
    expected: STALLED,
  },
  addMessage: 'is writeExecution, and others of these',
  together: 'writes others of these',
  askAgent: 'is tried below, as createExecution of another controller',
  deleteExecution: 'sends nothing that could be invalid',
  deleteJob: 'sends nothing that could be invalid',
  recordEvent: 'is best effort',
  prepareVolume: 'writes to the volume',
  writeMessages: 'writes to the volume',
  takeBackCredentials: 'writes to the volume',
  keepSandbox: 'writes to the volume',
  keepServiceLogs: 'writes to the volume',
  removeFolders: 'writes to the volume',
} satisfies Record<Action['kind'], Refusal | string>

describe('a write that the API server refuses as invalid', () => {
  let world: World
  let refused: string[]
  beforeEach(async () => {
    refused = []
    world = await openWorld({ allowUnsandboxed: true })
  })
  afterEach(() => world.close())

  const refuse = (pattern: RegExp, times: number): void => {
    world.kube.onWrite = (moment, write) => {
      if (moment === 'after' || !pattern.test(write) || refused.length >= times) return
      refused.push(write)
      throw new KubeError(422, 'Invalid', WORDS)
    }
  }

  for (const [kind, refusal] of Object.entries<Refusal | string>(WRITES)) {
    if (typeof refusal === 'string') continue
    const { write, given, sync = (of: World) => of.sync(), end, expected } = refusal
    it(`ends what ${kind} was for, with the cause, and is not tried for ever`, async () => {
      await given(world)
      refuse(write, 1)
      await sync(world)
      assert.equal(refused.length, 1)
      assert.deepEqual(end(world), expected)
      const told = world.events.filter(({ reason, message }) => reason === 'Refused' && message === WORDS)
      assert.equal(told.length, 1)
    })
  }

  it('ends a query whose Job is refused', async () => {
    query(world)
    refuse(/^create Job/, 1)
    await world.sync()
    const { state, error } = world.execution('elaborate-a') ?? {}
    assert.deepEqual([state, error?.message.includes(WORDS)], ['FAILED', true])
  })

  it('that is refused for good is written once more only when something changes', async () => {
    world.kube.put(STORIES, aStory())
    const { onWrite } = world.kube
    await syncStory(world.context, of('story-a'))
    assert.equal(world.kube.onWrite, onWrite)
    const stored = world.kube.all(STORIES)[0]
    world.kube.put(STORIES, { ...aStory(), ...stored, spec: { title: 'x', acceptanceCriteria: ['a'] } })
    const replaceStatus: World['kube']['replaceStatus'] = async (resource, object) => {
      const { conditions = [] } = (object as Conditioned).status ?? {}
      if (conditions[0]?.reason !== 'Refused') throw new KubeError(422, 'Invalid', WORDS)
      return world.kube.replaceStatus(resource, object)
    }
    const context = { ...world.context, client: { ...world.kube, replaceStatus } }
    world.kube.put(STORIES, aStory({ status: { status: 'IN_PROGRESS' } }))
    assert.equal(await syncStory(context, of('story-a')), undefined)
    const version = () => world.kube.all(STORIES)[0]?.metadata.resourceVersion
    const before = version()
    assert.equal(await syncStory(context, of('story-a')), undefined)
    assert.deepEqual([version(), stalled(STORIES)(world)], [before, STALLED])
    await syncStory(world.context, of('story-a'))
    assert.notEqual(stalled(STORIES)(world), STALLED)
  })
})
