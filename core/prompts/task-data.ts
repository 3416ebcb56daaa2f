import { formatChanges } from '../sentences/amounts.ts'
import type { Agent, Execution, Project, Story, Task } from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { agentWish } from '../task/agent-spec.ts'
import { clip } from '../text.ts'
import type { Cause } from './values.ts'

/** What the prompts of a task are made from. */
export interface PromptSources {
  readonly task: Task
  readonly agent: Agent
  /** The model that was chosen. */
  readonly model?: string | undefined
  readonly project?: Project | undefined
  readonly story?: Story | undefined
  /** The tasks that this one depends on, as far as they exist. */
  readonly dependencies?: readonly Task[]
  /** The accepted task that this one goes on from. */
  readonly continues?: Task | undefined
  /** Whether the agent has the session in which it did that. */
  readonly isInSession?: boolean | undefined
  /** The execution before this one: resumed, rejected or failed. */
  readonly previous?: Execution | undefined
}

/** What the templates `task` and `resume` see; what is not known is absent. Documented in values.ts. */
export interface TaskPromptData {
  readonly task: { readonly name: string; readonly title: string } & Partial<Record<'description' | 'instructions', string>>
  readonly story?: {
    readonly title: string
    readonly spec?: string
    readonly acceptanceCriteria?: readonly string[]
  }
  readonly continues?: DependencyData & { readonly inSession: boolean; readonly merged?: string; readonly url?: string }
  readonly dependencies: readonly DependencyData[]
  readonly project?: { readonly title: string; readonly testCommand?: string }
  readonly agent: { readonly name: string; readonly model?: string; readonly allowedTools?: readonly string[] }
  readonly rejection?: { readonly comment: string }
  readonly revision?: { readonly comment: string }
  readonly earlier?: EarlierData
}

interface DependencyData extends Partial<Record<'branch' | 'changes' | 'summary', string>> {
  readonly name: string
  readonly title: string
  readonly state: string
}

interface EarlierData extends Partial<Record<Cause, true>>, Partial<Record<'message' | 'summary' | 'answer', string>> {
  readonly questions?: readonly string[]
}

/** Limits what others reported: enough to build on, and no more than a prompt can hold a hundred times. */
const MAX_QUOTED = 4000

/** Gathers what the prompts of a task's next execution say. Pure. */
export function makeTaskPromptData(sources: PromptSources): TaskPromptData {
  const { task, agent, model, project, story, dependencies = [], previous, continues, isInSession = false } = sources
  const { instructions, allowedTools } = agentWish(task)
  const { rejectionComment, revision } = task.status ?? {}
  return {
    task: {
      name: task.metadata.name,
      title: task.spec.title,
      ...withoutAbsent({ description: task.spec.description, instructions }),
    },
    agent: {
      name: agent.metadata.name,
      ...withoutAbsent({ model, allowedTools: allowedTools ?? agent.spec.allowedTools }),
    },
    dependencies: dependencies.map(toDependencyData),
    ...(continues === undefined ? {} : { continues: toContinuedData(continues, isInSession) }),
    ...(story === undefined ? {} : { story: toStoryData(story) }),
    ...(project === undefined ? {} : { project: toProjectData(project) }),
    ...(rejectionComment === undefined ? {} : { rejection: { comment: rejectionComment } }),
    ...(revision === undefined ? {} : { revision: { comment: revision } }),
    ...(previous === undefined ? {} : { earlier: toEarlierData(task, previous) }),
  }
}

function toStoryData({ spec: { title, spec, acceptanceCriteria } }: Story): NonNullable<TaskPromptData['story']> {
  return { title, ...withoutAbsent({ spec, acceptanceCriteria }) }
}

function toProjectData({ spec: { title, testCommand } }: Project): NonNullable<TaskPromptData['project']> {
  return { title, ...withoutAbsent({ testCommand }) }
}

function toDependencyData({ metadata, spec, status }: Task): DependencyData {
  return {
    name: metadata.name,
    title: spec.title,
    state: status?.state ?? 'PENDING',
    ...withoutAbsent({
      branch: status?.branch,
      changes: status?.changes && formatChanges(status.changes),
      summary: quote(status?.summary),
    }),
  }
}

function toContinuedData(task: Task, inSession: boolean): NonNullable<TaskPromptData['continues']> {
  const { kind, state, commit, url } = task.status?.delivery ?? {}
  const merged = kind === 'Merge' && state === 'Delivered' ? commit : undefined
  return { ...toDependencyData(task), inSession, ...withoutAbsent({ merged, url }) }
}

function toEarlierData(task: Task, previous: Execution): EarlierData {
  const { summary, error, questions = [] } = previous.status ?? {}
  return {
    [findCause(task, previous)]: true,
    ...withoutAbsent({
      message: error?.message,
      summary: quote(summary),
      answer: task.status?.answer,
      questions: questions.length === 0 ? undefined : questions.map(({ text }) => text),
    }),
  }
}

/**
 * If a session was lost before it heard the answer, or what is to be changed, the cause is the loss; what was said is given
 * beside it.
 */
function findCause(task: Task, previous: Execution): Cause {
  const { status } = task
  const { state, error } = previous.status ?? {}
  if (isRevised(task, previous)) return 'revised'
  switch (state) {
    case 'BLOCKED':
      return (status?.answer ?? '') === '' ? 'stopped' : 'answered'
    case 'BUDGET_EXCEEDED':
      return error?.category === 'budget' ? 'budget' : 'limit'
    case 'TIMED_OUT':
      return 'timedOut'
    case 'CANCELLED':
      return 'cancelled'
    case 'FAILED':
      return error?.category === 'rate_limit' ? 'limit' : error?.category === 'lost' ? 'lost' : 'failed'
    case 'COMPLETED':
      return status?.rejectionComment === undefined ? 'stopped' : 'rejected'
    case 'PENDING':
    case 'RUNNING':
    case undefined:
      return 'stopped'
    default:
      return state satisfies never
  }
}

/** Whether a person asked for changes since, or while, that execution's work was looked at: it was told none of it. */
function isRevised({ status = {} }: Task, { spec }: Execution): boolean {
  const asked = status.decisions?.findLast(({ action }) => action === 'revise')
  return status.revision !== undefined && asked !== undefined && asked.at !== spec.revision?.at
}

function quote(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text, MAX_QUOTED)
}
