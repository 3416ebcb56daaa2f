import type { Project, Story, Task } from '../crd/types.ts'

/**
 * The project whose repository, settings and credentials a task uses: its own, else, while it names no repository, the
 * one of its story.
 */
export function projectOf({ spec }: Task, story: Story | undefined): string | undefined {
  if (spec.project !== undefined || spec.repositoryUrl !== undefined) return spec.project
  return story?.spec.projectId
}

/**
 * The branch that the work of a task starts from and is delivered to; undefined for the remote's HEAD. A story's tasks
 * share a branch, so none of them has a base of its own.
 */
export function baseBranchOf({ spec }: Task, project: Project | undefined): string | undefined {
  return (spec.storyId === undefined ? spec.baseBranch : undefined) ?? project?.spec.defaultBranch
}

/**
 * Whether the clones of a project may borrow objects from a mirror of its repository. Clones with fewer commits or objects
 * than the repository fetch for themselves.
 */
export function borrows(project: Project | undefined): boolean {
  const { borrow = true, depth, filter } = project?.spec.checkout ?? {}
  return borrow && depth === undefined && filter === undefined
}
