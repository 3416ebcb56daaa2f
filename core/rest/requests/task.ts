/** What the REST API takes beside the fields of a task. */
import { TASK_STATE_VALUES } from '../../crd/enums.ts'
import { TaskCreate } from '../../kinds/task.ts'
import { MESSAGE_MODES } from '../../enum-values.ts'
import { crdString } from '../../schema/crd-limits.ts'
import { closed, maybe } from '../../schema/fields.ts'
import { PAGE, Reference } from './shapes.ts'
import { Type } from 'typebox'

/** What is validated: meant to be a TaskCreate, but anything may come, for what is wrong with it is the answer. */
export const TaskDraft = Type.Union([TaskCreate, Type.Unknown()])

/** The comment may be empty; `{}` counts as one. */
export const RejectBody = closed({ comment: maybe(crdString('Task', 'status.rejectionComment')) })

/** What is to be changed, with the comments on single lines. */
export const ReviseBody = closed({ comment: crdString('Task', 'status.revision') })

/** What was pushed last; with a comment the agent goes on from there. */
export const HandBackBody = closed({
  head: crdString('Task', 'status.handedBack.head'),
  comment: maybe(crdString('Task', 'status.revision')),
})

/** Commits that the caller has already, with a comma between them: they and what is before them are left out. */
export const BundleQuery = closed({
  have: maybe(Type.String({ pattern: '^[0-9a-f]{40,64}(,[0-9a-f]{40,64})*$', maxLength: 1300 })),
})

/** What is said to the agent that works; without a mode, the most prompt one that stops nothing. */
export const MessageBody = closed({
  text: crdString('Execution', 'status.messages[].text'),
  mode: maybe(Type.Enum(MESSAGE_MODES)),
})

/** Why the work is to be delivered although checks are red. */
export const WaiveBody = closed({ reason: crdString('Task', 'status.checksWaived.reason') })

const answerText = crdString('Task', 'status.answer')

/** One text, or question → answer. */
export const AnswerBody = closed({ answer: Type.Union([answerText, Type.Record(Type.String(), answerText)]) })

export const TaskListQuery = closed({ state: maybe(Type.Enum(TASK_STATE_VALUES)), ...PAGE })

export const RunQuery = closed({ agent: maybe(Reference) })

/** Which agent looks at the task; left out: chosen by the rules; `none`: no agent does. */
export const ValidateQuery = closed({ agent: maybe(Reference) })

export const TaskStreamQuery = closed({ execution: maybe(Reference) })
