import type { ApiContext } from '../context.ts'
import { represent } from '../records/representation.ts'
import type { Handlers } from './handler.ts'

/** Plans that become stories. */
export function approveHandlers({ approvals, stories, tasks }: ApiContext): Pick<Handlers, 'approveStory'> {
  return {
    async approveStory({ body, caller }) {
      const made = await approvals.approve(await body(), caller)
      const { name } = made.story.metadata
      const records = made.tasks.map((task) => tasks.record(task, caller))
      return {
        status: 201,
        body: represent({ story: stories.record(made.story, caller), tasks: records }),
        headers: { Location: `/api/stories/${name}` },
      }
    },
  }
}
