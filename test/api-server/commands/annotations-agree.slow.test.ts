// Runs on a real kube-apiserver too.
/**
 * One decision, two ways in: the same objects are given to an API server, which is asked over REST, and to an operator,
 * which finds an annotation. Both must refuse in the same words, or leave the same behind.
 */
import assert from 'node:assert/strict'
import { STORY_STATUS_VALUES, TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { Agent, Story, Task, TaskStatus } from '../../../core/crd/types.ts'
import { type HumanTrigger, HUMAN_TRIGGERS } from '../../../core/task/transitions.ts'
import { AGENTS, STORIES, TASKS } from '../../../kube/resources.ts'
import { syncAgent } from '../../../operator/agent/controller.ts'
import { applyStep } from '../../../operator/apply.ts'
import { syncStory } from '../../../operator/story/controller.ts'
import { reconcileAnnotation } from '../../../operator/task/annotation.ts'
import { observeTask } from '../../../operator/task/observe.ts'
import { anAgent, aStory, aTask, NAMESPACE, text } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type World, openWorld } from '../../operator/world.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

/** What stands around the task that is decided on; every name is made of the task's. */
interface Surroundings {
  readonly title: string
  /** Status of the story of the task; absent: it has none. */
  readonly story?: 'IN_PROGRESS' | 'DONE'
  /** States of a chain of dependencies, the nearest first, and the status of their story. */
  readonly dependencies?: readonly NonNullable<TaskStatus['state']>[]
  readonly theirStory?: 'IN_PROGRESS' | 'DONE'
  /** The agent that a run asks for. */
  readonly agent?: 'script' | 'gemini' | 'nobody'
  readonly answer?: string
  readonly comment?: string
  /** The actions that look at it. Default: all. */
  readonly actions?: readonly HumanTrigger[]
}

const WORK: readonly HumanTrigger[] = ['run', 'resume', 'answer', 'revise']

const SURROUNDINGS: readonly Surroundings[] = [
  { title: 'alone' },
  { title: 'in a story', story: 'IN_PROGRESS', actions: ['run'] },
  { title: 'in a DONE story', story: 'DONE' },
  {
    title: 'behind failed tasks',
    dependencies: ['FAILED', 'QUEUED', 'CANCELLED', 'PENDING', 'TIMED_OUT'],
    actions: WORK,
  },
  { title: 'behind a failed task of a DONE story', dependencies: ['FAILED'], theirStory: 'DONE', actions: WORK },
  {
    title: 'behind a failed task of a DONE story, two away',
    dependencies: ['RUNNING', 'FAILED'],
    theirStory: 'DONE',
    actions: ['run'],
  },
  { title: 'behind a done task of a DONE story', dependencies: ['COMPLETED'], theirStory: 'DONE', actions: ['run'] },
  {
    title: 'behind a failed task of an open story',
    dependencies: ['FAILED'],
    theirStory: 'IN_PROGRESS',
    actions: ['run'],
  },
  { title: 'asked to run by its own agent', agent: 'script', actions: ['run'] },
  { title: 'asked to run by another agent', agent: 'gemini', actions: ['run'] },
  { title: 'asked to run by an agent that is not there', agent: 'nobody', actions: ['run'] },
  { title: 'answered with nothing', answer: ' ', actions: ['answer'] },
  { title: 'to be changed nobody says how', comment: ' ', actions: ['revise', 'reject'] },
]

interface Cell {
  readonly task: Task
  readonly others: readonly Task[]
  readonly stories: readonly Story[]
}

function makeCell(name: string, status: TaskStatus, seen: Surroundings): Cell {
  const { story, theirStory, dependencies = [] } = seen
  const nameOf = (i: number): string => `${name}-d${i}`
  const theirs = theirStory === undefined ? {} : { storyId: `${name}-theirs` }
  const others = dependencies.map((state, i) => {
    const next = i + 1 < dependencies.length ? { dependsOn: [nameOf(i + 1)] } : {}
    return aTask({ name: nameOf(i), spec: { ...theirs, ...next }, status: { state, agent: { type: 'script' } } })
  })
  const own = story === undefined ? {} : { storyId: `${name}-own` }
  const behind = others.length === 0 ? {} : { dependsOn: [nameOf(0)] }
  return {
    task: aTask({ name, spec: { ...own, ...behind }, status }),
    others,
    stories: [
      ...(story === undefined ? [] : [aStory({ name: `${name}-own`, status: { status: story } })]),
      ...(theirStory === undefined ? [] : [aStory({ name: `${name}-theirs`, status: { status: theirStory } })]),
    ],
  }
}

/** What a decision leaves on a task, without when, by whom and through what; the world's tasks have no generation. */
function leftOn({ status = {} }: Task) {
  const {
    lastAction: _,
    observedGeneration: __,
    conditions,
    decisions = [],
    queuedAt,
    finishedAt,
    cancelRequestedAt,
    ...rest
  } = status
  return {
    ...rest,
    agent: rest.agent?.chosenBy === 'Request' ? { ...rest.agent, reason: 'asked for' } : rest.agent,
    conditions: conditions?.map(({ type, status: holds, reason, message }) => [type, holds, reason, message]),
    decisions: decisions.map(({ action, comment }) => [action, comment]),
    times: [queuedAt, finishedAt, cancelRequestedAt].map((time) => time !== undefined),
  }
}

describe('a decision over REST and by annotation', () => {
  let api: Rig
  let world: World
  before(async () => {
    api = await startRig()
    world = await openWorld()
    for (const agent of [anAgent(), anAgent({ name: 'gemini', spec: { adapter: 'gemini' } })]) {
      if (agent.metadata.name !== 'script') await api.givenAgent(agent)
      world.kube.put(AGENTS, agent)
    }
  })
  after(() => Promise.all([api.stop(), world.close()]))

  const give = async ({ task, others, stories }: Cell, annotations: Record<string, string>): Promise<void> => {
    for (const story of stories) {
      await api.givenStory(story)
      world.kube.put(STORIES, story)
    }
    for (const other of [...others.toReversed(), task]) {
      await api.given(other)
      world.kube.put(TASKS, other)
    }
    world.kube.put(TASKS, { ...task, metadata: { ...task.metadata, annotations } })
  }
  const annotate = async (name: string): Promise<{ readonly refused: string | undefined; readonly said: string }> => {
    const events = world.events.length
    const seen = await observeTask(world.context, { namespace: NAMESPACE, name })
    assert.ok(seen)
    await applyStep(world.context, reconcileAnnotation(seen)?.actions ?? [])
    const said = world.events.slice(events).map(({ regarding, message }) => `${regarding.metadata.name}: ${message}`)
    return { refused: world.task(name).status?.lastAction?.refused, said: said.join('\n') }
  }
  const compareTasks = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const stored = await api.client.get(TASKS, { namespace: api.namespace, name })
      assert.deepEqual(leftOn(world.task(name)), leftOn(stored), name)
    }
  }

  const question = { items: [{ text: text('Which?') }] }
  const statuses: readonly TaskStatus[] = [
    ...TASK_STATE_VALUES.map((state) => ({ state })),
    { state: 'BLOCKED', question },
    { state: 'FAILED', resumeAfter: '2099-01-01T00:00:00Z' },
  ]
  let count = 0
  for (const seen of SURROUNDINGS) {
    for (const action of seen.actions ?? HUMAN_TRIGGERS) {
      it(`comes to the same for ${action} of a task ${seen.title}, in every state`, async () => {
        for (const status of statuses) {
          const cell = makeCell(`t${(count += 1)}`, status, seen)
          const { name } = cell.task.metadata
          const { agent, answer = 'this', comment = 'why' } = seen
          const given = { comment, answer, ...(agent === undefined ? {} : { agent }) }
          const notes = Object.entries({ action, ...given }).map(([key, text]) => [`slipway.dev/${key}`, text])
          await give(cell, Object.fromEntries(notes))
          const offered = itemsOf(at((await api.get(`/api/tasks/${name}`)).body, 'actions'))
          const query = agent === undefined ? '' : `?agent=${agent}`
          const body = action === 'answer' ? { answer } : { comment }
          const response = await api.post(
            `/api/tasks/${name}/${action}${action === 'run' ? query : ''}`,
            action === 'reject' || action === 'revise' || action === 'answer' ? body : undefined,
          )
          const { refused, said } = await annotate(name)
          const cellName = `${action} of ${JSON.stringify(status)} ${seen.title}`
          assert.equal(at(response.body, 'error'), refused, cellName)
          if (refused === undefined) assert.ok(said.includes(textAt(response.body, 'message')), `${cellName}: ${said}`)
          assert.equal(offered.includes(action), response.status !== 409, cellName)
          await compareTasks([name, ...cell.others.map(({ metadata }) => metadata.name)])
        }
      })
    }
  }

  it('refuses to run a task behind a failed one whose story is DONE, and names both and the way out', async () => {
    const seen = { title: '', dependencies: ['FAILED'], theirStory: 'DONE' } as const
    await give(makeCell('task-a', {}, seen), { 'slipway.dev/action': 'run' })
    const { status, body } = await api.post('/api/tasks/task-a/run')
    const refusal =
      'task cannot be run: its dependency task-a-d0 is FAILED, and the story of task-a-d0, task-a-theirs, is DONE; ' +
      "take task-a-d0 out of the task's dependencies, or out of that story"
    assert.deepEqual([status, at(body, 'error')], [409, refusal])
    assert.equal((await annotate('task-a')).refused, refusal)
    const states = [world.task('task-a'), world.task('task-a-d0')].map(({ status: now }) => now?.state)
    assert.deepEqual(states, [undefined, 'FAILED'])
    for (const id of ['task-a', 'task-a-d0']) assert.ok((await api.get(`/api/tasks/${id}`)).status === 200)
    const stored = await api.client.get(TASKS, { namespace: api.namespace, name: 'task-a-d0' })
    assert.equal(stored.status?.state, 'FAILED')
    // The way out that the words name.
    assert.equal((await api.put('/api/tasks/task-a', { depends_on: [] })).status, 200)
    assert.equal((await api.post('/api/tasks/task-a/run')).status, 202)
  })

  for (const from of STORY_STATUS_VALUES) {
    it(`comes to the same for every decision about a story in ${from}`, async () => {
      for (const to of [...STORY_STATUS_VALUES, 'SOMEWHERE', undefined]) {
        const name = `s${(count += 1)}`
        const story = aStory({ name, status: { status: from } })
        await api.givenStory(story)
        const action = to === undefined ? 'accept' : 'move'
        const annotations = { 'slipway.dev/action': action, ...(to === undefined ? {} : { 'slipway.dev/status': to }) }
        world.kube.put(STORIES, { ...story, metadata: { ...story.metadata, annotations } })
        const response =
          to === undefined
            ? await api.post(`/api/stories/${name}/accept`)
            : await api.put(`/api/stories/${name}/status`, { status: to })
        await syncStory(world.context, { namespace: NAMESPACE, name })
        const decided = world.kube.all(STORIES).find(({ metadata }) => metadata.name === name)?.status
        const refused = decided?.lastAction?.refused
        // The route's schema lists the statuses, so it refuses another one in words of its own.
        if (to !== 'SOMEWHERE') assert.equal(at(response.body, 'error'), refused, `${from} → ${to ?? 'accepted'}`)
        const stored = await api.client.get(STORIES, { namespace: api.namespace, name })
        const left = ({ status = {} }: Pick<Story, 'status'>) => [
          status.status,
          status.movedFrom,
          status.decisions?.map(({ action: taken, status: target }) => [taken, target]),
        ]
        assert.deepEqual(left({ status: decided ?? {} }), left(stored), `${from} → ${to ?? 'accepted'}`)
      }
    })
  }

  const LATER = '2999-01-01T00:00:00Z'
  const agents: Record<string, NonNullable<Agent['status']>> = {
    well: {},
    drained: { drained: { since: '2026-01-01T00:00:00Z', reason: text('tired') } },
    limited: { rateLimitedUntil: LATER },
    both: { drained: { since: '2026-01-01T00:00:00Z' }, rateLimitedUntil: LATER },
  }
  for (const [name, status] of Object.entries(agents)) {
    it(`comes to the same for an undrain of an agent that is ${name}`, async () => {
      const agent = anAgent({ name, status })
      await api.givenAgent({ ...agent, metadata: { name } })
      await api.setStatus(AGENTS, name, status)
      const error = { category: 'quota', message: text('no credit') } as const
      const left: Record<string, TaskStatus> = {
        asked: { state: 'FAILED', question },
        limited: { state: 'BUDGET_EXCEEDED', error, resumeAfter: LATER },
        asks: { state: 'BLOCKED', question },
      }
      const tasks = Object.entries(left).map(([key, own]) =>
        aTask({ name: `${name}-${key}`, status: { agent: { type: name }, ...own } }),
      )
      for (const task of tasks) {
        await api.given(task)
        world.kube.put(TASKS, task)
      }
      const annotations = { 'slipway.dev/action': 'undrain' }
      world.kube.put(AGENTS, { ...agent, metadata: { ...agent.metadata, annotations } })
      const { body } = await api.post(`/api/pool/agents/${name}/undrain`)
      await syncAgent(world.context, { namespace: NAMESPACE, name })
      const message = textAt(body, 'message')
      assert.ok(
        world.events.some(({ regarding, message: said }) => regarding.metadata.name === name && said.includes(message)),
      )
      const stored = await api.client.get(AGENTS, { namespace: api.namespace, name })
      const decided = world.kube.all(AGENTS).find(({ metadata }) => metadata.name === name)
      const seen = (found: Agent | undefined) => [
        found?.status?.drained,
        found?.status?.rateLimitedUntil,
        found?.status?.undrainedAt !== undefined,
        found?.status?.events?.map(({ kind }) => kind) ?? [],
        found?.status?.decisions?.map(({ action }) => action),
      ]
      assert.deepEqual(seen(decided), seen(stored))
      for (const task of tasks) {
        const own = await api.client.get(TASKS, { namespace: api.namespace, name: task.metadata.name })
        const due = ({ status: found = {} }: Task) => [
          found.state,
          found.question,
          found.resumeAfter === undefined ? undefined : found.resumeAfter < LATER,
        ]
        assert.deepEqual(due(world.task(task.metadata.name)), due(own), task.metadata.name)
      }
    })
  }
})
