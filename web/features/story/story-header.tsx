import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight, GitBranch } from 'lucide-react'
import { useState } from 'react'
import { countOf, formatCost } from '../../../core/sentences/amounts.ts'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { storyAcceptEffect } from '../../../core/sentences/accept.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useRecords } from '../../api/queries.ts'
import { deleteStory } from '../../api/story-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { Button } from '../../components/button.tsx'
import { Changes } from '../../components/changes.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { storyStatusWords } from '../../model/state-words.ts'
import { AddTask } from './add-task.tsx'
import { EditName } from './edit-fields.tsx'
import { StoryActions } from './story-actions.tsx'
import { consequenceId, storyFacts } from './story-facts.ts'
import css from './story.module.css'

interface StoryHeaderProps {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly isPage: boolean
}

/** What the story is, how far it is, and what can be done with it now. */
export function StoryHeader({ story, tasks, isPage }: StoryHeaderProps) {
  const [isRenaming, setRenaming] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const Title = isPage ? 'h1' : 'h2'
  return (
    <header className={css['top']}>
      {isPage && <Crumbs story={story} />}
      <div className={css['titleLine']}>
        {isRenaming ? (
          <EditName story={story} onEnd={() => setRenaming(false)} />
        ) : (
          <Title className={css['title']}>{story.name}</Title>
        )}
        <StoryActions
          story={story}
          tasks={tasks}
          onRename={() => setRenaming(true)}
          onAdd={() => setAdding(true)}
          onDelete={() => setDeleting(true)}
        />
      </div>
      <Line story={story} tasks={tasks} />
      {isAdding && <AddTask story={story} onEnd={() => setAdding(false)} />}
      {isDeleting && <DeleteStory story={story} onEnd={() => setDeleting(false)} />}
    </header>
  )
}

function Crumbs({ story }: { readonly story: Story }) {
  const { data: epics = [] } = useRecords('epics')
  const epic = epics.find(({ id }) => id === story.epic_id)
  const separator = <ChevronRight size={SMALL_ICON - 2} aria-hidden />
  return (
    <nav className={css['crumbs']} aria-label="Where this is">
      <Link to="/stories">Stories</Link>
      {epic !== undefined && (
        <>
          {separator}
          <Link to="/stories" search={{ epic: epic.id }}>
            {epic.name}
          </Link>
        </>
      )}
      {separator}
      <span className={css['code']}>{story.id}</span>
    </nav>
  )
}

function Line({ story, tasks }: Omit<StoryHeaderProps, 'isPage'>) {
  const { insertions, deletions, costUSD, trouble } = storyFacts(tasks)
  const { done, total } = story.tasks
  return (
    <div className={css['line']}>
      <StateBadge words={storyStatusWords(story.status)} isLoud />
      <span className={css['progress']}>
        <Meter done={done} total={total} label="Tasks that are finished" />
        {total === 0 ? 'no tasks' : `${done} of ${countOf(total, 'task')} finished`}
      </span>
      <Changes insertions={insertions} deletions={deletions} />
      {formatCost(costUSD) !== undefined && <span>{formatCost(costUSD)}</span>}
      <span className={css['branch']} title="The branch that all its tasks work on">
        <GitBranch size={SMALL_ICON} aria-hidden /> {story.branch_name}
      </span>
      {trouble !== undefined && <span className={css['trouble']}>{trouble}</span>}
      {story.actions.includes('accept') && <Consequence story={story} />}
    </div>
  )
}

function Consequence({ story }: { readonly story: Story }) {
  const project = useProjectOf(story.project_id)
  return (
    <span id={consequenceId(story)} className={css['consequence']}>
      <AcceptConsequence project={project} effectOf={(known) => storyAcceptEffect(story, known)} />
    </span>
  )
}

/** Asks once, then deletes the story and leaves its page. */
function DeleteStory({ story, onEnd }: { readonly story: Story; readonly onEnd: () => void }) {
  const navigate = useNavigate()
  const { decide, isPending } = useDecision(() => deleteStory(story), {
    onDone: (message) => {
      notify(`${story.name}: ${message}`)
      void navigate({ to: '/stories', ignoreBlocker: true })
    },
    onRefused: (message) => {
      refuse(message)
      onEnd()
    },
  })
  const { total } = story.tasks
  return (
    <Dialog title={`Delete “${story.name}”?`} onClose={onEnd}>
      <p className={css['none']}>
        The story and its events are deleted.{' '}
        {total > 0 && (total === 1 ? 'Its task stays, without a story.' : `Its ${total} tasks stay, without a story.`)}
      </p>
      <p className={css['editActions']}>
        <Button look="danger" isBusy={isPending} onClick={() => decide(undefined)}>
          Delete
        </Button>
        <Button autoFocus onClick={onEnd}>
          Cancel
        </Button>
      </p>
    </Dialog>
  )
}
