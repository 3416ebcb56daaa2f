import { isDeepStrictEqual } from 'node:util'
import type { Story, StoryEvent, StoryStatusFields, Task } from '../../core/crd/types.ts'
import { claimConditions } from '../../core/conditions.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { findStoryBranchProblem, storyBranch } from '../../core/story/branch.ts'
import { chainEnds, notedEnd } from '../../core/story/chain.ts'
import { type StoryDecision, decideStory } from '../../core/story/decide.ts'
import { acceptanceEvent } from '../../core/story/events.ts'
import { omit } from '../../core/omit.ts'
import { storyStatusFields } from '../../core/story/progress.ts'
import { followUpEvent, retroEvent } from '../../core/story/retro.ts'
import { storyReview } from '../../core/story/review.ts'
import { stateOf } from '../../core/task/decide.ts'
import { requestDelivery, reviewedOfStory } from '../../core/task/delivery.ts'
import { isSatisfied } from '../../core/task/dependencies.ts'
import { projectOf } from '../../core/task/project.ts'
import { parseTimestamp } from '../../core/time.ts'
import { type Action, type Step, recordEvent } from '../action.ts'
import { type AskedAction, clearAskedAction, findAskedAction, rememberAction } from '../action-annotation.ts'
import { evaluate } from './evaluate.ts'
import type { ObservedStory } from './observe.ts'

/** Decides the next step of one story: a decision by annotation, else what its tasks and its evaluation say. */
export function reconcileStory(seen: ObservedStory): Step {
  const { story, tasks, now } = seen
  const asked = reconcileAnnotation(seen)
  if (asked !== undefined) return { actions: asked }
  const tracked = {
    ...omit(storyStatusFields(story, tasks, now), ['review']),
    ...storyReview(story, tasks, seen.executions()),
  }
  const { before, status, lookAgainAt } = evaluate(seen, claimBranch(seen, tracked))
  if (isSame(story.status ?? {}, status)) return { actions: before, requeueAt: lookAgainAt }
  const hasMoved = status.status !== story.status?.status
  return {
    actions: [
      ...before,
      // Before the condition that says DONE: whoever accepted the story may have died before making the event.
      ...closingEvents(seen).map((event): Action => ({ kind: 'createStoryEvent', event })),
      ...askForDelivery(seen, status),
      { kind: 'writeStory', story, status },
      ...(hasMoved ? [recordEvent(story, 'Normal', 'Moved', `the story is ${status.status ?? ''}`)] : []),
    ],
    requeueAt: lookAgainAt,
  }
}

/** Over kubectl a story can get a branch that only the configuration forbids. */
function claimBranch(
  { story, now, branchPrefix, project }: ObservedStory,
  fields: StoryStatusFields,
): StoryStatusFields {
  const message = findStoryBranchProblem({ ...story, status: fields }, branchPrefix, project)
  if (message === undefined) return fields
  const claim = { type: 'Stalled', status: 'True', reason: 'BranchReserved', message } as const
  return { ...fields, ...claimConditions(story, [claim], now) }
}

/** The events of an accepted story; each has a derived name, so that creating it again is harmless. */
function closingEvents({ story, tasks, executions, project, now }: ObservedStory): StoryEvent[] {
  const accepted = acceptanceEvent(story)
  if (accepted === undefined) return []
  const { retro, proposeEpics } = project?.spec.evaluation ?? {}
  const proposed = proposeEpics === false ? undefined : followUpEvent(story, now)
  return [
    accepted,
    ...(retro === false || tasks.length === 0 ? [] : [retroEvent(story, tasks, executions(), now)]),
    ...(proposed === undefined ? [] : [proposed]),
  ]
}

/**
 * An accepted story is delivered once: its branch holds the work of all its tasks, and the last of them that is done
 * carries the delivery. Asked for before the condition that says DONE, so that a crash in between asks again, for the same.
 */
function askForDelivery({ story, tasks }: ObservedStory, next: StoryStatusFields): Action[] {
  const { at: acceptedAt, commit } = story.status?.accepted ?? {}
  const said = ({ conditions = [] }: StoryStatusFields): string | undefined => conditions[0]?.message
  if (acceptedAt === undefined || next.status !== 'DONE' || said(story.status ?? {}) === said(next)) return []
  const carrier = findCarrier(story, tasks)
  if (carrier === undefined) return []
  const at = parseTimestamp(acceptedAt)
  const delivery = requestDelivery(at, commit ?? reviewedOfStory(tasks, at))
  if (tasks.some(({ status }) => status?.delivery?.requestedAt === delivery.requestedAt)) return []
  return [{ kind: 'writeTask', task: carrier, status: { ...carrier.status, delivery } }]
}

/**
 * The task that carries the delivery of its story: one that writes the story's branch, by the story's project; of these one
 * whose work is done, or will be, for nobody could accept another one again where the delivery is stuck, as that of a task
 * that was cancelled or has failed. Of these the end of the chain; where several stand there, or none, the one that was
 * made last.
 */
export function findCarrier(story: Story, tasks: readonly Task[]): Task | undefined {
  const { branchName, projectId } = story.spec
  const ends = chainEnds(tasks, notedEnd(story))
  const branch = storyBranch(story.metadata.name, branchName)
  const rank = (task: Task): string => {
    const { name, creationTimestamp = '' } = task.metadata
    const [project, state] = [projectOf(task, story), stateOf(task)]
    const isOnBranch = task.status?.branch === branch && project !== undefined && project === (projectId ?? project)
    const marks = [isOnBranch, isSatisfied(state) || state === 'RUNNING', ends.includes(name)].map(Number)
    return `${marks.join('')}${creationTimestamp}/${name}`
  }
  const candidates = tasks.filter(({ status }) => status?.branch !== undefined)
  return candidates.sort((a, b) => (rank(a) < rank(b) ? 1 : -1))[0]
}

function reconcileAnnotation(seen: ObservedStory): Action[] | undefined {
  const of = { kind: 'Story', object: seen.story } as const
  const asked = findAskedAction(of, seen.admissionPolicies)
  return asked && [...take(seen, asked), ...clearAskedAction(of, asked, [ANNOTATIONS.status])]
}

function take(seen: ObservedStory, asked: AskedAction): Action[] {
  const { story, tasks, now } = seen
  const decision = readDecision(story, asked, now)
  if (decision === undefined) return refuse(seen, asked, `unknown action ${asked.action}: use accept or move`)
  const outcome = decideStory(story, tasks, decision, seen.fourEyes)
  if (outcome.kind === 'refused') return refuse(seen, asked, outcome.error.message)
  const status = { ...outcome.status, ...rememberAction(story.status, asked, now) }
  const { type, reason, message } = decisionEvent(decision.action, outcome.message, asked.by)
  return [{ kind: 'writeStory', story, status }, recordEvent(story, type, reason, message)]
}

function readDecision(story: Story, { action, by }: AskedAction, at: Date): StoryDecision | undefined {
  const made = { by, at }
  if (action === 'accept') return { action, ...made }
  const status = story.metadata.annotations?.[ANNOTATIONS.status] ?? ''
  return action === 'move' ? { action, status, ...made } : undefined
}

function refuse({ story, now }: ObservedStory, asked: AskedAction, message: string): Action[] {
  const status = { ...story.status, ...rememberAction(story.status, asked, now, message) }
  return [{ kind: 'writeStory', story, status }, recordEvent(story, 'Warning', 'ActionRefused', message)]
}

function isSame(a: StoryStatusFields, b: StoryStatusFields): boolean {
  // Not as text: the API server gives fields back in an order of its own.
  const facts = ({
    status,
    statusChangedAt,
    rootTaskId,
    tasks,
    branch,
    authors,
    pushes,
    review,
    evaluation,
    conditions,
    observedGeneration = 1,
  }: StoryStatusFields): unknown => [
    status,
    statusChangedAt,
    rootTaskId,
    tasks,
    branch,
    authors,
    pushes,
    review,
    evaluation,
    conditions?.map(({ reason, message }) => [reason, message]),
    observedGeneration,
  ]
  return isDeepStrictEqual(facts(a), facts(b))
}
