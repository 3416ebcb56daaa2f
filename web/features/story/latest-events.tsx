import type { Story, Task } from '../../../core/rest/client/client.ts'
import { ReadPart } from '../../components/read-part.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import { useTimeline } from './use-timeline.ts'

const SHOWN = 6
const TASKS_READ = 12

/** What happened last. */
export function LatestEvents({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  return (
    <ReadPart what="The latest events" reading={useTimeline(story, tasks, TASKS_READ)} rows={SHOWN}>
      {({ entries }) => <TimelineList isBrief entries={entries.slice(0, SHOWN)} />}
    </ReadPart>
  )
}
