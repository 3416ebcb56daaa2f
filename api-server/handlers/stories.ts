import type { Story, Task } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { editSpec } from '../../core/rest/edit.ts'
import { type StoryInput, STORY } from '../../core/kinds/story.ts'
import { BRANCH_IN_USE, findWorkedBranch, storyBranch } from '../../core/story/branch.ts'
import { storyGraph } from '../../core/story/graph.ts'
import { stateOf } from '../../core/task/decide.ts'
import { createKeyedMutex } from '../../lib/async.ts'
import type { ApiContext } from '../context.ts'
import { changedFields, createEditor, editHeaders, markEdited } from '../commands/merge-edit.ts'
import { describeKubernetes } from '../records/kubernetes.ts'
import { printManifest } from '../records/manifest.ts'
import { createStory } from '../commands/create-story.ts'
import { orderStories } from '../commands/order-stories.ts'
import { BOARD_ORDER, chainOrder, sortedBy } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import { checkStoryBranch, checkStoryReferences } from '../commands/references.ts'
import { represent } from '../records/representation.ts'
import { isToBeDelivered } from '../commands/warnings.ts'
import { changeRecord, requireFound } from '../commands/writes.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { StoryView } from '../records/story-view.ts'
import type { Deployments } from '../deployment/deployment.ts'
import type { Handlers } from './handler.ts'

/** Stories as records: what people write, and what is shown of them. */
export function storyHandlers(
  context: ApiContext & {
    readonly preconditions: Preconditions
    readonly stories: StoryView
    readonly deployments: Deployments
  },
) {
  const { client, caches, stories } = context
  const edit = createEditor(STORY.input)
  const read = async (id: string): Promise<Story> => requireFound(await caches.stories.read(id), 'story')
  const all = sortedBy(BOARD_ORDER, caches.stories)
  const inTurn = createKeyedMutex()
  return {
    async listStories({ query, caller }) {
      const page = paginate(all(), query, BOARD_ORDER)
      return { status: 200, body: stories.many(page.items, caller), headers: page.headers('/api/stories') }
    },
    async createStory({ body, caller }) {
      const story = await createStory(context, body, caller.name)
      return {
        status: 201,
        body: stories.one(story, caller),
        headers: { Location: `/api/stories/${story.metadata.name}` },
      }
    },
    getStory: async ({ params, caller }) => ({ status: 200, body: stories.one(await read(params.id), caller) }),
    async updateStory({ params, body, ifMatch, caller }) {
      const { object, result } = await changeRecord(client, caches.stories, keyOf(params.id), async (story) => {
        context.preconditions.story(ifMatch, story)
        const before = STORY.toInput(story.spec)
        const input = edit(stories.record(story, caller), before, body)
        if (input === undefined) return { result: false }
        checkBranch(story, input, caches.tasksOfStory(params.id))
        const changed = changedFields(before, input)
        await checkStoryReferences(caches, input, changed)
        if (changed.has('branch_name') || changed.has('project_id')) checkStoryBranch(context, params.id, input)
        const spec = editSpec(story.spec, STORY.toSpec(before), STORY.toSpec(input))
        return { write: markEdited(story, spec, context.clock.now(), caller.name), result: true }
      })
      return { status: 200, body: stories.one(object, caller), headers: editHeaders('story', object, result) }
    },
    async orderStories({ body }) {
      // Of two orders of a column one holds as a whole, and no mixture.
      const places = await inTurn('order', () => orderStories(context, body.ids))
      return { status: 200, body: represent(places) }
    },
    async deleteStory({ params, ifMatch }) {
      await changeRecord(client, caches.stories, keyOf(params.id), (story) => {
        context.preconditions.story(ifMatch, story)
        const write = checkDeletable(context, story)
        return { write, isRemoval: true, result: undefined }
      })
      for (const { metadata } of caches.tasksOfStory(params.id)) await leaveStory(context, metadata.name, params.id)
      return { status: 204, body: undefined }
    },
    async getStoryGraph({ params }) {
      const story = await read(params.id)
      const { nodes, edges } = storyGraph(story, chainOrder(treeOf(context, params.id)))
      return { status: 200, body: represent({ nodes: [...nodes], edges: [...edges] }) }
    },
    async getStoryDeploymentStatus({ params }) {
      return { status: 200, body: represent(await context.deployments.askStory(await read(params.id))) }
    },
    async getStoryManifest({ params }) {
      const object = await read(params.id)
      return { status: 200, body: await printManifest(context, { cache: caches.stories, object }) }
    },
    async getStoryKubernetes({ params }) {
      return { status: 200, body: await describeKubernetes(context, { object: await read(params.id) }) }
    },
  } satisfies Partial<Handlers>
}

function keyOf(id: string): { kind: string; id: string } {
  return { kind: 'story', id }
}

/** @throws ApiError `transition_refused` when tasks have worked on another branch than `input` names */
function checkBranch(story: Story, input: StoryInput, tasks: readonly Task[]): void {
  const worked = findWorkedBranch(story, tasks)
  if (worked !== undefined && worked !== storyBranch(story.metadata.name, input.branch_name))
    throw apiError('transition_refused', BRANCH_IN_USE)
}

/** @throws ApiError `in_use` naming the tasks that run or carry its delivery: both need the story and its branch */
function checkDeletable(context: ApiContext, story: Story): Story {
  const { name } = story.metadata
  const tasks = context.caches.tasksOfStory(name)
  const refuse = (isBusy: (task: Task) => boolean, relation: string): void => {
    const busy = tasks.filter(isBusy).map(({ metadata }) => `task ${metadata.name}`)
    if (busy.length > 0) throw apiError('in_use', 'story', name, busy, [relation, relation])
  }
  refuse((task) => stateOf(task) === 'RUNNING', 'must end first')
  refuse((task) => isToBeDelivered(context, task), 'must be delivered first')
  return story
}

/**
 * A task lives on without its deleted story. One that has started meanwhile keeps the name until it is edited: nothing
 * depends on it but the branch, which its execution knows already.
 */
async function leaveStory({ client, caches }: ApiContext, id: string, storyId: string): Promise<void> {
  if (caches.tasks.find(id) === undefined) return
  await changeRecord(client, caches.tasks, { kind: 'task', id }, (task) => {
    const { storyId: left, ...spec } = task.spec
    const isLeaving = left === storyId && stateOf(task) !== 'RUNNING'
    return { write: isLeaving ? { ...task, spec } : undefined, result: undefined }
  })
}

/** The story's tasks with their subtasks, which need not name the story themselves. */
function treeOf({ caches }: ApiContext, id: string): Task[] {
  const found = new Map(caches.tasksOfStory(id).map((task) => [task.metadata.name, task]))
  for (const name of found.keys()) {
    for (const subtask of caches.taskIndex.subtasks(name)) found.set(subtask.metadata.name, subtask)
  }
  return [...found.values()]
}
