import { memo } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { formatCost } from '../../model/money.ts'
import { formatSpan } from '../../model/time.ts'
import type { CardFacts } from './card-facts.ts'
import { cardFacts } from './card-facts.ts'
import css from './story-card.module.css'
import type { CardPlace } from './use-card-drag.ts'
import { useCardDrag } from './use-card-drag.ts'

interface StoryCardProps {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly place: CardPlace
  readonly canMove: boolean
}

/** One story of the board: at most four lines. Rendered again only with news of its own. */
export const StoryCard = memo(function StoryCard({ story, tasks, place, canMove }: StoryCardProps) {
  const nowMs = useServerTime()
  const facts = cardFacts(story, tasks, nowMs)
  const { ref, isDragged, edge } = useCardDrag(story, place, canMove)
  return (
    <li ref={ref} className={css['card']} data-dragged={isDragged || undefined} data-edge={edge} data-story={story.id}>
      <OpenLink
        what={{ kind: 'story', id: story.id }}
        className={css['title']}
        draggable={false}
        title={story.name}
        data-card-link
        aria-keyshortcuts={canMove ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
      >
        {story.name}
      </OpenLink>
      <StateRow facts={facts} story={story} />
      {facts.failure !== undefined && <p className={css['failure']}>{facts.failure}</p>}
      {facts.steps.length > 0 && <StepsRow facts={facts} story={story} />}
    </li>
  )
})

function StateRow({ facts, story }: { readonly facts: CardFacts; readonly story: Story }) {
  const { state, insertions, deletions } = facts
  const hasChanges = insertions + deletions > 0
  return (
    <div className={css['row']}>
      {state === undefined ? (
        <span className={css['id']}>{story.id}</span>
      ) : (
        <StateBadge words={state} isLoud={facts.isWaiting} />
      )}
      {facts.runningSince !== undefined && <Elapsed since={facts.runningSince} />}
      <span className={css['end']}>
        {hasChanges ? <Changes insertions={insertions} deletions={deletions} /> : story.project_id}
      </span>
    </div>
  )
}

function Changes({ insertions, deletions }: { readonly insertions: number; readonly deletions: number }) {
  return (
    <>
      <span className={css['plus']}>+{insertions}</span> <span className={css['minus']}>−{deletions}</span>
    </>
  )
}

/** Alone rendered every second: the card is not. */
function Elapsed({ since }: { readonly since: string }) {
  const nowMs = useServerTime(1_000)
  return <span className={css['elapsed']}>{formatSpan(nowMs - Date.parse(since))}</span>
}

function StepsRow({ facts, story }: { readonly facts: CardFacts; readonly story: Story }) {
  const { done, total } = story.tasks
  const words = done === 0 ? (total === 1 ? '1 task' : `${total} tasks`) : `${done} of ${total}`
  return (
    <div className={css['row']}>
      <span className={css['steps']} aria-hidden>
        {facts.steps.slice(0, 12).map((tone, step) => (
          <i key={step} data-tone={tone} />
        ))}
      </span>
      {words}
      <span className={css['end']}>{formatCost(facts.costUSD)}</span>
    </div>
  )
}
