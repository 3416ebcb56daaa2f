import { Type } from 'typebox'
import type { AgentMessage, Execution, ExecutionStatus, RecordedPush, Story, Task } from '../../core/crd/types.ts'
import type { PodFacts, TerminationMessage } from '../../core/execution/outcome.ts'
import { type AgentOutcome, ExecutionResult } from '../../core/execution/result.ts'
import { TERMINATION_MESSAGE_BYTES } from '../../core/execution/termination.ts'
import { parseJson } from '../../core/json.ts'
import { compileCheck } from '../../lib/validate.ts'
import { setupAgent } from '../../core/environment/prepare.ts'
import { executionPath } from '../../core/execution/layout.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { findTaskSession, withStory } from '../sessions.ts'
import { executionName, jobName, LABELS } from '../../core/names.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { projectOf } from '../../core/task/project.ts'
import { pushesToStory } from '../../core/story/review.ts'
import { pushesOf } from '../../core/task/reviewed.ts'
import type { Job, Pod } from '../../kube/builtin.ts'
import { EVENTS, JOBS, PODS } from '../../kube/resources.ts'
import { type OperatorContext, type Views, indexKey } from '../context.ts'
import { readOutcome, readResult } from '../step-records.ts'
import { isKilledCheck } from '../../core/execution/check-runs.ts'
import { type ObservedMessages, readMessages } from '../inbox.ts'
import { awaitsReceipt, findEarlierTold, findUntold } from './untold.ts'
import { observeEnvironments } from './environments.ts'
import { setupSecretsOf } from './setup.ts'
import { hasPodEnded, isJobFinished, isOfJob, mayJobRun } from '../../kube/workload.ts'
import { findPodExpectedBy, isHeldByOthers, readPod } from './pods.ts'
import {
  type KnownExecution,
  type ObservedContinued,
  type Preconditions,
  observePreconditions,
} from './preconditions.ts'

/** Everything that the next step of one execution depends on. */
export interface ObservedExecution extends KnownExecution {
  readonly now: Date
  /** Whether the branch that the task has pushed to is a story's. */
  readonly isStorys: boolean
  /** Earlier pushes of ours to the branch that it works on. */
  readonly pushes: readonly RecordedPush[]
  /** The execution whose session is resumed. */
  readonly resumed: Execution | undefined
  /** What all executions in that session have cost so far; absent: nothing that is known. */
  readonly sessionCostUSD?: number | undefined
  /** The task's execution before this one. */
  readonly previous: Execution | undefined
  /** What people said in earlier executions, and no agent was told. */
  readonly untold: readonly AgentMessage[]
  /** What agents were told in the executions that this one resumes, which a new session knows nothing of. */
  readonly earlierTold: readonly AgentMessage[]
  /** Read only while messages wait, of a volume that may not answer. */
  readonly messages: ObservedMessages | 'unanswered' | undefined
  /** The tasks that this one depends on, as far as they exist. */
  readonly dependencies: readonly Task[]
  readonly context: Pick<OperatorContext, 'settings' | 'installation'>
  /** The Job with the number of the status, or with number 1 while there is none. */
  readonly job: Job | undefined
  /** Every Job of the execution whose pods can still run, or are still to come. */
  readonly openJobs: readonly Job[]
  readonly pod: Pod | undefined
  readonly podFacts: PodFacts | undefined
  /** Why the Job controller could make no pod, in the cluster's words; looked up once a pod is late. */
  readonly podRefusal: string | undefined
  /** Read only when a Job may be made. */
  readonly before: Preconditions | undefined
  /** Read only when the latest Job runs no more. */
  readonly result: ExecutionResult | undefined
  readonly outcome: AgentOutcome | undefined
}

/** Reads caches; the volume and Secrets only where the next step depends on them. */
export async function observeExecution(
  context: OperatorContext,
  task: Task,
  execution: Execution,
): Promise<ObservedExecution> {
  const { views, clock } = context
  const { namespace, name } = execution.metadata
  const { story } = withStory(views, task)
  const projectName = projectOf(task, story)
  const project = projectName === undefined ? undefined : views.projects.get({ namespace, name: projectName })
  const { resumes } = execution.spec
  const resumed = resumes === undefined ? undefined : views.executions.get({ namespace, name: resumes })
  const workload = await findWorkload(context, execution)
  const agent =
    execution.spec.purpose === 'Prepare'
      ? setupAgent(execution)
      : views.agents.get({ namespace, name: execution.spec.agent ?? '' })
  const environments = observeEnvironments(context, { execution, task, ...withoutAbsent({ project, agent }) })
  const setupSecrets = setupSecretsOf(execution.spec, project, {
    usualImage: context.settings.image,
    agents: execution.spec.purpose === 'Prepare' ? views.agents.list(namespace) : [],
  })
  const seen = {
    now: clock.now(),
    execution,
    task,
    agent,
    project,
    story,
    environments,
    setupSecrets,
    isStorys: views.stories.byIndex('ofBranch', indexKey(namespace, task.status?.branch ?? '')).length > 0,
    pushes: story === undefined ? pushesOf(task) : pushesToStory(story, tasksOf(views, story)),
    resumed,
    sessionCostUSD: costOfSession(views, resumed),
    previous: findPrevious(views, task, execution),
    untold: isTerminal(execution) ? [] : findUntold(views, task, execution),
    earlierTold: isTerminal(execution) ? [] : findEarlierTold(views, execution),
    continued: observeContinued(views, task, execution),
    dependencies: (task.spec.dependsOn ?? []).flatMap(
      (dependency) => views.tasks.get({ namespace, name: dependency }) ?? [],
    ),
    context,
    ...workload,
  }
  const { pod } = workload
  // An ended execution has nothing more to observe, and thousands of tasks are observed at the start.
  const isOpen = !isTerminal(execution)
  const mayEnd = isOpen && workload.jobs > 0 && hasJobEnded(workload)
  const { result, outcome } = mayEnd ? await readEnd(context, execution) : {}
  // A result ends the execution, unless the agent is to log in once more, or to mend what its checks found.
  const mayMakeJob = (isOpen && workload.jobs === 0) || (mayEnd && (result === undefined || isRepeated(result)))
  // What has begun goes on in a session of its own.
  const known = outcome === undefined ? seen : { ...seen, continued: undefined }
  const before = mayMakeJob
    ? await observePreconditions(context, known, hasFailedChecks(result, workload.podFacts))
    : undefined
  const podRefusal = isOpen && pod === undefined ? await findPodRefusal(context, workload.job) : undefined
  const messages = awaitsReceipt(execution) ? await observeMessages(context, name, mayEnd) : undefined
  return { ...seen, podRefusal, before, result, outcome, messages }
}

/** Whether the round that is over has found what its agent may be asked to mend. */
function hasFailedChecks(result: ExecutionResult | undefined, pod: PodFacts | undefined): boolean {
  return result?.error?.category === 'checks' || pod?.steps.some((step) => isKilledCheck(step, pod)) === true
}

function isRepeated({ error }: ExecutionResult): boolean {
  return error?.category === 'auth' || error?.category === 'checks'
}

/** Each of its executions resumes the one before it. */
function costOfSession(views: Views, last: Execution | undefined): number | undefined {
  const sessionId = last?.status?.sessionId
  const counted = new Set<string>()
  let costUSD: number | undefined
  let one = last
  while (one !== undefined && one.status?.sessionId === sessionId && !counted.has(one.metadata.name)) {
    counted.add(one.metadata.name)
    if (one.status?.costUSD !== undefined) costUSD = (costUSD ?? 0) + one.status.costUSD
    const { resumes } = one.spec
    one = resumes === undefined ? undefined : views.executions.get({ namespace: one.metadata.namespace, name: resumes })
  }
  return costUSD
}

function tasksOf(views: Views, { metadata: { namespace, name } }: Story): readonly Task[] {
  return views.tasks.byIndex('ofStory', indexKey(namespace, name))
}

/**
 * Whether the Job's work has ended: as its pod says, and as the Job says itself while it has none. What the cluster added
 * to the pod may go on, and ends with the Job, which an ended execution deletes while its pod runs.
 */
export function hasJobEnded({ job, pod }: Pick<ObservedExecution, 'job' | 'pod'>): boolean {
  if (pod === undefined) return job === undefined || isJobFinished(job)
  return hasPodEnded(pod) || isHeldByOthers(pod)
}

function readEnd(
  { onVolume, settings: { volumeRoot } }: OperatorContext,
  { metadata: { name }, status = {} }: Execution,
): Promise<Pick<ObservedExecution, 'result' | 'outcome'>> {
  return onVolume({ kind: 'read', path: executionPath(name) }, async () => {
    const [result, outcome] = await Promise.all([
      readResult(volumeRoot, name, status.jobs ?? 0),
      readOutcome(volumeRoot, name),
    ])
    return { result, outcome: outcome && withoutLostWork(outcome, status) }
  })
}

/** What an agent has cost counts, also where its clone is gone; nobody goes on in its session, and its summary tells of no work. */
function withoutLostWork(outcome: AgentOutcome, { anewSince = 1 }: ExecutionStatus): AgentOutcome {
  const { sessionId: _, summary: __, ...rest } = outcome
  return outcome.jobNumber < anewSince ? rest : outcome
}

/** @param mayEnd whether it is the last time that they are looked for: what was given by then is told apart from what was not */
async function observeMessages(
  { onVolume, settings: { volumeRoot }, inboxes: { looks, writes } }: OperatorContext,
  name: string,
  mayEnd: boolean,
): Promise<ObservedExecution['messages']> {
  const look = () => onVolume({ kind: 'read', path: executionPath(name) }, () => readMessages(volumeRoot, name))
  const found = mayEnd ? { value: await look() } : await looks.run(name, look)
  return found === undefined ? 'unanswered' : { ...found.value, isBeingWritten: writes.isUnderWay(name) }
}

/** Only its Events say why a Job has no pod: a full quota, an admission policy (Kubernetes, Job controller). */
async function findPodRefusal({ client, clock }: OperatorContext, job: Job | undefined): Promise<string | undefined> {
  const expectedBy = job === undefined ? undefined : findPodExpectedBy(job)
  if (job === undefined || expectedBy === undefined || clock.now() < expectedBy) return undefined
  const { namespace, name, uid = '' } = job.metadata
  const fieldSelector = `involvedObject.name=${name},involvedObject.uid=${uid},reason=FailedCreate`
  const { items } = await client.list(EVENTS, { namespace, fieldSelector })
  const latest = items.toSorted((a, b) => ((a.lastTimestamp ?? '') < (b.lastTimestamp ?? '') ? -1 : 1)).at(-1)
  return latest?.message
}

function findPrevious(views: Views, task: Task, { metadata }: Execution): Execution | undefined {
  const { namespace } = metadata
  for (let n = (task.status?.executions ?? 0) - 1; n >= 1; n--) {
    const found = views.executions.get({ namespace, name: executionName(task.metadata.name, n) })
    if (found !== undefined && found.metadata.name !== metadata.name) return found
  }
  return undefined
}

/**
 * The Job of the status and its pod. That they are gone is believed only when the server says so: a cache that has not
 * heard of a Job made a moment ago would have the same work begun twice.
 */
async function findWorkload(context: OperatorContext, execution: Execution) {
  const { client, views } = context
  const { namespace, name } = execution.metadata
  const jobs = execution.status?.jobs ?? 0
  const cached = { job: findJob(views, execution), pods: views.pods.byIndex('ofExecution', indexKey(namespace, name)) }
  const ofStatus = (pod: Pod): boolean => isOfJob(pod, jobName(name, jobs))
  const seemsGone = (cached.job === undefined || isJobFinished(cached.job)) && !cached.pods.some(ofStatus)
  const isAsked = jobs > 0 && !isTerminal(execution) && seemsGone
  const { job, pods } = isAsked ? await readWorkload(client, execution) : cached
  const openJobs = views.jobs.byIndex('ofExecution', indexKey(namespace, name)).filter((open) => mayJobRun(open, pods))
  const pod = newest(pods.filter(ofStatus))
  return {
    jobs,
    job,
    openJobs,
    pod,
    podFacts: pod === undefined ? undefined : readPod(pod, readTerminationMessage),
  }
}

function findJob(views: Views, { metadata: { namespace, name }, status }: Execution): Job | undefined {
  return views.jobs.get({ namespace, name: jobName(name, Math.max(1, status?.jobs ?? 0)) })
}

async function readWorkload(client: OperatorContext['client'], { metadata, status }: Execution) {
  const { namespace, name } = metadata
  const [job, { items }] = await Promise.all([
    client.find(JOBS, { namespace, name: jobName(name, status?.jobs ?? 1) }),
    client.list(PODS, { namespace, labelSelector: `${LABELS.execution}=${name}` }),
  ])
  return { job, pods: items }
}

function newest(pods: readonly Pod[]): Pod | undefined {
  const createdAt = ({ metadata }: Pod): string => metadata.creationTimestamp ?? ''
  return [...pods].sort((a, b) => (createdAt(a) < createdAt(b) ? 1 : -1))[0]
}

/** Of a run from the start; a resume has a session of its own. */
function observeContinued(views: Views, task: Task, execution: Execution): ObservedContinued | undefined {
  const { continues: name } = task.spec
  if (name === undefined || execution.spec.purpose !== 'Run' || isTerminal(execution)) return undefined
  const { namespace } = task.metadata
  const found = views.tasks.get({ namespace, name })
  const session = found && findTaskSession(views, found)
  return { name, session, sessionId: session?.id, source: found && withStory(views, found) }
}

const { outcome, pushed } = ExecutionResult.properties
const check = compileCheck(Type.Object({ ...Type.Partial(ExecutionResult).properties, outcome, pushed }))

/** The short result in a container's termination message; undefined for anything that is none, or longer than any. */
export function readTerminationMessage(text: string | undefined): TerminationMessage | undefined {
  if (text === undefined || !text.startsWith('{') || text.length > TERMINATION_MESSAGE_BYTES) return undefined
  const checked = check(parseJson(text))
  return checked.ok ? checked.value : undefined
}
