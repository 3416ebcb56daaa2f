/** Edits of a story in place, by people who may not be alone with it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Input, Story } from '../../core/rest/client/client.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { changedFields } from './changes.ts'
import { api } from './client.ts'
import { ChangedMeanwhile } from './decisions.ts'
import { readRecord, readWritten } from './queries.ts'
import { writeStory } from './stories.ts'

/** Fields of a story that people change on its page. */
export type StoryPatch = Pick<
  Input<'updateStory'>['body'],
  'name' | 'spec' | 'acceptance_criteria' | 'epic_id' | 'priority'
>

const PATCHED = ['name', 'spec', 'acceptance_criteria', 'epic_id', 'priority'] as const

export interface StoryEdit {
  /** Changes these fields, and nothing else of the story. */
  readonly save: (patch: StoryPatch) => void
  readonly isPending: boolean
  /** The server's words for what it does not take; '' while it refused nothing. */
  readonly refusal: string
  /** The story as the person last saw it, and what somebody else has made of the same fields; they may save again. */
  readonly conflict: { readonly before: Story; readonly now: Story } | undefined
}

/**
 * An edit of a story as it was when the edit began. What somebody else has changed meanwhile is a conflict, of which the
 * person is told once: the next save is about what they were shown.
 */
export function useStoryEdit(story: Story, onSaved: () => void): StoryEdit {
  const [seen, setSeen] = useState(story)
  const [conflict, setConflict] = useState<StoryEdit['conflict']>()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (patch: StoryPatch) => editStory(seen, patch),
    onSuccess(outcome) {
      if (outcome.kind === 'saved') return onSaved()
      setConflict({ before: seen, now: outcome.now })
      return setSeen(outcome.now)
    },
  })
  const isRefused = error !== null
  return {
    save: (patch) => mutate(patch),
    isPending,
    refusal: isRefused ? error.message : '',
    conflict: isRefused ? undefined : conflict,
  }
}

type Outcome = { readonly kind: 'saved' } | { readonly kind: 'conflict'; readonly now: Story }

/** @throws ApiFailure the server's refusal of what was typed */
async function editStory(seen: Story, patch: StoryPatch): Promise<Outcome> {
  const fields = PATCHED.filter((field) => patch[field] !== undefined)
  try {
    await writeStory(seen, fields, (target) => api.updateStory({ ...target, body: patch }))
  } catch (error) {
    if (!isConflict(error)) throw error
    const now = await readRecord('stories', seen.id)
    const changed = new Set(changedFields('stories', seen, now))
    // Somebody was faster with other fields, which this edit leaves as they are: it is sent again.
    return fields.some((field) => changed.has(field)) ? { kind: 'conflict', now } : editStory(now, patch)
  }
  await readWritten('stories', seen.id)
  return { kind: 'saved' }
}

/** Whether a failure says that the story is no longer what the person saw. Every other one is about the edit itself. */
function isConflict(error: unknown): boolean {
  return error instanceof ChangedMeanwhile || (error instanceof ApiFailure && error.status === 412)
}
