import type { Story } from '../../core/crd/types.ts'
import { ApiError, apiError } from '../../core/errors.ts'
import { type StoryAction, findRefusal } from '../../core/story/decide.ts'
import type { ApiContext } from '../context.ts'
import { decideOnStory, runStory } from '../commands/decide-story.ts'
import { requireFound } from '../commands/writes.ts'
import type { Approvals } from '../approval/approvals.ts'
import type { DecisionContext } from '../commands/decide-task.ts'
import { represent } from '../records/representation.ts'
import type { StoryView } from '../records/story-view.ts'
import type { TaskView } from '../records/task-view.ts'
import type { Handlers } from './handler.ts'

interface StoryDecisionContext extends DecisionContext {
  readonly approvals: Approvals
  readonly stories: StoryView
  readonly tasks: TaskView
}

/** What people decide about stories, plans that become stories included. */
export function storyDecisionHandlers(context: StoryDecisionContext) {
  const { caches, approvals, stories, tasks } = context
  return {
    async approveStory({ body, caller }) {
      const made = await approvals.approve(await body(), caller)
      const records = made.tasks.map((task) => tasks.record(task, caller))
      return {
        status: 201,
        body: represent({ story: stories.record(made.story, caller), tasks: records }),
        headers: { Location: `/api/stories/${made.story.metadata.name}` },
      }
    },
    async moveStory({ params, body, caller, ifMatch }) {
      const story = requireFound(await caches.stories.read(params.id), 'story')
      if (!allows(story, 'move')) await refuseMove(context, params.id, body)
      const { status } = await body()
      const { story: moved } = await decideOnStory(context, { id: params.id, caller, ifMatch, action: 'move', status })
      return { status: 200, body: stories.one(moved, caller) }
    },
    async acceptStory({ params, caller, ifMatch }) {
      const { story, message } = await decideOnStory(context, { id: params.id, caller, ifMatch, action: 'accept' })
      return { status: 200, body: stories.afterAction(story, { message }) }
    },
    async runStory({ params, caller, ifMatch }) {
      const { story, ...done } = await runStory(context, { id: params.id, caller, ifMatch })
      return { status: 202, body: stories.afterAction(story, done) }
    },
  } satisfies Partial<Handlers>
}

function allows(story: Story, action: StoryAction): boolean {
  return findRefusal(story, action) === undefined
}

/**
 * The state comes before the body (specification §8.3), so whatever the body is, the move is refused; one that can
 * be read is named. The cache may lag, so the refusal is the control plane's.
 */
async function refuseMove(
  { caches }: ApiContext,
  id: string,
  readBody: () => Promise<{ status: string }>,
): Promise<void> {
  const live = requireFound(await caches.stories.readLive(id), 'story')
  const refusal = findRefusal(live, 'move')
  if (refusal === undefined) return
  const wanted = await readBody().catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  throw apiError('transition_refused', wanted === undefined ? refusal : `${refusal} to ${wanted.status}`)
}
