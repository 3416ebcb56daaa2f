import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import type { StoryStatus } from '../../../core/crd/types.ts'
import type { Epic, Story } from '../../../core/rest/client/client.ts'
import { STORY_MOVES } from '../../../core/story/transitions.ts'
import { deleteEpic } from '../../api/epics.ts'
import { useSession } from '../../api/session.ts'
import { useRemoval } from '../../api/use-form.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ICON } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { groupBy } from '../../model/group.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { storyStatusWords } from '../../model/state-words.ts'
import { EditEpic } from './epic-form.tsx'
import css from './epics.module.css'

/** An epic with its progress and its stories. */
export function EpicItem({ epic, stories }: { readonly epic: Epic; readonly stories: readonly Story[] }) {
  // Undefined: it was not edited yet. Once it was, its button has the focus again.
  const [isEdited, setEdited] = useState<boolean>()
  if (isEdited === true)
    return (
      <li className={css['epic']}>
        <EditEpic epic={epic} onEnd={() => setEdited(false)} />
      </li>
    )
  const { done, total } = epic.stories
  return (
    <li className={css['epic']}>
      <div className={css['head']}>
        <span className={css['color']} style={epic.color === undefined ? {} : { background: epic.color }} />
        <h2>
          <Link to="/stories" search={{ epic: epic.id }} title="On the board">
            {epic.name}
          </Link>
        </h2>
        <span className={css['progress']}>
          <Meter done={done} total={total} label={`Stories done of ${epic.name}`} />
          {total === 0 ? 'no stories' : `${done} of ${total} done`}
        </span>
        <EpicActions epic={epic} takesFocus={isEdited === false} onEdit={() => setEdited(true)} />
      </div>
      {epic.description !== undefined && <p className={css['about']}>{showUnseen(epic.description)}</p>}
      <Stories stories={stories} />
    </li>
  )
}

interface EpicActionsProps {
  readonly epic: Epic
  readonly takesFocus: boolean
  readonly onEdit: () => void
}

function EpicActions({ epic, takesFocus, onEdit }: EpicActionsProps) {
  const { may } = useSession()
  const removal = useRemoval(epic, {
    remove: deleteEpic,
    onDone: () => notify(`${epic.name}: deleted`),
    onRefused: refuse,
  })
  return (
    <span className={css['end']}>
      {may('decide') && (
        <Button isSmall look="quiet" aria-label={`Edit ${epic.name}`} autoFocus={takesFocus} onClick={onEdit}>
          Edit
        </Button>
      )}
      {may('admin') && (
        <ConfirmButton
          isSmall
          look="quiet"
          again={removal.changed}
          isBusy={removal.isPending}
          question={`Delete the epic ${epic.name}?`}
          confirm="Delete"
          onConfirm={removal.remove}
        >
          Delete
        </ConfirmButton>
      )}
    </span>
  )
}

function Stories({ stories }: { readonly stories: readonly Story[] }) {
  if (stories.length === 0) return null
  return (
    <details>
      <summary>
        <ChevronRight size={ICON} className={css['chevron']} aria-hidden />
        {byStatus(stories).map(({ status, stories: members }) => (
          <span key={status} className={css['count']}>
            <StateBadge words={storyStatusWords(status)} /> {members.length}
          </span>
        ))}
      </summary>
      <ul className={css['stories']}>
        {byStatus(stories).flatMap(({ status, stories: members }) =>
          members.map((story) => (
            <li key={story.id}>
              <OpenLink what={{ kind: 'story', id: story.id }}>{story.name}</OpenLink>
              <StateBadge words={storyStatusWords(status)} />
            </li>
          )),
        )}
      </ul>
    </details>
  )
}

interface StatusGroup {
  readonly status: StoryStatus
  readonly stories: readonly Story[]
}

/** From the first status that a story has to the last, as in the table of moves. */
const NAMES = Object.keys(STORY_MOVES)
const ORDER: readonly StoryStatus[] = STORY_STATUS_VALUES.toSorted((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b))

/** The stories under their status; a status that none has is left out. */
function byStatus(stories: readonly Story[]): readonly StatusGroup[] {
  const groups = groupBy(stories, ({ status }) => status)
  return ORDER.flatMap((status) => {
    const members = groups.get(status)
    return members === undefined ? [] : [{ status, stories: members }]
  })
}
