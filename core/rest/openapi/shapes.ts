import { AGENT } from '../../kinds/agent.ts'
import { PROJECT } from '../../kinds/project.ts'
import { TASK } from '../../kinds/task.ts'
import { ConversationLine, LiveMessage, LogLine, StreamEnd } from '../messages.ts'
import { AgentActionResult, AgentEventRecord, AgentsStatus, AgentStatusRecord } from '../records/agent.ts'
import { ArtifactRecord, ExecutionRecord } from '../records/execution.ts'
import { ContainerRecord, KubernetesEventRecord, KubernetesRecord, PodRecord } from '../records/kubernetes.ts'
import { ErrorRecord, HealthRecord, VersionRecord } from '../records/server.ts'
import { ActionResult, ChangesRecord, DecisionRecord, DeploymentStatus, QuestionRecord } from '../records/task.ts'
import type { NamedShape } from './schemas.ts'

/** Shapes that several operations share: printed once, and named everywhere else, in docs/rest.md and in the OpenAPI document. */
export const SHAPES: readonly NamedShape[] = [
  [TASK.record, 'Task'],
  [TASK.create, 'TaskCreate'],
  [TASK.edit, 'TaskEdit'],
  [ExecutionRecord, 'Execution'],
  [AGENT.record, 'Agent'],
  [AGENT.create, 'AgentCreate'],
  [AGENT.edit, 'AgentEdit'],
  [AgentStatusRecord, 'AgentStatus'],
  [PROJECT.record, 'Project'],
  [PROJECT.create, 'ProjectCreate'],
  [PROJECT.edit, 'ProjectEdit'],
  [TASK.record.properties.agent, 'AgentConfig'],
  [ChangesRecord, 'Changes'],
  [QuestionRecord, 'Question'],
  [DecisionRecord, 'Decision'],
  [DeploymentStatus, 'DeploymentStatus'],
  [ActionResult, 'ActionResult'],
  [ArtifactRecord, 'Artifact'],
  [AgentEventRecord, 'AgentEvent'],
  [AgentsStatus, 'AgentsStatus'],
  [AgentActionResult, 'AgentActionResult'],
  [KubernetesRecord, 'Kubernetes'],
  [KubernetesEventRecord, 'KubernetesEvent'],
  [PodRecord, 'Pod'],
  [ContainerRecord, 'Container'],
  [VersionRecord, 'Version'],
  [HealthRecord, 'Health'],
  [LiveMessage, 'LiveMessage'],
  [LogLine, 'LogLine'],
  [ConversationLine, 'ConversationLine'],
  [StreamEnd, 'StreamEnd'],
  [ErrorRecord, 'Error'],
]
