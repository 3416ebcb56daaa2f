import { lazy } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { sayAge } from '../../../core/sentences/amounts.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useNameOf } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useStoryAccept } from '../../api/use-decision.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { Button } from '../../components/button.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { ForeignBadge } from '../../components/review-notes.tsx'
import { telling } from '../../components/toast.tsx'
import { storyAcceptEffect } from '../../../core/sentences/accept.ts'
import { storyStatusWords } from '../../model/state-words.ts'
import { placeWords } from '../../model/task-words.ts'
import { Item } from './item.tsx'

const StoryPeek = lazy(() => import('./story-peek.tsx').then(({ StoryPeek: component }) => ({ default: component })))

/** A story whose work is done and judged, and which a person accepts. */
export function StoryItem({ story, sinceMs }: { readonly story: Story; readonly sinceMs: number }) {
  const nowMs = useServerTime()
  const project = useProjectOf(story.project_id)
  const projectName = useNameOf('projects', story.project_id ?? '')
  const { decide, isPending, held } = useStoryAccept(story, telling(story.name))
  const { passed, total } = story.evaluation
  return (
    <Item
      words={storyStatusWords(story.status)}
      title={story.name}
      to={`/stories/${encodeURIComponent(story.id)}`}
      meta={[
        placeWords('story', projectName),
        `ready ${sayAge(nowMs - sinceMs)}`,
        story.tasks.total > 0 && `${story.tasks.done} of ${story.tasks.total} tasks done`,
        story.foreign_commit_count !== undefined && <ForeignBadge key="foreign" of={story} />,
      ]}
      peek={{ label: 'Peek', render: () => <StoryPeek story={story} /> }}
      actions={
        held === undefined ? (
          <Button
            isSmall
            look="primary"
            isBusy={isPending}
            disabled={!project.isKnown}
            data-key="a"
            aria-keyshortcuts="a"
            onClick={() => decide()}
          >
            Accept the story
          </Button>
        ) : (
          <DecidingNote {...held} />
        )
      }
    >
      {total > 0 && `${passed} of ${total} acceptance criteria hold. `}
      <AcceptConsequence project={project} effectOf={(known) => storyAcceptEffect(story, known)} />
    </Item>
  )
}
