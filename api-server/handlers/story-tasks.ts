import type { Story } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import type { TaskCreate } from '../../core/kinds/task.ts'
import { budgetWarning } from '../commands/warnings.ts'
import { addToChain, readOpenStory } from '../commands/story-chain.ts'
import { paginateChain } from '../records/pages.ts'
import { createKeyedMutex } from '../../lib/async.ts'
import { requireFound } from '../commands/writes.ts'
import type { CreateTaskContext } from '../commands/create-task.ts'
import type { TaskView } from '../records/task-view.ts'
import type { Handlers } from './handler.ts'

/** The tasks of stories, as chains. */
export function storyTaskHandlers(context: CreateTaskContext & { readonly tasks: TaskView }) {
  const { caches, tasks } = context
  const runExclusive = createKeyedMutex()
  return {
    async listStoryTasks({ params, query, caller }) {
      requireFound(await caches.stories.read(params.id), 'story')
      const page = paginateChain(caches.tasksOfStory(params.id), query)
      const headers = page.headers(`/api/stories/${params.id}/tasks`)
      return { status: 200, body: tasks.many(page.items, caller), headers }
    },
    async createStoryTask({ params: { id }, body, caller }) {
      const task = await runExclusive(id, async () => {
        const story = await readOpenStory(context, id)
        return addToChain(context, story, inStory(story, body), caller.name)
      })
      const headers = { Location: `/api/tasks/${task.metadata.name}`, ...budgetWarning(context, task) }
      return { status: 201, body: tasks.one(task, caller), headers }
    },
  } satisfies Partial<Handlers>
}

/** @throws ApiError `invalid_request` when the body names another story */
function inStory({ metadata: { name } }: Story, create: TaskCreate): TaskCreate {
  if (create.story_id !== undefined && create.story_id !== name)
    throw apiError('invalid_request', `story_id: must be ${name} or left out, not ${create.story_id}`)
  return { ...create, story_id: name }
}
