import { useNavigate } from '@tanstack/react-router'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { acceptStory } from '../../api/decisions.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { deleteStory, moveStory, runStory } from '../../api/story-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { moveWords } from '../../model/story-status.ts'
import { acceptConsequence, countWords, storyFacts } from './story-facts.ts'
import css from './story.module.css'

interface StoryActionsProps {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly onRename: () => void
  readonly onAdd: () => void
}

/** The moves that the record allows now, and no others. */
export function StoryActions({ story, tasks, onRename, onAdd }: StoryActionsProps) {
  const { may } = useSession()
  const { waiting } = storyFacts(tasks)
  const telling = { onDone: (message: string) => notify(`${story.name}: ${message}`), onRefused: refuse }
  const run = useDecision(() => runStory(story), telling)
  return (
    <div className={css['actions']}>
      {may('decide') && (
        <Button isSmall look="quiet" onClick={onRename}>
          Rename
        </Button>
      )}
      {may('admin') && <Delete story={story} />}
      {story.actions.includes('add_task') && (
        <Button isSmall onClick={onAdd}>
          Add task
        </Button>
      )}
      {story.actions.includes('run') && waiting > 0 && (
        <Button isSmall isBusy={run.isPending} onClick={() => run.decide(undefined)}>
          Run {countWords(waiting, 'waiting task')}
        </Button>
      )}
      {story.actions.includes('move') && <Moves story={story} />}
      {story.actions.includes('accept') && <Accept story={story} />}
    </div>
  )
}

function Moves({ story }: { readonly story: Story }) {
  const { decide, isPending } = useDecision((to: Story['status']) => moveStory(story, to), {
    onDone: (message) => notify(`${story.name}: ${message}`),
    onRefused: refuse,
  })
  // The move to DONE is the acceptance, which has a button of its own.
  const targets = story.moves.filter((to) => to !== 'DONE')
  return targets.map((to) => (
    <Button key={to} isSmall isBusy={isPending} onClick={() => decide(to)}>
      {moveWords(to)}
    </Button>
  ))
}

function Accept({ story }: { readonly story: Story }) {
  const { data: projects = [] } = useRecords('projects')
  const project = projects.find(({ id }) => id === story.project_id)
  const { decide, isPending } = useDecision(() => acceptStory(story), {
    onDone: (message) => notify(`${story.name}: ${message}`),
    onRefused: refuse,
  })
  return (
    <span className={css['accept']}>
      <span id="accept-consequence">{acceptConsequence(story, project)}</span>
      <Button
        isSmall
        look="primary"
        isBusy={isPending}
        aria-describedby="accept-consequence"
        onClick={() => decide(undefined)}
      >
        Accept the story
      </Button>
    </span>
  )
}

function Delete({ story }: { readonly story: Story }) {
  const navigate = useNavigate()
  const { decide, isPending } = useDecision(() => deleteStory(story), {
    onDone: (message) => {
      notify(`${story.name}: ${message}`)
      void navigate({ to: '/stories' })
    },
    onRefused: refuse,
  })
  return (
    <ConfirmButton
      isSmall
      look="quiet"
      isBusy={isPending}
      question="Delete the story and its events? Its tasks stay."
      confirm="Delete"
      onConfirm={() => decide(undefined)}
    >
      Delete
    </ConfirmButton>
  )
}
