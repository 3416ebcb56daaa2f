import { useState } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import type { StoryPatch } from '../../api/story-details.ts'
import { editStory } from '../../api/story-details.ts'
import { useDecision } from '../../api/use-decision.ts'
import { notify } from '../../components/toast.tsx'

export interface Editing {
  readonly save: (patch: StoryPatch) => void
  readonly isPending: boolean
  /** Why it was not saved; '' while nothing was refused. */
  readonly refusal: string
}

/**
 * An edit of a story as it was when the edit began. If somebody else changes the same field meanwhile, nothing is saved
 * and the page says so; what the person wrote stays, and saving it again replaces what the other wrote.
 */
export function useEditing(story: Story, onEnd: () => void): Editing {
  const [begunWith, setBegunWith] = useState<Story | undefined>(story)
  const [refusal, setRefusal] = useState('')
  const { decide, isPending } = useDecision((patch: StoryPatch) => editStory(begunWith ?? story, patch), {
    onDone: (message) => {
      notify(`${story.name}: ${message}`)
      onEnd()
    },
    onRefused: (message) => {
      setRefusal(message)
      // From now on the person knows what the other wrote: it stands on the page.
      setBegunWith(undefined)
    },
  })
  return { save: decide, isPending, refusal }
}
