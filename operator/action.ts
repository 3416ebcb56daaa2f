import type { CopiedSession } from '../core/task/continues.ts'
import type { ExecutionFolder } from './volume.ts'
import type {
  Agent,
  AgentMessage,
  AgentStatus,
  Epic,
  EpicStatus,
  Execution,
  ExecutionStatus,
  Project,
  ProjectStatus,
  Story,
  StoryEvent,
  StoryStatusFields,
  Task,
  TaskStatus,
} from '../core/crd/types.ts'
import type { Job, Pod } from '../kube/builtin.ts'
import type { KubeObject, ObjectKey } from '../kube/types.ts'

/** Every write that the operator can make; apply.ts alone performs them. */
export type Action =
  /** Writes that do not depend on one another, all of them made even where one fails. */
  | { readonly kind: 'together'; readonly actions: readonly Action[] }
  | { readonly kind: 'takeSlot'; readonly lease: ObjectKey; readonly agent: string; readonly execution: string }
  | { readonly kind: 'takeBranch'; readonly lease: ObjectKey; readonly execution: string }
  | { readonly kind: 'releaseSlot'; readonly lease: ObjectKey; readonly execution: string }
  | { readonly kind: 'createExecution'; readonly execution: Execution }
  /** Makes an execution that is to answer, and what it is asked before it. */
  | { readonly kind: 'askAgent'; readonly execution: Execution; readonly prompt: string }
  | { readonly kind: 'deleteExecution'; readonly execution: Execution }
  | { readonly kind: 'createJob'; readonly job: Job }
  | { readonly kind: 'deleteJob'; readonly job: Job }
  | { readonly kind: 'writeTask'; readonly task: Task; readonly status: TaskStatus }
  | ({ readonly kind: 'writeExecution' } & ExecutionWrite)
  /** Adds a message to an execution. Definitions of an earlier version may drop it: what follows says what became of it. */
  | ({ readonly kind: 'addMessage'; readonly id: string } & Record<'kept' | 'dropped', readonly Action[]> &
      ExecutionWrite)
  | { readonly kind: 'writeAgent'; readonly agent: Agent; readonly status: AgentStatus }
  | { readonly kind: 'writeStory'; readonly story: Story; readonly status: StoryStatusFields }
  | { readonly kind: 'writeEpic'; readonly epic: Epic; readonly status: EpicStatus }
  | { readonly kind: 'writeProject'; readonly project: Project; readonly status: ProjectStatus }
  | { readonly kind: 'createStoryEvent'; readonly event: StoryEvent }
  | { readonly kind: 'removeFinalizer'; readonly of: Held }
  | { readonly kind: 'clearAnnotations'; readonly of: Annotated; readonly names: readonly string[] }
  | ({ readonly kind: 'prepareVolume'; readonly continued?: CopiedSession | undefined } & ExecutionFolder)
  /** Puts messages into the inbox of an execution, where its agent's step sees them; what comes next does not wait long for it. */
  | { readonly kind: 'writeMessages'; readonly execution: string; readonly messages: readonly AgentMessage[] }
  /** Keeps what the agent's CLI made of its credential files, such as a renewed token, and removes its copies. */
  | { readonly kind: 'takeBackCredentials'; readonly agent: Agent; readonly sandbox: string; readonly since: string }
  /** Keeps what the services of a pod have printed, which is gone with it. */
  | { readonly kind: 'keepServiceLogs'; readonly execution: string; readonly pod: Pod }
  /** Keeps a sandbox from the sweep although its task is gone; `until` is RFC 3339. */
  | { readonly kind: 'keepSandbox'; readonly sandbox: string; readonly until: string }
  | { readonly kind: 'removeFolders'; readonly paths: readonly string[] }
  | { readonly kind: 'recordEvent'; readonly event: EventRecord }

/** An execution's whole new status. */
export interface ExecutionWrite {
  readonly execution: Execution
  readonly status: ExecutionStatus
}

/** What our finalizer keeps: an Execution until it has ended; a Task only where an earlier version has put it there. */
export type Held =
  { readonly kind: 'Task'; readonly object: Task } | { readonly kind: 'Execution'; readonly object: Execution }

/** The kinds that take decisions by annotation. */
export type Annotated =
  | { readonly kind: 'Task'; readonly object: Task }
  | { readonly kind: 'Agent'; readonly object: Agent }
  | { readonly kind: 'Story'; readonly object: Story }

/** What `kubectl describe` shows of a step. */
export interface EventRecord {
  readonly regarding: KubeObject
  readonly type: 'Normal' | 'Warning'
  /** CamelCase. */
  readonly reason: string
  readonly message: string
}

/** What to write, in order, and when to look again if nothing changes meanwhile. */
export interface Step {
  readonly actions: readonly Action[]
  readonly requeueAt?: Date | undefined
}

/** An Event of a step. @param reason CamelCase */
export function recordEvent(regarding: KubeObject, type: EventRecord['type'], reason: string, message: string): Action {
  return { kind: 'recordEvent', event: { regarding, type, reason, message } }
}

/** Nothing to do; look again at `requeueAt`, or only when something changes. */
export function idle(requeueAt?: Date): Step {
  return { actions: [], requeueAt }
}
