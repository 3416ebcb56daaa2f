import { countOf, formatCost, formatSpan } from '../../../core/sentences/amounts.ts'
import { EllipsisVertical } from 'lucide-react'
import { memo } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useNameOf } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Changes } from '../../components/changes.tsx'
import { ChecksMark, ProtectedBadge } from '../../components/checks.tsx'
import { CiMark } from '../../components/ci.tsx'
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
  const project = useNameOf('projects', story.project_id ?? '')
  const { ref, isDragged, edge } = useCardDrag(story, place, canMove)
  return (
    <li ref={ref} className={css['card']} data-dragged={isDragged || undefined} data-edge={edge} data-story={story.id}>
      <div className={css['top']}>
        <span className={css['project']} title={project}>
          {project}
        </span>
        {facts.isWaiting && <span className={css['needs']}>Needs you</span>}
      </div>
      <OpenLink
        what={{ kind: 'story', id: story.id }}
        className={css['title']}
        draggable={false}
        title={`${story.name} (${story.id})`}
        data-card-link
        aria-keyshortcuts={canMove ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
      >
        {story.name}
      </OpenLink>
      <StateRow facts={facts} />
      {facts.checked !== undefined && <Checks task={facts.checked} />}
      {facts.checked !== undefined && <CiMark task={facts.checked} />}
      {facts.protectedFiles > 0 && (
        <ProtectedBadge of={{ protected_changes: { count: facts.protectedFiles, paths: [] } }} />
      )}
      <ForeignBadge of={story} />
      {facts.failure !== undefined && (
        <p className={css['failure']} title={facts.failure}>
          {facts.failure}
        </p>
      )}
      <StepsRow facts={facts} story={story} />
      {canMove && (
        <button className={css['move']} aria-label={`Move ${story.name}`} title="Move" data-move tabIndex={-1}>
          <EllipsisVertical size={SMALL_ICON} aria-hidden />
        </button>
      )}
    </li>
  )
})

/** What happens with the story, who works on it and for how long; nothing where its column says all. */
function StateRow({ facts: { state, agents, runningSince, isWaiting } }: { readonly facts: CardFacts }) {
  if (state === undefined && agents.length === 0) return null
  return (
    <div className={css['row']}>
      {state !== undefined && (state.tone !== 'run' || agents.length === 0) && (
        <StateBadge words={state} isLoud={isWaiting} />
      )}
      {agents.length > 0 && (
        <span className={css['work']} title={`At work: ${agents.join(', ')}`}>
          <i className={css['live']} aria-hidden />
          <span className="unseen">Running: </span>
          {agents.join(', ')} {runningSince !== undefined && <Elapsed since={runningSince} />}
        </span>
      )}
    </div>
  )
}

/** Alone rendered every second while one runs. */
function Checks({ task }: { readonly task: Task }) {
  const isRunning = task.checks?.some(({ state }) => state === 'running') === true
  return <ChecksMark task={task} nowMs={useServerTime(isRunning ? 1_000 : 60_000)} />
}

/** Alone rendered every second: the card is not. */
function Elapsed({ since }: { readonly since: string }) {
  const nowMs = useServerTime(1_000)
  return <>{formatSpan(nowMs - Date.parse(since))}</>
}

/** How far its tasks are, what they changed and cost; nothing for a story without tasks that waits for nobody. */
function StepsRow({ facts, story }: { readonly facts: CardFacts; readonly story: Story }) {
  const { steps, isWaiting, costUSD, insertions, deletions } = facts
  if (steps.length === 0 && !isWaiting) return null
  const { done, total } = story.tasks
  const cost = formatCost(costUSD)
  const all = total === 0 ? 'no tasks' : countOf(total, 'task')
  return (
    <div className={css['row']}>
      {steps.length > 0 && (
        <span className={css['steps']} aria-hidden>
          {steps.slice(0, 12).map((tone, step) => (
            <i key={step} data-tone={tone} />
          ))}
        </span>
      )}
      <span>{done === 0 ? all : `${done} of ${total}`}</span>
      <Changes insertions={insertions} deletions={deletions} />
      {cost !== undefined && <span className={css['end']}>{cost}</span>}
    </div>
  )
}
