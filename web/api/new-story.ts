/** How stories come to be: planned by an agent, approved as a plan, or created as they are. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Answer, Input, Story } from '../../core/rest/client/client.ts'
import { api } from './client.ts'
import { newId } from './new-id.ts'
import { readWritten, store } from './queries.ts'
import { serverNow } from './server-clock.ts'
import { useUnsaved } from './unsaved.ts'

export type StoryPlan = Awaited<Answer<'elaborateStory'>>
export type StoryApproval = Input<'approveStory'>['body']

export interface ElaborationRequest {
  readonly prompt: string
  readonly projectId: string
  /** Undefined: chosen by the rules. */
  readonly agent: string | undefined
}

export interface Elaboration {
  readonly start: (request: ElaborationRequest) => void
  /** Ends it; the server then stops the agent. */
  readonly cancel: () => void
  /** When it began, by the server's clock; undefined while none is under way. */
  readonly startedAtMs: number | undefined
  /** Why there is no plan, in the server's words. */
  readonly refusal: string | undefined
}

const STOPS_PLANNING = {
  title: 'Leave and stop the planning?',
  text: 'The agent stops with this page. Your words are kept.',
}

/** Lets an agent plan a story. It takes up to five minutes, and ends when the view is left. */
export function useElaboration(onPlan: (plan: StoryPlan, request: ElaborationRequest) => void): Elaboration {
  const running = useRef<AbortController>(undefined)
  const [startedAtMs, setStartedAtMs] = useState<number>()
  const { mutate, error, reset, isPending } = useMutation({
    mutationFn: (request: ElaborationRequest) => {
      const abort = new AbortController()
      running.current = abort
      setStartedAtMs(serverNow())
      const { prompt, projectId, agent } = request
      return api.elaborateStory(
        { body: { prompt, project_id: projectId }, ...(agent === undefined ? {} : { query: { agent } }) },
        { signal: abort.signal },
      )
    },
    onSuccess: onPlan,
  })
  useUnsaved(isPending, STOPS_PLANNING)
  useEffect(() => () => running.current?.abort(), [])
  return {
    start: (request) => mutate(request),
    cancel: () => {
      running.current?.abort()
      reset()
    },
    startedAtMs: isPending ? startedAtMs : undefined,
    refusal: error?.message,
  }
}

/** Makes a story with its tasks of a plan. @throws ApiFailure that names the fields */
export async function approvePlan(body: StoryApproval): Promise<Story> {
  const { story } = await api.approveStory({ body })
  // Read anew: messages about what has begun since may be here before the answer. Those about its tasks bring the tasks.
  return (await readWritten('stories', story.id)) ?? story
}

/** Creates a story without tasks. @throws ApiFailure that names the fields */
export async function createStory(body: Input<'createStory'>['body']): Promise<Story> {
  return store.readOne('stories', () => api.createStory({ body: { id: newId('story', body.name), ...body } }))
}
