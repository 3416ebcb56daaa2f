import { STORY_EVENT_KIND_VALUES, STORY_STATUS_VALUES } from '../../crd/enums.ts'
import { FIRST_STORY_STATUSES } from '../../story/transitions.ts'
import { crdField } from '../../crd-field.ts'
import { crdBranchName, crdInteger, crdName, crdReference, crdString } from '../crd-limits.ts'
import { closed, maybe } from '../fields.ts'
import { StoryRecord } from '../records/story.ts'
import { NewId, editOf, nullable, optional } from './shapes.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

const storyName = crdName('Story', 'spec.title')

const StoryValidationInput = closed({
  type: maybe(crdString('Story', 'spec.validation.type')),
  steps: maybe(orderedList('spec.validation.steps')),
  success_criteria: maybe(crdString('Story', 'spec.validation.successCriteria')),
})

/** Fields of a story that people write, beside its name. */
const storyOptions = {
  branch_name: crdBranchName('Story', 'spec.branchName'),
  project_id: crdReference('Story', 'spec.projectId'),
  epic_id: crdReference('Story', 'spec.epicId'),
  priority: crdInteger('Story', 'spec.priority'),
  spec: crdString('Story', 'spec.spec'),
  acceptance_criteria: orderedList('spec.acceptanceCriteria'),
  validation: StoryValidationInput,
}

export const StoryInput = closed({ name: storyName, ...optional(storyOptions) })

export const StoryCreate = closed({
  id: maybe(NewId),
  /** Where the story begins; default DISCOVERY. */
  status: maybe(Type.Enum(FIRST_STORY_STATUSES)),
  ...StoryInput.properties,
})

/** A merge (RFC 7396): null clears; read-only fields pass when they repeat what is there. */
export const StoryEdit = editOf(StoryRecord.properties, {
  name: storyName,
  ...storyOptions,
  validation: closed(nullable(StoryValidationInput.properties)),
})

export const StoryStatusBody = closed({ status: Type.Enum(STORY_STATUS_VALUES) })

/** What others may tell of a story; that a person accepted it, only the server knows. */
export const OPEN_EVENT_KINDS = STORY_EVENT_KIND_VALUES.filter((kind) => kind !== 'human_accepted')

export const StoryEventCreate = closed({
  kind: Type.Enum(OPEN_EVENT_KINDS),
  /** Details, in a form of their own for each kind. */
  payload: maybe(Type.Record(Type.String(), Type.Unknown())),
})

/** Its order means something and its items may repeat, unlike those of a set. */
function orderedList(path: string) {
  const { maxItems } = crdField('Story', path)
  return Type.Array(crdString('Story', `${path}[]`), maxItems === undefined ? {} : { maxItems })
}

export type StoryInput = Static<typeof StoryInput>
