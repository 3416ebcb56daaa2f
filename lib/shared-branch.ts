import { createHash } from 'node:crypto'
import type { SharedBranch } from '../core/agent/task-queues.ts'
import type { Project, Story, Task } from '../core/crd/types.ts'
import { branchLeaseName } from '../core/names.ts'
import { storyBranch } from '../core/story/branch.ts'
import { canonicalRepository, UnusableGitUrl } from './git-url.ts'

const HASH_LENGTH = 32

/**
 * The branch that a task shares with the others of its story, by repository and name, however they write the URL.
 *
 * @param project the one whose repository the task uses where it names none itself
 * @returns undefined for a branch of the task's own, and where the repository is not known: then it will not start
 */
export function findSharedBranch(
  task: Task,
  story: Story | undefined,
  project: Project | undefined,
): SharedBranch | undefined {
  const { storyId, repositoryUrl } = task.spec
  const url = repositoryUrl ?? project?.spec.remoteUrl
  if (storyId === undefined || url === undefined) return undefined
  const repository = canonicalOf(url)
  if (repository === undefined) return undefined
  const branch = storyBranch(storyId, story?.spec.branchName)
  const hash = createHash('sha256').update(`${repository}\0${branch}`).digest('hex').slice(0, HASH_LENGTH)
  return { lease: branchLeaseName(hash), branch, repository }
}

function canonicalOf(url: string): string | undefined {
  try {
    return canonicalRepository(url)
  } catch (error) {
    if (error instanceof UnusableGitUrl) return undefined
    throw error
  }
}
