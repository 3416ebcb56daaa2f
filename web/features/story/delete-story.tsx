import { useNavigate } from '@tanstack/react-router'
import type { Story } from '../../../core/rest/client/client.ts'
import { deleteStory } from '../../api/story-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import css from './story.module.css'

/** Asks once, then deletes the story and leaves its page. */
export function DeleteStory({ story, onEnd }: { readonly story: Story; readonly onEnd: () => void }) {
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
