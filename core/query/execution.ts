import type { AnswerSchema, Execution, Project, Story, Task } from '../crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../names.ts'
import { withoutAbsent } from '../omit.ts'
import { formatDuration } from '../time.ts'

/** A question to an agent beside its tasks. */
export interface Query {
  readonly purpose: 'Elaborate' | 'Validate' | 'Classify' | 'Evaluate'
  readonly answerSchema: AnswerSchema
  readonly agent: { readonly type: string; readonly model?: string | undefined }
  /** Whose repository it reads; none: an empty folder. */
  readonly project?: Project | undefined
  /** What it is about, and who owns the execution; else the project owns it, else nobody. */
  readonly about?: { readonly task: Task } | { readonly story: Story } | undefined
  /** Absolute path of a folder to read in the place of the project's. */
  readonly localPath?: string | undefined
  /** Read in the place of the project's repository. */
  readonly repositoryUrl?: string | undefined
  /** Branch that it looks at; the default branch otherwise. */
  readonly branch?: string | undefined
  /** How long the agent may take. */
  readonly timeoutMs: number
}

/**
 * How long these executions are kept: a day more than the longest window of the statistics, whose costs are those of
 * the executions that are there.
 */
export const QUERY_TTL_SECONDS = 31 * 24 * 3600

/** The Execution of a query; its prompt is a file, written before. Source: specification §3.9, §6.14. */
export function makeQueryExecution(name: string, namespace: string | undefined, query: Query): Execution {
  const { agent, project, localPath, repositoryUrl, branch, timeoutMs } = query
  return {
    apiVersion: API_VERSION,
    kind: 'Execution',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: labelsOf(name, query),
      ...ownerOf(query),
    },
    spec: {
      agent: agent.type,
      purpose: query.purpose,
      answerSchema: query.answerSchema,
      timeout: formatDuration(timeoutMs),
      ttlSecondsAfterFinished: QUERY_TTL_SECONDS,
      ...(project === undefined ? {} : { projectRef: { name: project.metadata.name } }),
      ...subjectOf(query),
      ...withoutAbsent({ model: agent.model, localPath, repositoryUrl, branch }),
    },
  }
}

function labelsOf(name: string, { agent, project, about }: Query): Record<string, string> {
  return {
    [LABELS.managedBy]: MANAGED_BY,
    [LABELS.execution]: name,
    [LABELS.agent]: agent.type,
    ...(project === undefined ? {} : { [LABELS.project]: project.metadata.name }),
    ...(about === undefined ? {} : 'task' in about ? labelOf('task', about.task) : labelOf('story', about.story)),
  }
}

function labelOf(kind: 'task' | 'story', { metadata }: Task | Story): Record<string, string> {
  return { [LABELS[kind]]: metadata.name }
}

function subjectOf({ about }: Query): Pick<Execution['spec'], 'taskRef' | 'storyRef'> {
  if (about === undefined) return {}
  if ('task' in about) return { taskRef: { name: about.task.metadata.name } }
  return { storyRef: { name: about.story.metadata.name } }
}

/** It goes with its owner, but keeps nobody from deleting that. */
function ownerOf({ about, project }: Query): Pick<Execution['metadata'], 'ownerReferences'> {
  const owner = about === undefined ? project : 'task' in about ? about.task : about.story
  if (owner?.metadata.uid === undefined) return {}
  const { name, uid } = owner.metadata
  return { ownerReferences: [{ apiVersion: API_VERSION, kind: owner.kind, name, uid, controller: true }] }
}
