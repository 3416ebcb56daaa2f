import type { Story, Task } from '../crd/types.ts'

/**
 * The project whose repository, settings and credentials a task uses: its own, else, while it names no repository, the
 * one of its story.
 */
export function projectOf({ spec }: Task, story: Story | undefined): string | undefined {
  if (spec.project !== undefined || spec.repositoryUrl !== undefined) return spec.project
  return story?.spec.projectId
}
