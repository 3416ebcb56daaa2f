/** Which part of the page of a story is open, as it stands in the URL. */
export const STORY_TABS = ['overview', 'tasks', 'diff', 'timeline', 'yaml'] as const
export type StoryTab = (typeof STORY_TABS)[number]

export interface StorySearch {
  readonly tab?: StoryTab
}

/** Drops unknown values, and the first tab, which is the default. */
export function parseStorySearch({ tab }: Readonly<Record<string, unknown>>): StorySearch {
  const known = STORY_TABS.find((candidate) => candidate === tab)
  return known === undefined || known === 'overview' ? {} : { tab: known }
}
