/** The next Job of an execution, with its folders on the volume and what the record says of it. */
import { findImageProblem } from '../../core/agent/allowed-images.ts'
import type { Execution, ExecutionStatus } from '../../core/crd/types.ts'
import { EXECUTION_FILES, executionPath, sandboxOf, sandboxPath } from '../../core/execution/layout.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { isWork } from '../../core/execution/state.ts'
import { executionName, jobName, LABELS } from '../../core/names.ts'
import { omit, withoutAbsent } from '../../core/omit.ts'
import { isCopyingAdapter } from '../../core/agent/session-files.ts'
import { type CopiedSession, placeOf } from '../../core/task/continues.ts'
import { executionLabels } from '../../core/task/start.ts'
import { clip } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Step } from '../action.ts'
import type { ExecutionFolder } from '../volume.ts'
import { agentConfigOf } from './agent-config.ts'
import { parseGitUrl } from '../../lib/git-url.ts'
import { planEnvironment, tellEnvironmentProblem } from './environment.ts'
import { checksOf, roundSince } from './checks.ts'
import { buildJob } from './job.ts'
import type { ObservedExecution } from './observe.ts'
import { isMadeFor } from './pods.ts'
import { makeGiven, makePrompts } from './prompts.ts'
import { makeRunSpec } from './run-spec.ts'
import { setupOf } from './setup.ts'
import { refuse } from './end.ts'

/** Job first, record second: a crash in between finds the Job by its name. */
export function makeJob(seen: ObservedExecution, n: number, asked: ExecutionStatus): Step {
  const { task, execution, agent, project, before, context, now } = seen
  const lacksAgent = needsAgent(execution) && agent === undefined
  if (lacksAgent || before === undefined || before.git.kind === 'refused') {
    return refuse(seen, 'unavailable', `agent or repository of ${execution.metadata.name} is gone`)
  }
  if (before.volumeProblem !== undefined) return refuse(seen, 'unavailable', before.volumeProblem)
  if (execution.spec.checksWaived !== undefined && !before.hasClone) return refuse(seen, 'git', NO_WORK_LEFT)
  const { earlier, since } = beginAnew(seen, n)
  const change = { ...since, ...asked }
  const known = { ...earlier, ...change }
  const run = makeRunSpec(seen, agent, before.git, { jobNumber: n, status: known })
  const isBare = run.deliverOnly && run.checks === undefined
  const plan = isBare ? {} : planEnvironment(seen, run.keepClone)
  const containerImage = isPrepare(execution) ? undefined : (task.spec.containerImage ?? project?.spec.containerImage)
  // Where the agent has done its work nothing gets its credentials any more.
  const imageProblem = agent && !run.deliverOnly ? findImageProblem(agent, containerImage) : undefined
  if (imageProblem !== undefined) return refuse(seen, 'credentials', imageProblem)
  const told = makePrompts(seen, known)
  if ('problem' in told) return refuse(seen, 'unavailable', told.problem)
  const { agentConfig, secrets } = agentConfigOf(seen)
  const given = agentConfig && makeGiven(told, agentConfig)
  const { git } = before
  const job = buildJob({
    settings: context.settings,
    labels: labelsOf(seen),
    execution,
    agent,
    run: { ...run, ...withoutAbsent({ given: given?.digest }) },
    gitSecret: git.secret?.name,
    localRepository: git.localPaths,
    ownGit: git.own,
    containerImage,
    secrets,
    services: isBare || !needsServices(seen) ? undefined : project?.spec.services,
    setup: setupOf(execution, project, seen.setupSecrets),
    caches: plan.mounted?.cache,
    checks: checksOf(seen, known),
  })
  // An interrupted step may have made the Job already.
  const isNew = n === 1 && !isMadeFor(seen.job, execution)
  // In a new round the agent is at work again: until it has ended, nothing that it leaves is to be delivered.
  const isNewRound = n === roundSince(known)
  const status = {
    ...omit(earlier, run.deliverOnly ? ['waitingFor'] : ['waitingFor', 'environment']),
    ...pathsOf(seen),
    ...omit(change, ['environment']),
    // Its agent may be lost before it says so.
    ...withoutAbsent({ sessionId: run.agent.sessionId }),
    ...withoutAbsent({ environment: plan.status, continued: continuedOf(run) }),
    ...jobOf(execution, n, now),
  }
  // The record of a repeated delivery goes on where the agent's own part ended.
  const outcome = run.deliverOnly ? { agentOutcome: execution.status?.agentOutcome ?? 'succeeded' } : {}
  return {
    actions: [
      {
        kind: 'prepareVolume',
        ...foldersOf(seen, run),
        environment: environmentFolder(seen, run),
        isNew,
        given,
        hasInbox: run.hasInbox,
        continued: copiedSession(seen),
        checks: run.checks && { round: run.checks.round, names: run.checks.list.map(({ name }) => name) },
      },
      { kind: 'createJob', job },
      {
        kind: 'writeExecution',
        execution,
        status: { ...omit(status, isNewRound ? ['agentOutcome'] : []), ...outcome },
      },
      ...tellEnvironmentProblem(seen, status),
    ],
  }
}

const NO_WORK_LEFT =
  'the clone with the work that its checks hold back is gone, so nothing is left to deliver: run the task again'

export function needsAgent({ spec }: Execution): boolean {
  return spec.purpose !== 'Deliver'
}

/** Whoever works, or judges the work, may run its tests. */
export function needsServices({ execution }: ObservedExecution): boolean {
  return isWork(execution) || execution.spec.purpose === 'Evaluate'
}

/** A further Job goes on in what the first has begun with. */
function continuedOf({ continues }: RunSpec): ExecutionStatus['continued'] {
  if (continues === undefined) return undefined
  const { task, told } = continues
  return { task, ...withoutAbsent({ told: told === undefined ? undefined : clip(told, 1024) }) }
}

/** The session that prepare finds in the folder of the execution. */
function copiedSession({ before, continued, agent }: ObservedExecution): CopiedSession | undefined {
  const { session } = continued ?? {}
  const adapter = agent?.spec.adapter ?? ''
  const isCopied = before?.continuation?.kind === 'session' && session !== undefined && isCopyingAdapter(adapter)
  return isCopied ? { session, adapter } : undefined
}

function isPrepare({ spec }: Execution): boolean {
  return spec.purpose === 'Prepare'
}

/** Its folders, and whose they are: the sandbox of a task is the task's. */
function foldersOf({ task, story, execution }: ObservedExecution, { mirror, repositoryUrl }: RunSpec) {
  const { name, namespace, uid = '' } = execution.metadata
  const inNamespace = withoutAbsent({ namespace })
  const own = { uid, name, ...inNamespace }
  const sandbox = sandboxOf(execution)
  const borrowed = withoutAbsent({ mirror })
  const repository = mirror === undefined ? undefined : parseGitUrl(repositoryUrl).clean
  if (!isWork(execution)) {
    // Those of a delivery stay with its task, also in the archive.
    const ofTask = execution.metadata.ownerReferences?.find(({ kind }) => kind === 'Task')?.uid
    const owner = { ...own, ...withoutAbsent({ task: ofTask }) }
    return { execution: name, owner, sandbox, sandboxOwner: { ...own, ...borrowed }, isSandboxNew: true, repository }
  }
  const { uid: ofTask = '', name: taskName } = task.metadata
  const sandboxOwner = { uid: ofTask, name: taskName, ...inNamespace, ...borrowed }
  const isSandboxNew = name === executionName(taskName, 1)
  const owner = { ...own, task: ofTask, place: placeOf({ task, story }) }
  return { execution: name, owner, sandbox, sandboxOwner, isSandboxNew, repository }
}

/** All environments of a project are the project's. */
function environmentFolder({ project }: ObservedExecution, { seal }: RunSpec): ExecutionFolder['environment'] {
  if (seal === undefined || project === undefined) return undefined
  const { uid = '', name, namespace } = project.metadata
  return { path: seal.folder, owner: { uid, name, ...withoutAbsent({ namespace }) } }
}

/** A task's workload is found by its name; what runs beside it must not hold it up. */
function labelsOf({ task, execution }: ObservedExecution): Record<string, string> {
  const { agent = '' } = execution.spec
  const labels = Object.entries(executionLabels(task, agent, execution.metadata.name))
  return Object.fromEntries(
    labels.filter(([label, value]) => value !== '' && (isWork(execution) || label !== LABELS.task)),
  )
}

function jobOf({ metadata, status }: Execution, n: number, now: Date): ExecutionStatus {
  const startedAt = status?.startedAt ?? toTimestamp(now)
  return { state: 'RUNNING', jobs: n, jobName: jobName(metadata.name, n), startedAt }
}

/** Absolute paths, as people on the machine of the volume find them. */
function pathsOf({ execution, context }: ObservedExecution): ExecutionStatus {
  const { volumeRoot } = context.settings
  const files = `${volumeRoot}/${executionPath(execution.metadata.name)}`
  return {
    sandboxDir: `${volumeRoot}/${sandboxPath(sandboxOf(execution))}`,
    stdoutPath: `${files}/${EXECUTION_FILES.stdout}`,
    stderrPath: `${files}/${EXECUTION_FILES.stderr}`,
    artifactDir: `${files}/${EXECUTION_FILES.artifacts}`,
  }
}

interface Beginning {
  /** What stays of the record. */
  readonly earlier: ExecutionStatus
  readonly since: Pick<ExecutionStatus, 'roundSince' | 'anewSince'>
}

/** Where the clone is gone, what the agent did before is gone with it: what it said of it counts no more, nor does its session. */
function beginAnew({ execution, outcome, before }: ObservedExecution, n: number): Beginning {
  const { status: earlier = {} } = execution
  const hasDone = outcome !== undefined || earlier.agentOutcome !== undefined
  const isAnew = isWork(execution) && hasDone && before?.hasClone !== true
  return isAnew
    ? { earlier: omit(earlier, ['sessionId']), since: { roundSince: n, anewSince: n } }
    : { earlier, since: {} }
}
