import type { Story, Task } from '../../../core/rest/client/client.ts'
import { TimelineList } from './timeline-list.tsx'
import { useTimeline } from './use-timeline.ts'

const SHOWN = 6

/** What happened last. */
export function LatestEvents({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  return <TimelineList entries={useTimeline(story, tasks).slice(0, SHOWN)} />
}
