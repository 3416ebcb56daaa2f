import { useMemo } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useExecutionsOf, useStoryEvents } from '../../api/story-details.ts'
import type { Reading } from '../../model/reading.ts'
import { type StoryEntry, latestWorkedOn, timelineOf } from './timeline.ts'

export interface Timeline {
  /** Newest first. */
  readonly entries: readonly StoryEntry[]
  /** There is more before them. */
  readonly isCut: boolean
}

/**
 * What happened last with a story, kept current. Executions are read task by task, so those of very many tasks are not
 * read at once: the entries reach back to where they are complete.
 *
 * @param most of how many tasks the executions are read
 */
export function useTimeline(story: Story, tasks: readonly Task[], most: number): Reading<Timeline> {
  const asked = useMemo(() => latestWorkedOn(tasks, most), [tasks, most])
  const events = useStoryEvents(story.id)
  const { executions, tasksRead, error: executionsError, retry } = useExecutionsOf(asked)
  const isWhole = tasksRead === asked.length && asked.length < most
  const since = isWhole ? undefined : asked[tasksRead - 1]?.updated_at
  const isKnown = isWhole || since !== undefined
  const data = useMemo(() => {
    if (events.data === undefined || executionsError !== undefined || !isKnown) return undefined
    return { entries: timelineOf({ story, tasks, events: events.data, executions }, since), isCut: !isWhole }
  }, [story, tasks, events.data, executions, executionsError, since, isKnown, isWhole])
  return {
    data,
    error: events.error ?? executionsError,
    retry() {
      if (events.error !== undefined) events.retry()
      retry()
    },
  }
}
