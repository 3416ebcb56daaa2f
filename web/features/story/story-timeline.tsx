import { useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { Button } from '../../components/button.tsx'
import { ReadPart } from '../../components/read-part.tsx'
import { Timeline } from '../../components/timeline.tsx'
import css from './story.module.css'
import { TIMELINE_KINDS } from './timeline.ts'
import { useTimeline } from './use-timeline.ts'

/** So many tasks, and so many entries, at a time. */
const PAGE = { tasks: 50, entries: 200 }

/** All that happened with the story. */
export function StoryTimeline({ story, tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const [pages, setPages] = useState(1)
  const most = pages * PAGE.entries
  return (
    <ReadPart what="The timeline" reading={useTimeline(story, tasks, pages * PAGE.tasks)} rows={8}>
      {({ entries, isCut }) => (
        <div className={css['main']}>
          <Timeline entries={entries} kinds={TIMELINE_KINDS} most={most} />
          {(isCut || entries.length > most) && (
            <p>
              <Button isSmall onClick={() => setPages(pages + 1)}>
                Show what was earlier
              </Button>
            </p>
          )}
        </div>
      )}
    </ReadPart>
  )
}
