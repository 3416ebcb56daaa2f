import { MoreHorizontal, ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { countOf } from '../../../core/sentences/amounts.ts'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useSession } from '../../api/session.ts'
import { runStory } from '../../api/stories.ts'
import { moveStory } from '../../api/story-details.ts'
import { type RecordDecision, useDecision, useStoryAccept } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { telling } from '../../components/toast.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { consequenceId, storyFacts } from './story-facts.ts'
import css from './story.module.css'

interface StoryActionsProps {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly onRename: () => void
  readonly onAdd: () => void
  readonly onDelete: () => void
}

/** The moves that the record allows now, and no others. */
export function StoryActions({ story, tasks, onRename, onAdd, onDelete }: StoryActionsProps) {
  const { may } = useSession()
  const isNarrow = useNarrow()
  const canAdd = story.actions.includes('add_task')
  const { waiting } = storyFacts(tasks)
  const run = useDecision(() => runStory(story), telling(story.name))
  const accept = useStoryAccept(story, telling(story.name))
  const isFree = accept.held === undefined
  return (
    <div className={css['actions']} tabIndex={-1} data-decisions>
      {canAdd && !isNarrow && (
        <Button isSmall onClick={onAdd}>
          Add task
        </Button>
      )}
      {isFree && story.actions.includes('run') && waiting > 0 && (
        <Button isSmall isBusy={run.isPending} onClick={() => run.decide(undefined)}>
          Run {countOf(waiting, 'waiting task')}
        </Button>
      )}
      {isFree && story.actions.includes('move') && <Moves story={story} />}
      {isFree && story.actions.includes('accept') && <Accept story={story} accept={accept} />}
      {accept.held !== undefined && <DecidingNote {...accept.held} />}
      {/* What is done seldom. */}
      <Menu
        trigger={
          <Button isSmall look="quiet" aria-label="More" title="More">
            <MoreHorizontal size={SMALL_ICON} aria-hidden />
          </Button>
        }
        entries={[
          ...(canAdd && isNarrow ? [{ label: 'Add task', onSelect: onAdd }] : []),
          ...(may('decide') ? [{ label: 'Rename', onSelect: onRename }] : []),
          ...(may('admin') ? [{ label: 'Delete…', onSelect: onDelete }] : []),
        ]}
      />
    </div>
  )
}

/** The moves by hand: the one that goes on as a button, all of them in a menu. */
function Moves({ story }: { readonly story: Story }) {
  const { decide, isPending } = useDecision((to: Story['status']) => moveStory(story, to), telling(story.name))
  // The move to DONE is the acceptance, which has a button of its own.
  const targets = story.moves.filter((to) => to !== 'DONE')
  const isWorkDone = story.status === 'SHIPPABLE' && targets.includes('VALIDATING')
  return (
    <>
      {isWorkDone && (
        <Button isSmall look="primary" isBusy={isPending} onClick={() => decide('VALIDATING')}>
          Have it validated
        </Button>
      )}
      <Menu
        trigger={
          <Button isSmall isBusy={isPending}>
            Move to <ChevronDown size={SMALL_ICON} aria-hidden />
          </Button>
        }
        entries={targets.map((to) => ({ label: STORY_STATUS_LABELS[to], onSelect: () => decide(to) }))}
      />
    </>
  )
}

interface AcceptProps {
  readonly story: Story
  readonly accept: RecordDecision<void>
}

function Accept({ story, accept: { decide, isPending } }: AcceptProps) {
  const { isKnown } = useProjectOf(story.project_id)
  return (
    <Button
      isSmall
      look="primary"
      isBusy={isPending}
      aria-describedby={consequenceId(story)}
      disabled={!isKnown}
      data-action="accept"
      onClick={() => decide()}
    >
      Accept the story
    </Button>
  )
}

interface MenuEntry {
  readonly label: string
  readonly onSelect: () => void
}

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode
  readonly entries: readonly MenuEntry[]
}

/** Nothing where it would be empty. */
function Menu({ trigger, entries }: MenuProps) {
  if (entries.length === 0) return null
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css['menu']} align="end" sideOffset={4}>
          {entries.map(({ label, onSelect }) => (
            <DropdownMenu.Item key={label} onSelect={onSelect}>
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
