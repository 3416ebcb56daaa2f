/**
 * The branch that all tasks of a story clone and push.
 *
 * @param wanted the story's own `branchName`, if it has one
 */
export function storyBranch(story: string, wanted: string | undefined): string {
  return wanted ?? `story/${story}`
}
