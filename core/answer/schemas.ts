import type { AnswerSchema } from '../crd/types.ts'
import { Classification } from './classification.ts'
import { Evaluation } from './evaluation.ts'
import { StoryPlan } from './story-plan.ts'
import { TaskDraft } from './task-draft.ts'
import { Validation } from './validation.ts'

/** The forms that an agent can be asked to answer in, by the name that an Execution gives them. */
export const ANSWER_SCHEMAS = {
  TaskDraft,
  StoryPlan,
  Validation,
  Classification,
  Evaluation,
} as const satisfies Record<AnswerSchema, object>
