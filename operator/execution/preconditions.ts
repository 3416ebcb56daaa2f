/** What is looked up before a Job is made, and only then: on the volume, at the server, and in a person's own git. */
import type { Agent, Execution, Project, Story, Task } from '../../core/crd/types.ts'
import { isCopyingAdapter } from '../../core/agent/session-files.ts'
import { executionPath, EXECUTIONS_PATH, sandboxOf, sandboxPath } from '../../core/execution/layout.ts'
import { isWork } from '../../core/execution/state.ts'
import { jobName } from '../../core/names.ts'
import {
  type Continuation,
  type ContinuedWork,
  type TaskSession,
  decideContinuation,
} from '../../core/task/continues.ts'
import { borrows } from '../../core/task/project.ts'
import type { Job } from '../../kube/builtin.ts'
import { JOBS } from '../../kube/resources.ts'
import { type GitIdentity, findOwnIdentity } from '../../lib/git-session.ts'
import { type CheckOutputs, readCheckOutputs } from '../check-outputs.ts'
import type { OperatorContext } from '../context.ts'
import { findKeptClone } from '../kept-clone.ts'
import { hasSession } from '../sessions.ts'
import { findBaseCommit } from '../step-records.ts'
import { findVolumeProblem } from '../volume.ts'
import { secretsOf } from './agent-config.ts'
import { findMissingCredentials, findMissingSetupSecrets } from './credentials.ts'
import { type ObservedEnvironments, findLost } from './environments.ts'
import { type GitSource, mirrorKey } from './git-source.ts'
import { isMadeFor, keepsClone } from './pods.ts'
import { findSourceOf } from './query-source.ts'
import type { SecretSetupVariable } from './setup.ts'

/** What is looked up before a Job is made, and only then. */
export interface Preconditions {
  readonly git: GitSource
  /** What the agent's credentials lack, in words. */
  readonly missingCredentials?: string | undefined
  /** Who commits, as far as somebody said it. */
  readonly gitIdentity?: GitIdentity | undefined
  /** Why the data volume takes no more, in words. */
  readonly volumeProblem?: string | undefined
  /** Whether there is a clone to go on in; where an interrupted step has made the next Job, whether that one goes on in it. */
  readonly hasClone: boolean
  /** Key of the repository whose mirrors a kept clone borrows from. */
  readonly keptMirror?: string | undefined
  /** Of the one whose mirrors a fresh clone may borrow from. */
  readonly mirror?: string | undefined
  /** The environments that are ready by the record alone: their folders are gone. */
  readonly lostEnvironments: ReadonlySet<string>
  /** What a kept clone was made from, where the task does not know it. */
  readonly baseCommit?: string | undefined
  /** What a task begins with that goes on from another one; absent: it does not, or it has begun. */
  readonly continuation?: Continuation | undefined
  /** The end of what red checks have printed, which their agent may be told; absent: none ran. */
  readonly checkOutputs?: CheckOutputs | undefined
}

/** The task that another one goes on from, as the caches know it. */
export interface ObservedContinued extends Omit<ContinuedWork, 'isKept'> {
  readonly session?: TaskSession | undefined
}

/** What the caches know of an execution, and of what it works on. */
export interface KnownExecution {
  readonly execution: Execution
  readonly task: Task
  readonly agent: Agent | undefined
  readonly project: Project | undefined
  readonly story: Story | undefined
  /** What its setups have prepared; absent where nothing is prepared for the execution. */
  readonly environments: ObservedEnvironments | undefined
  /** What the setup of a Prepare gets of the project's secrets. */
  readonly setupSecrets: readonly SecretSetupVariable[]
  /** The task that this one goes on from, and its session; absent: it goes on from none. */
  readonly continued: ObservedContinued | undefined
}

/** @param hasFailedChecks whether the round that is over has found what its agent may be asked to mend */
export async function observePreconditions(
  context: OperatorContext,
  { execution, task, agent, project, story, environments, setupSecrets, continued }: KnownExecution,
  hasFailedChecks: boolean,
): Promise<Preconditions> {
  const { onVolume } = context
  const { volumeRoot } = context.settings
  const sandbox = sandboxOf(execution)
  const { uid: owner } = isWork(execution) ? task.metadata : execution.metadata
  // The first Job of work that resumes nothing begins with a clone of its own.
  const mayKeep = execution.spec.purpose === 'Resume' || (execution.status?.jobs ?? 0) > 0
  const { namespace } = task.metadata
  const said = project?.spec.git?.identity ?? agent?.spec.git?.identity
  const round = (execution.status?.rounds ?? 1) - (hasFailedChecks ? 0 : 1)
  const [kept, git, missingCredentials, volumeProblem, lostEnvironments, ownIdentity, checkOutputs, isKept, next] =
    await Promise.all([
      mayKeep
        ? onVolume({ kind: 'read', path: sandboxPath(sandbox) }, () => findKeptClone(volumeRoot, sandbox, owner))
        : undefined,
      findSourceOf(context, execution, { namespace, url: task.spec.repositoryUrl, project }),
      execution.spec.purpose === 'Prepare'
        ? findMissingSetupSecrets(context, execution, project, setupSecrets)
        : agent && findMissingCredentials(context, agent, secretsOf(agent, project, execution)),
      onVolume({ kind: 'read', path: '.' }, () => findVolumeProblem(volumeRoot)),
      environments === undefined ? new Set<string>() : findLost(context, environments.project),
      said === undefined && context.gitUser !== undefined ? findOwnIdentity(context.gitUser) : undefined,
      round > 0 ? observeOutputs(context, execution.metadata.name, project, round) : undefined,
      isSessionKept(context, continued, agent),
      mayKeep ? findNextJob(context, execution) : undefined,
    ])
  // By now the Job may have made the clone that was missing when it was decided on.
  const hasClone = next === undefined ? kept !== undefined : keepsClone(next)
  const isUnknown = hasClone && task.status?.baseCommit === undefined
  const findBase = () => findBaseCommit(volumeRoot, task.metadata.name, task.status?.executions ?? 0)
  return {
    git,
    missingCredentials,
    gitIdentity: said ?? ownIdentity,
    volumeProblem,
    lostEnvironments,
    checkOutputs,
    continuation:
      continued && agent && decideContinuation({ task, story }, { ...continued, isKept }, agent.spec.adapter),
    hasClone,
    keptMirror: kept?.mirror,
    mirror: mayBorrow(context, project) && git.kind === 'usable' ? mirrorKey(git, namespace) : undefined,
    baseCommit: isUnknown ? await onVolume({ kind: 'read', path: EXECUTIONS_PATH }, findBase) : undefined,
  }
}

/** The Job that an interrupted step has made, and of which the record does not know yet: the cache may not know it either. */
async function findNextJob({ client }: OperatorContext, execution: Execution): Promise<Job | undefined> {
  const { namespace, name } = execution.metadata
  const job = await client.find(JOBS, { namespace, name: jobName(name, (execution.status?.jobs ?? 0) + 1) })
  return isMadeFor(job, execution) ? job : undefined
}

async function isSessionKept(
  { onVolume, settings: { volumeRoot } }: OperatorContext,
  continued: ObservedContinued | undefined,
  agent: Agent | undefined,
): Promise<boolean> {
  const { session } = continued ?? {}
  const adapter = agent?.spec.adapter ?? ''
  if (session === undefined || !isCopyingAdapter(adapter)) return false
  const read = () => hasSession(volumeRoot, session, adapter)
  return onVolume({ kind: 'read', path: executionPath(session.execution) }, read)
}

/** What the checks of a round have printed, for the agent that mends what they found. */
function observeOutputs(
  { onVolume, settings: { volumeRoot } }: OperatorContext,
  execution: string,
  project: Project | undefined,
  round: number,
): Promise<CheckOutputs> {
  const names = (project?.spec.checks ?? []).map(({ name }) => name)
  return onVolume({ kind: 'read', path: executionPath(execution) }, () =>
    readCheckOutputs(volumeRoot, execution, { round, names }),
  )
}

/** Plain processes could change what they are to read alone. */
function mayBorrow({ installation }: OperatorContext, project: Project | undefined): boolean {
  return installation.isolation !== 'none' && borrows(project)
}
