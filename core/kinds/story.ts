import { type Static, Type } from 'typebox'
import { STORY_EVENT_KIND_VALUES, STORY_STATUS_VALUES } from '../crd/enums.ts'
import type { ObjectMeta, Story, StorySpec } from '../crd/types.ts'
import { ANNOTATIONS, API_VERSION } from '../names.ts'
import { crdBranchName, crdInteger, crdName, crdReference, crdString, crdStrings } from '../schema/crd-limits.ts'
import { closed, Instant, maybe, RecordId } from '../schema/fields.ts'
import { withoutAbsent } from '../omit.ts'
import { toEvaluationRecord, toReviewFields } from '../rest/map/story.ts'
import { EvaluationRecord, ProgressRecord, ReviewFields, StoryDecisionRecord } from '../rest/records/story.ts'
import { editOf, mergeable, NewId, optional } from '../rest/requests/shapes.ts'
import { storyBranch } from '../story/branch.ts'
import { STORY_ACTIONS, storyActionsAllowed } from '../story/decide.ts'
import type { StoryProgress } from '../story/progress.ts'
import { storyStatus } from '../story/status.ts'
import { FIRST_STORY_STATUSES, STORY_MOVES } from '../story/transitions.ts'
import { mappingOf } from './mapping.ts'
import { shown } from './shown.ts'
import { TaskRecord } from './task.ts'

const name = crdName('Story', 'spec.title')

const validation = closed({
  type: maybe(crdString('Story', 'spec.validation.type')),
  steps: maybe(crdStrings('Story', 'spec.validation.steps')),
  success_criteria: maybe(crdString('Story', 'spec.validation.successCriteria')),
})

const options = {
  branch_name: crdBranchName('Story', 'spec.branchName'),
  project_id: crdReference('Story', 'spec.projectId'),
  epic_id: crdReference('Story', 'spec.epicId'),
  priority: crdInteger('Story', 'spec.priority'),
  spec: crdString('Story', 'spec.spec'),
  acceptance_criteria: crdStrings('Story', 'spec.acceptanceCriteria'),
  validation,
}

/** What people write. */
export const StoryInput = closed({ name, ...optional(options) })

export const StoryCreate = closed({
  id: maybe(NewId),
  /** Where the story begins; default DISCOVERY. */
  status: maybe(Type.Enum(FIRST_STORY_STATUSES)),
  ...StoryInput.properties,
})

const fields = shown(StoryInput.properties)

export const StoryRecord = closed({
  id: RecordId,
  ...fields,
  branch_name: Type.String(),
  status: Type.Enum(STORY_STATUS_VALUES),
  priority: Type.Integer(),
  acceptance_criteria: Type.Array(Type.String()),
  validation: maybe(closed({ ...fields.validation.properties, steps: Type.Array(Type.String()) })),
  /** First task of the chain. */
  root_task_id: maybe(RecordId),
  /** Without CANCELLED ones; done is READY or COMPLETED. */
  tasks: ProgressRecord,
  evaluation: EvaluationRecord,
  ...ReviewFields.properties,
  /** What people decided, oldest first; the last 50. */
  decisions: Type.Array(StoryDecisionRecord),
  created_at: Instant,
  updated_at: Instant,
  /** What this caller may do now. */
  actions: Type.Array(Type.Enum(STORY_ACTIONS)),
  /** Where the action `move` may lead. */
  moves: Type.Array(Type.Enum(STORY_STATUS_VALUES)),
})

/** The story after an action, and what was done in words. */
export const StoryActionResult = closed({
  message: Type.String(),
  /** Tasks that a run has queued, in chain order. */
  task_ids: maybe(Type.Array(RecordId)),
  ...StoryRecord.properties,
})

/** What a plan has become: its tasks in its order, each before its subtasks. */
export const ApprovedStoryRecord = closed({ story: StoryRecord, tasks: Type.Array(TaskRecord) })

/** The stories of a column, or some of them, in the order in which they are to stand. */
export const StoryOrderBody = closed({
  ids: Type.Array(RecordId, { minItems: 1, maxItems: 10_000, uniqueItems: true }),
})

/** Where stories stand in their column: the lower the priority, the further up. */
export const StoryPlaces = Type.Array(closed({ id: RecordId, priority: Type.Integer() }))

export const StoryStatusBody = closed({ status: Type.Enum(STORY_STATUS_VALUES) })

/** The kinds that clients may create; only the server records that a person accepted a story. */
const OPEN_EVENT_KINDS = STORY_EVENT_KIND_VALUES.filter((kind) => kind !== 'human_accepted')

export const StoryEventCreate = closed({
  kind: Type.Enum(OPEN_EVENT_KINDS),
  /** Details, in a form of their own for each kind. */
  payload: maybe(Type.Record(Type.String(), Type.Unknown())),
})

const { toInput, toSpec } = mappingOf<StorySpec>()(StoryInput, { name: 'title' }, {})

/** Tasks that share a branch. */
export const STORY = {
  id: 'story',
  one: 'Story',
  many: 'Stories',
  path: '/api/stories',
  input: StoryInput,
  create: StoryCreate,
  edit: editOf(StoryRecord.properties, mergeable({ name, ...options })),
  record: StoryRecord,
  toInput,
  toSpec,
  make: (metadata: ObjectMeta, spec: StorySpec): Story => ({ apiVersion: API_VERSION, kind: 'Story', metadata, spec }),
  /** @param progress what its tasks say now, which may be ahead of what the story's status holds */
  toRecord(story: Story, progress: StoryProgress): StoryRecord {
    const { metadata, spec } = story
    const { validation, ...input } = toInput(spec)
    const status = storyStatus(story)
    return {
      id: metadata.name,
      ...input,
      branch_name: storyBranch(metadata.name, spec.branchName),
      status,
      priority: input.priority ?? 0,
      acceptance_criteria: input.acceptance_criteria ?? [],
      ...withoutAbsent({
        validation: validation && { ...validation, steps: validation.steps ?? [] },
        root_task_id: progress.rootTaskId,
      }),
      tasks: { total: progress.tasks.total, done: progress.tasks.done },
      evaluation: toEvaluationRecord(story),
      ...toReviewFields(story),
      decisions: (story.status?.decisions ?? []).map((decision) => ({ ...decision })),
      created_at: metadata.creationTimestamp ?? '',
      updated_at: updatedAt(story),
      actions: [...storyActionsAllowed(story)],
      moves: [...STORY_MOVES[status]],
    }
  },
} as const

/** The latest instant that the resource itself records; an edit by kubectl shows with the next change of the status. */
function updatedAt({ metadata, status = {} }: Story): string {
  const { [ANNOTATIONS.editedAt]: editedAt } = metadata.annotations ?? {}
  const changed = (status.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime)
  const known = [editedAt, status.statusChangedAt, ...changed]
  return known.reduce<string>(
    (latest, at) => (at !== undefined && at > latest ? at : latest),
    metadata.creationTimestamp ?? '',
  )
}

export type StoryInput = Static<typeof StoryInput>
export type StoryCreate = Static<typeof StoryCreate>
export type StoryRecord = Static<typeof StoryRecord>
export type StoryActionResult = Static<typeof StoryActionResult>
