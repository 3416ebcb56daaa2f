import { isDeepStrictEqual } from 'node:util'
import { mergeConditions } from '../../core/conditions.ts'
import type { LastAction, Story, StoryEvent, StoryStatusFields, Task } from '../../core/crd/types.ts'
import { ANNOTATIONS, API_VERSION } from '../../core/names.ts'
import type { StoryDecision } from '../../core/story/decide.ts'
import { decideStory, storyStatus } from '../../core/story/decide.ts'
import { trackStory } from '../../core/story/progress.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Action, Step } from '../action.ts'
import { ANNOTATOR } from '../task/annotation.ts'

/** Everything that the next step of one story depends on. */
export interface ObservedStory {
  readonly now: Date
  readonly story: Story
  readonly tasks: readonly Task[]
}

/** Decides the next step of one story: a decision by annotation, else what its tasks say. */
export function reconcileStory(seen: ObservedStory): Step {
  const { story, tasks, now } = seen
  const asked = reconcileAnnotation(seen)
  if (asked !== undefined) return { actions: asked }
  const tracked = trackStory(story, tasks)
  const message = `the story is ${storyStatus({ ...story, status: tracked })}`
  const ready = { type: 'Ready', status: 'True', reason: 'Tracked', message } as const
  const status = { ...tracked, conditions: mergeConditions(story.status?.conditions, [ready], now) }
  if (isSame(story.status ?? {}, status)) return { actions: [] }
  const write = { kind: 'writeStory', story, status } as const
  const hasMoved = status.status !== story.status?.status
  return { actions: hasMoved ? [write, note(story, 'Normal', 'Moved', message)] : [write] }
}

function reconcileAnnotation({ story, now }: ObservedStory): Action[] | undefined {
  const { [ANNOTATIONS.action]: action, [ANNOTATIONS.actionId]: id } = story.metadata.annotations ?? {}
  if (action === undefined) return undefined
  const names = [ANNOTATIONS.action, ANNOTATIONS.status]
  const clear: Action = { kind: 'clearAnnotations', of: { kind: 'Story', object: story }, names }
  if (id !== undefined && story.status?.lastAction?.id === id) return [clear]
  const taken: LastAction = { action: action.slice(0, 63), at: toTimestamp(now), ...(id === undefined ? {} : { id }) }
  return [...take(story, action, taken, now), clear]
}

function take(story: Story, action: string, lastAction: LastAction, now: Date): Action[] {
  const decision = readDecision(story, action, now)
  if (decision === undefined) return refuse(story, lastAction, `unknown action ${action}: use accept or move`)
  const verdict = decideStory(story, decision)
  if (verdict.kind === 'refused') return refuse(story, lastAction, verdict.message)
  const accepted: Action[] =
    decision.action === 'accept' ? [{ kind: 'createStoryEvent', event: acceptance(story, now) }] : []
  const status = { ...verdict.status, lastAction }
  return [...accepted, { kind: 'writeStory', story, status }, note(story, 'Normal', 'Moved', verdict.message)]
}

function readDecision(story: Story, action: string, at: Date): StoryDecision | undefined {
  if (action === 'accept') return { action, at }
  return action === 'move' ? { action, at, status: story.metadata.annotations?.[ANNOTATIONS.status] ?? '' } : undefined
}

function refuse(story: Story, lastAction: LastAction, message: string): Action[] {
  const status = { ...story.status, lastAction: { ...lastAction, refused: message.slice(0, 1024) } }
  return [{ kind: 'writeStory', story, status }, note(story, 'Warning', 'ActionRefused', message)]
}

/** A story is accepted at most once, so one name serves: made again after a crash, it is there already. */
function acceptance({ metadata }: Story, now: Date): StoryEvent {
  const { name, namespace, uid } = metadata
  const owner = { apiVersion: API_VERSION, kind: 'Story', name, uid: uid ?? '', controller: true }
  return {
    apiVersion: API_VERSION,
    kind: 'StoryEvent',
    metadata: {
      name: `${name}-accepted`,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
    },
    spec: { storyId: name, kind: 'human_accepted', at: toTimestamp(now), by: ANNOTATOR },
  }
}

function note(story: Story, type: 'Normal' | 'Warning', reason: string, message: string): Action {
  return { kind: 'recordEvent', event: { regarding: story, type, reason, message } }
}

function isSame(a: StoryStatusFields, b: StoryStatusFields): boolean {
  // Not as text: the API server gives fields back in an order of its own.
  const facts = ({ status, statusChangedAt, rootTaskId, tasks, conditions }: StoryStatusFields): unknown => [
    status,
    statusChangedAt,
    rootTaskId,
    tasks,
    conditions?.map(({ message }) => message),
  ]
  return isDeepStrictEqual(facts(a), facts(b))
}
