import type { Story } from '../../core/crd/types.ts'
import { ApiError, apiError } from '../../core/errors.ts'
import type { StoryAction } from '../../core/story/decide.ts'
import { findRefusal } from '../../core/story/decide.ts'
import type { ApiContext } from '../context.ts'
import { decideOnStory, runStory } from '../commands/decide-story.ts'
import { demandFound } from '../commands/writes.ts'
import type { Handlers } from './handler.ts'

/** What people decide about stories. */
export function storyDecisionHandlers(context: ApiContext): Pick<Handlers, 'moveStory' | 'acceptStory' | 'runStory'> {
  const { caches, stories } = context
  return {
    async moveStory({ params, body, caller, ifMatch }) {
      const story = demandFound(await caches.stories.read(params.id), 'story')
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
  }
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
  const live = demandFound(await caches.stories.readLive(id), 'story')
  const refusal = findRefusal(live, 'move')
  if (refusal === undefined) return
  const wanted = await readBody().catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  throw apiError('transition_refused', wanted === undefined ? refusal : `${refusal} to ${wanted.status}`)
}
