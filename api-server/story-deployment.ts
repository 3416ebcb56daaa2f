import type { Story } from '../core/crd/types.ts'
import type { DeploymentStatus } from '../core/rest/records/task.ts'
import type { ApiContext } from './context.ts'
import { chainOrder } from './order.ts'

/**
 * Whether the running build contains a story's work: every commit of the latest executions of its tasks. Without any
 * commit the answer is no (decisions, section 5).
 */
export async function deployedWork({ caches, deployments }: ApiContext, story: Story): Promise<DeploymentStatus> {
  const tasks = chainOrder(caches.tasksOfStory(story.metadata.name))
  const answers = await Promise.all(tasks.map((task) => deployments.ask(task)))
  const working = answers.filter(({ fix_commits }) => fix_commits.length > 0)
  return {
    deployed_commit: answers[0]?.deployed_commit ?? '',
    fix_commits: [...new Set(working.flatMap(({ fix_commits }) => fix_commits))],
    includes_fix: working.length > 0 && working.every(({ includes_fix }) => includes_fix),
  }
}
