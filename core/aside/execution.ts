import type { AnswerSchema, Execution, Project } from '../crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../names.ts'
import { formatDuration } from '../time.ts'

/** What is asked of an agent beside the tasks. */
export interface AsideQuestion {
  readonly purpose: 'Elaborate' | 'Validate'
  readonly answerSchema: AnswerSchema
  readonly agent: { readonly type: string; readonly model?: string | undefined }
  /** Whose repository it reads, and who owns the execution; none: an empty folder, and nobody. */
  readonly project?: Project | undefined
  /** Absolute path of a folder to read in the place of the project's. */
  readonly localPath?: string | undefined
  /** Read in the place of the project's repository. */
  readonly repositoryUrl?: string | undefined
  /** How long the agent may take. */
  readonly timeoutMs: number
}

/**
 * How long these executions are kept: a day more than the longest window of the statistics, whose costs are those of
 * the executions that are there.
 */
export const ASIDE_TTL_SECONDS = 31 * 24 * 3600

/** The Execution that asks it; its prompt is a file, written before. Source: decisions, sections 2 and 6. */
export function makeAside(name: string, namespace: string, question: AsideQuestion): Execution {
  const { agent, project, localPath, repositoryUrl, timeoutMs } = question
  return {
    apiVersion: API_VERSION,
    kind: 'Execution',
    metadata: { name, namespace, labels: labelsOf(name, question), ...ownerOf(project) },
    spec: {
      agent: agent.type,
      purpose: question.purpose,
      answerSchema: question.answerSchema,
      timeout: formatDuration(timeoutMs),
      ttlSecondsAfterFinished: ASIDE_TTL_SECONDS,
      ...(agent.model === undefined ? {} : { model: agent.model }),
      ...(project === undefined ? {} : { projectRef: { name: project.metadata.name } }),
      ...(localPath === undefined ? {} : { localPath }),
      ...(repositoryUrl === undefined ? {} : { repositoryUrl }),
    },
  }
}

function labelsOf(name: string, { agent, project }: AsideQuestion): Record<string, string> {
  return {
    [LABELS.managedBy]: MANAGED_BY,
    [LABELS.execution]: name,
    [LABELS.agent]: agent.type,
    ...(project === undefined ? {} : { [LABELS.project]: project.metadata.name }),
  }
}

/** It goes with its project, but keeps nobody from deleting it. */
function ownerOf(project: Project | undefined): Pick<Execution['metadata'], 'ownerReferences'> {
  if (project?.metadata.uid === undefined) return {}
  const { name, uid } = project.metadata
  return { ownerReferences: [{ apiVersion: API_VERSION, kind: 'Project', name, uid, controller: true }] }
}
