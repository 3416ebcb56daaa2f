import { useMemo } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useStoryEvents, useStoryExecutions } from '../../api/story-details.ts'
import type { TimelineEntry } from './timeline.ts'
import { timelineOf } from './timeline.ts'

/** All that happened with a story, newest first, kept current. */
export function useTimeline(story: Story, tasks: readonly Task[]): readonly TimelineEntry[] {
  const events = useStoryEvents(story.id)
  const executions = useStoryExecutions(tasks)
  return useMemo(() => timelineOf({ story, tasks, events, executions }), [story, tasks, events, executions])
}
