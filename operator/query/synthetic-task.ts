import type { AgentConfiguration, Execution, Story, Task } from '../../core/crd/types.ts'
import { API_VERSION } from '../../core/names.ts'
import { withoutAbsent } from '../../core/omit.ts'

const DEFAULT_TIMEOUT = '5m'

/** Who plans or evaluates reads; an evaluation runs the story's checks as well. */
const READING_TOOLS = ['Read', 'Grep', 'Glob', 'LS']

/** What a query or delivery is about, as far as it exists. */
export interface Subject {
  readonly task: Task | undefined
  readonly story: Story | undefined
}

/**
 * The task that a query or delivery is run for: one that nobody else ever sees, with this as its only execution,
 * so that Jobs, pods and ends are those of all executions. Its sandbox has the execution's name.
 */
export function toSyntheticTask({ metadata, spec, status }: Execution, subject: Subject): Task {
  const { name, namespace } = metadata
  return {
    apiVersion: API_VERSION,
    kind: 'Task',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec: {
      title: `${spec.purpose} ${name}`,
      timeout: spec.timeout ?? DEFAULT_TIMEOUT,
      agent: toolsOf(spec.purpose),
      ...repositoryFields(spec, subject),
    },
    status: {
      state: 'RUNNING',
      execution: name,
      executions: 1,
      ...withoutAbsent({ cancelRequestedAt: status?.cancelRequestedAt }),
    },
  }
}

/** Where it looks; who only chooses an agent needs no repository, and has no time to clone one. */
function repositoryFields(spec: Execution['spec'], { task, story }: Subject): Partial<Task['spec']> {
  if (spec.purpose === 'Classify') return {}
  return withoutAbsent({
    project: spec.projectRef?.name ?? task?.spec.project,
    repositoryUrl: spec.repositoryUrl ?? (spec.projectRef === undefined ? task?.spec.repositoryUrl : undefined),
    storyId: story?.metadata.name ?? task?.spec.storyId,
  })
}

function toolsOf(purpose: Execution['spec']['purpose']): AgentConfiguration {
  return purpose === 'Evaluate' || purpose === 'Deliver' ? {} : { allowedTools: READING_TOOLS }
}
