import type { Story, Task } from '../crd/types.ts'
import { findReservedProblem } from './branch-name.ts'

/** Refusal of another branch for a story whose tasks have worked on the one that it has. */
export const BRANCH_IN_USE = 'story branch cannot be renamed after work began'

/**
 * The branch that executions of the story's tasks have worked on; undefined before the first. The story's status keeps its
 * name, so that it is known when those tasks are gone.
 */
export function findWorkedBranch({ metadata, spec, status }: Story, tasks: readonly Task[]): string | undefined {
  if (status?.branch?.name !== undefined) return status.branch.name
  const branch = storyBranch(metadata.name, spec.branchName)
  const hasWorked = ({ status }: Task): boolean =>
    // A task that ran before it came to this story has worked on a branch of its own.
    (status?.executions ?? 0) > 0 && (status?.branch === undefined || status.branch === branch)
  return tasks.some(hasWorked) ? branch : undefined
}

/** What is known of a project before its repository is asked. */
export interface BranchedProject {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly defaultBranch?: string | undefined }
}

/** Only an accept writes the default branch, and a story's is pushed to before that. Undefined: it is another branch. */
export function findDefaultBranchProblem(branch: string, { metadata, spec }: BranchedProject): string | undefined {
  return branch === spec.defaultBranch ? `${branch} is the default branch of project ${metadata.name}` : undefined
}

/**
 * Why no task can work on the story's branch in this installation; undefined when one can. A reserved name counts only until
 * one has.
 *
 * @param prefix what branches of tasks without a story begin with
 */
export function findStoryBranchProblem(
  { metadata, spec, status }: Story,
  prefix: string | undefined,
  project: BranchedProject | undefined,
): string | undefined {
  const branch = storyBranch(metadata.name, spec.branchName)
  const isDefault = project && findDefaultBranchProblem(branch, project)
  if (isDefault !== undefined) return `branchName: ${isDefault}; name another branch`
  const problem = status?.branch?.name === branch ? undefined : findReservedProblem(branch, prefix)
  return problem && `branchName ${problem}`
}

/**
 * The branch that all tasks of a story clone and push.
 *
 * @param wanted the story's own `branchName`, if it has one
 */
export function storyBranch(story: string, wanted: string | undefined): string {
  return wanted ?? `story/${story}`
}
