import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Epic, Story } from '../../../core/rest/client/client.ts'
import type { EpicVersion } from '../../api/epics.ts'
import { deleteEpic, readEpicVersion } from '../../api/epics.ts'
import { useSession } from '../../api/session.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Meter } from '../../components/meter.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { storyStatusWords } from '../../model/story-status.ts'
import { EditEpic } from './epic-form.tsx'
import { byStatus } from './epic-facts.ts'
import css from './epics.module.css'

/** An epic with its progress and its stories. */
export function EpicItem({ epic, stories }: { readonly epic: Epic; readonly stories: readonly Story[] }) {
  const [edited, setEdited] = useState<EpicVersion>()
  if (edited !== undefined)
    return (
      <li className={css['epic']}>
        <EditEpic seen={edited} onEnd={() => setEdited(undefined)} />
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
        <EpicActions epic={epic} onEdit={setEdited} />
      </div>
      {epic.description !== undefined && <p className={css['about']}>{epic.description}</p>}
      <Stories stories={stories} />
    </li>
  )
}

function EpicActions({ epic, onEdit }: { readonly epic: Epic; readonly onEdit: (seen: EpicVersion) => void }) {
  const { may } = useSession()
  const edit = useDecision(
    async () => {
      onEdit(await readEpicVersion(epic.id))
      return ''
    },
    { onDone: () => undefined, onRefused: refuse },
  )
  const remove = useDecision(() => deleteEpic(epic), { onDone: notify, onRefused: refuse })
  return (
    <span className={css['end']}>
      {may('decide') && (
        <Button
          isSmall
          look="quiet"
          aria-label={`Edit ${epic.name}`}
          isBusy={edit.isPending}
          onClick={() => edit.decide(undefined)}
        >
          Edit
        </Button>
      )}
      {may('admin') && (
        <ConfirmButton
          isSmall
          look="quiet"
          isBusy={remove.isPending}
          question={`Delete the epic ${epic.name}?`}
          confirm="Delete"
          onConfirm={() => remove.decide(undefined)}
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
