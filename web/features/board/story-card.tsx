import { countOf, formatCost, formatSpan } from '../../../core/sentences/amounts.ts'
import { EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Changes } from '../../components/changes.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { ForeignBadge } from '../../components/review-notes.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { type CardFacts, cardFacts } from './card-facts.ts'
import css from './story-card.module.css'
import type { CardPlace } from './drop.ts'
import { useCardDrag } from './use-card-drag.ts'

interface StoryCardProps {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly place: CardPlace
  readonly canMove: boolean
}

/** One story of the board. Rendered again only with news of its own. */
export const StoryCard = memo(function StoryCard({ story, tasks, place, canMove }: StoryCardProps) {
  const nowMs = useServerTime()
  const facts = cardFacts(story, tasks, nowMs)
  const hasSteps = facts.steps.length > 0 || facts.isWaiting
  // "Needs you" takes its place beside the id.
  const projectBelow = facts.isWaiting ? story.project_id : undefined
  const { ref, isDragged, edge } = useCardDrag(story, place, canMove)
  return (
    <li ref={ref} className={css['card']} data-dragged={isDragged || undefined} data-edge={edge} data-story={story.id}>
      <div className={css['top']}>
        <span className={css['id']}>{story.id}</span>
        {facts.isWaiting ? (
          <span className={css['needs']}>Needs you</span>
        ) : (
          <span className={css['project']}>{story.project_id}</span>
        )}
      </div>
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
      <StateRow facts={facts} />
      <ForeignBadge of={story} />
      {facts.failure !== undefined && (
        <p className={css['failure']} title={facts.failure}>
          {facts.failure}
        </p>
      )}
      {hasSteps && <StepsRow facts={facts} story={story} project={projectBelow} />}
      {canMove && (
        <button className={css['move']} aria-label={`Move ${story.name}`} title="Move" data-move tabIndex={-1}>
          <EllipsisVertical size={SMALL_ICON} aria-hidden />
        </button>
      )}
    </li>
  )
})

/** What happens with the story, who works on it and for how long; nothing where its column says all. */
function StateRow({ facts }: { readonly facts: CardFacts }) {
  const { state, agents, runningSince, insertions, deletions } = facts
  const isQuiet = state === undefined && agents.length === 0 && insertions + deletions === 0
  if (isQuiet) return null
  return (
    <div className={css['row']}>
      {state !== undefined && (state.tone !== 'run' || agents.length === 0) && (
        <StateBadge words={state} isLoud={facts.isWaiting} />
      )}
      {agents.length > 0 && (
        <span className={css['work']} title={`At work: ${agents.join(', ')}`}>
          <i className={css['live']} aria-hidden />
          <span className="unseen">Running: </span>
          {agents.join(', ')} {runningSince !== undefined && <Elapsed since={runningSince} />}
        </span>
      )}
      <span className={css['end']}>
        <Changes insertions={insertions} deletions={deletions} />
      </span>
    </div>
  )
}

/** Alone rendered every second: the card is not. */
function Elapsed({ since }: { readonly since: string }) {
  const nowMs = useServerTime(1_000)
  return <>{formatSpan(nowMs - Date.parse(since))}</>
}

interface StepsRowProps {
  readonly facts: CardFacts
  readonly story: Story
  readonly project: string | undefined
}

function StepsRow({ facts, story, project }: StepsRowProps) {
  const { done, total } = story.tasks
  const cost = formatCost(facts.costUSD)
  const all = total === 0 ? 'no tasks' : countOf(total, 'task')
  const words = done === 0 ? all : `${done} of ${total}`
  return (
    <div className={css['row']}>
      {facts.steps.length > 0 && (
        <span className={css['steps']} aria-hidden>
          {facts.steps.slice(0, 12).map((tone, step) => (
            <i key={step} data-tone={tone} />
          ))}
        </span>
      )}
      {words}
      <span className={css['end']}>{project}</span>
      {cost !== undefined && <span className={css['cost']}>{cost}</span>}
    </div>
  )
}
