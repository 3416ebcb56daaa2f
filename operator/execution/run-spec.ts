import type {
  AcpDialect,
  Agent,
  Execution,
  ExecutionStatus,
  Project,
  RecordedPush,
  Task,
} from '../../core/crd/types.ts'
import { messageModesOf } from '../../core/agent/message-modes.ts'
import { hasAgentBegun } from '../../core/execution/agent-part.ts'
import { sandboxOf } from '../../core/execution/layout.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { isWork } from '../../core/execution/state.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { agentWish } from '../../core/task/agent-spec.ts'
import type { Continuation } from '../../core/task/continues.ts'
import { baseBranchOf } from '../../core/task/project.ts'
import { hasPush, pushesOf } from '../../core/task/reviewed.ts'
import { branchOf } from '../../core/task/start.ts'
import { parseDuration } from '../../core/time.ts'
import type { GitSource } from './git-source.ts'
import { agentConfigOf } from './agent-config.ts'
import { planChecks, roundSince } from './checks.ts'
import { planEnvironment } from './environment.ts'
import { credentialFiles, gitCredentialsDir } from './job.ts'
import type { ObservedExecution } from './observe.ts'
import { passedPodVariables } from './pod-template.ts'
import { serviceVariables } from './services.ts'
import { type Setup, setupOf } from './setup.ts'

const DEFAULT_TIMEOUT = '30m'
/** Specification §3.6. */
const MAX_LOG_BYTES = 1024 * 1024 * 1024

/**
 * What the runner is told for the Job with this number.
 *
 * @param status as the record says it with this Job
 */
export function makeRunSpec(
  seen: ObservedExecution,
  agent: Agent | undefined,
  git: Extract<GitSource, { kind: 'usable' }>,
  { jobNumber, status }: { readonly jobNumber: number; readonly status: ExecutionStatus },
): RunSpec {
  const { task, execution, project, story, isStorys, context, before, outcome } = seen
  const { settings } = context
  const name = execution.metadata.name
  const sandbox = sandboxOf(execution)
  const setup = setupOf(execution, project, seen.setupSecrets)
  const wish = agentWish(task)
  const isResume = execution.spec.purpose === 'Resume'
  const deliverOnly = isDeliverOnly(seen, jobNumber, status)
  const checks = planChecks(seen, status)
  const keepClone = deliverOnly || (before?.hasClone === true && (isResume || hasAgentStarted(seen, jobNumber)))
  const continuation = keepClone ? undefined : before?.continuation
  const borrows = agent !== undefined || execution.spec.delivery !== undefined
  const mirror = keepClone ? before?.keptMirror : borrows ? before?.mirror : undefined
  const files = agent === undefined ? [] : credentialFiles(settings, name, agent)
  const optional = withoutAbsent({
    sandbox: sandbox === task.metadata.name ? undefined : sandbox,
    credentialFiles: files.length === 0 ? undefined : files,
    budgetUSD: budgetLeft(task, outcome?.costUSD),
    baseBranch: baseBranchOf(task, project),
    defaultBranch: project?.spec.defaultBranch,
    baseCommit: findBase(seen, keepClone),
    pushes: seen.pushes.length === 0 ? undefined : seen.pushes.map((push) => toPush(push, pushesOf(task))),
    maxPushBytes: settings.maxPushBytes,
    mirror,
    checkout: checkoutOf(project, mirror === undefined || mirror === before?.mirror),
    gitCredentialsDir: git.secret === undefined ? undefined : gitCredentialsDir(settings, name),
    gitHost: git.secret?.host,
    gitCaBundle: git.caBundle,
    gitHome: git.own?.home,
    gitIdentity: before?.gitIdentity && { ...before.gitIdentity },
    passEnv: passedVariables(seen),
    handedBack: toHandedBack(seen, jobNumber),
    hasInbox: hasInbox(seen, agent, deliverOnly) ? true : undefined,
    checks,
    protectedPaths: isWork(execution) ? copy(project?.spec.protectedPaths) : undefined,
    environment: deliverOnly && checks === undefined ? undefined : planEnvironment(seen, keepClone).told,
    seal: toSeal(setup),
    continues: toContinues(continuation),
    answerSchema: execution.spec.answerSchema,
    delivery: execution.spec.delivery,
  })
  return {
    schemaVersion: 1,
    task: task.metadata.name,
    execution: name,
    jobNumber,
    volumeRoot: settings.volumeRoot,
    title: task.spec.title,
    repositoryUrl: git.url,
    branch:
      setup === undefined
        ? (execution.spec.branch ?? branchOf(task, story?.spec.branchName, settings.branchPrefix, isStorys))
        : prepareBranch(execution),
    isShared: task.spec.storyId !== undefined,
    keepClone,
    deliverOnly,
    agent: {
      name: agent?.metadata.name ?? '',
      adapter: agent?.spec.adapter ?? '',
      ...withoutAbsent({
        model: execution.spec.model,
        command: copy(agent?.spec.command),
        allowedTools: copy(wish.allowedTools ?? agent?.spec.allowedTools),
        prices: agent?.spec.prices,
        acp: toAcp(agent?.spec.acp),
        ...(before?.hasClone === true ? sessionOf(seen, jobNumber, status) : {}),
        ...(continuation?.kind === 'session' ? { sessionId: continuation.sessionId } : {}),
      }),
    },
    timeoutSeconds: timeoutSeconds(task.spec.timeout ?? agent?.spec.timeout),
    maxLogBytes: MAX_LOG_BYTES,
    ...optional,
  }
}

/** What an agent has made since it went on from there is not taken back by a later Job or execution. */
function toHandedBack({ execution, resumed }: ObservedExecution, jobNumber: number): RunSpec['handedBack'] {
  const { handedBack } = execution.spec
  if (handedBack === undefined) return undefined
  const { head, at, withoutAgent = false } = handedBack
  const isFirst = jobNumber === 1 && at !== resumed?.spec.handedBack?.at
  return withoutAgent || isFirst ? { head, withoutAgent } : undefined
}

/** Only who works is told anything, and only where its program can be told. */
function hasInbox({ execution }: ObservedExecution, agent: Agent | undefined, deliverOnly: boolean): boolean {
  const isRun = !deliverOnly && execution.spec.handedBack?.withoutAgent !== true
  return isRun && isWork(execution) && agent !== undefined && messageModesOf(agent.spec).length > 0
}

/** Nobody has a branch of the second name, so that a setup for all begins at the default branch, whatever was pushed. */
function prepareBranch({ metadata, spec }: Execution): string {
  return spec.branch ?? `prepare-${metadata.uid ?? ''}`
}

function toSeal(setup: Setup | undefined): RunSpec['seal'] {
  return setup && { folder: setup.folder, secrets: setup.secrets.map(({ name }) => name) }
}

/**
 * @param isOwn whether a fresh clone may borrow from the mirrors that the clone has: a kept one may be of another reader,
 * and what those of today's credentials may see is none of that one's
 */
function checkoutOf(project: Project | undefined, isOwn: boolean): RunSpec['checkout'] {
  const { sparse, ...rest } = project?.spec.checkout ?? {}
  const checkout = { ...rest, ...withoutAbsent({ sparse: copy(sparse), borrow: isOwn ? rest.borrow : false }) }
  return Object.keys(checkout).length === 0 ? undefined : checkout
}

function toContinues(continuation: Continuation | undefined): RunSpec['continues'] {
  if (continuation === undefined) return undefined
  const { task } = continuation
  return continuation.kind === 'session' ? { task } : { task, told: continuation.why }
}

function toAcp(acp: AcpDialect | undefined): RunSpec['agent']['acp'] {
  if (acp === undefined) return undefined
  const { auth, limit, busy, lostSession, failure, ...rest } = acp
  const lists = { auth, limit, busy, lostSession, failure }
  const copied = Object.entries(lists).flatMap(([name, list]) => (list === undefined ? [] : [[name, [...list]]]))
  return { ...rest, ...Object.fromEntries(copied) }
}

function toPush(push: RecordedPush, own: readonly RecordedPush[]): NonNullable<RunSpec['pushes']>[number] {
  const { found, base, from, head } = push
  return { head, ...withoutAbsent({ found, base, from, isOwn: hasPush(own, push) ? undefined : false }) }
}

/** What the work, or for the delivery of a story its branch, was compared with. */
function findBase({ execution, task, story, before }: ObservedExecution, keepClone: boolean): string | undefined {
  if (execution.spec.delivery !== undefined && story !== undefined) return story.status?.review?.baseCommit
  return task.status?.baseCommit ?? (keepClone ? before?.baseCommit : undefined)
}

function passedVariables(seen: ObservedExecution): string[] | undefined {
  const own = [...(seen.agent?.spec.credentials?.env ?? []), ...agentConfigOf(seen).secrets, ...seen.setupSecrets].map(
    ({ name }) => name,
  )
  const services = serviceVariables(seen.project?.spec.services ?? []).map(({ name }) => name)
  const names = new Set([...passedPodVariables(seen.context.settings.pods), ...own, ...services])
  return names.size === 0 ? undefined : [...names]
}

/**
 * That of an earlier Job, whose login was refused on the way (specification §6.13) or whose work has red checks, else that of
 * the execution that is resumed, unless the clone is gone in which that worked, or it never worked: a copy of another task's
 * session knows nothing of this one.
 */
function sessionOf(
  { execution, resumed, outcome, sessionCostUSD = 0 }: ObservedExecution,
  jobNumber: number,
  { anewSince }: ExecutionStatus,
): Pick<RunSpec['agent'], 'sessionId' | 'sessionCostUSD'> {
  const begun = jobNumber > 1 ? outcome : undefined
  const mayGoOn = execution.spec.purpose === 'Resume' && anewSince === undefined
  const kept = mayGoOn && resumed !== undefined && hasAgentBegun(resumed) ? resumed.status?.sessionId : undefined
  const sessionId = begun?.sessionId ?? kept
  if (sessionId === undefined) return {}
  const costUSD = (begun?.costUSD ?? 0) + (sessionId === kept ? sessionCostUSD : 0)
  return { sessionId, ...(costUSD === 0 ? {} : { sessionCostUSD: costUSD }) }
}

/**
 * What the task may still spend, a cent at least: a CLI takes no budget of nothing.
 *
 * @param spent by an earlier Job of this execution, of which the task does not know yet
 */
function budgetLeft({ spec, status }: Task, spent = 0): number | undefined {
  return spec.budgetUSD === undefined ? undefined : Math.max(0.01, spec.budgetUSD - (status?.costUSD ?? 0) - spent)
}

/**
 * The agent's own part is done: in an earlier Job of this execution, or in the execution that is resumed.
 *
 * What was done before the first Job of the round is to be mended. A Job of the round that only delivered may be lost before
 * it leaves an outcome: its record says that the agent has succeeded, for the Jobs in its place too.
 */
function isDeliverOnly(
  { before, resumed, outcome, execution }: ObservedExecution,
  jobNumber: number,
  status: ExecutionStatus,
): boolean {
  if (before?.hasClone !== true) return false
  const { revision, handedBack, checksWaived } = execution.spec
  if (checksWaived !== undefined) return true
  // What was handed back is reviewed as it is or not at all, and only a start that looks for the branch sees that it moved.
  if (handedBack?.withoutAgent === true) return false
  const since = roundSince(status)
  if (outcome !== undefined && outcome.jobNumber >= since)
    return outcome.error?.category !== 'auth' && outcome.outcome !== 'cancelled'
  if (jobNumber > since && status.agentOutcome === 'succeeded') return true
  // What a person asks for since is for the agent to do.
  const isTold = revision?.at === resumed?.spec.revision?.at && handedBack?.at === resumed?.spec.handedBack?.at
  return isTold && execution.status?.jobs === undefined && resumed?.status?.agentOutcome === 'succeeded'
}

/** A further Job with fresh credentials goes on in the clone that the first one made. */
function hasAgentStarted({ outcome }: ObservedExecution, jobNumber: number): boolean {
  return jobNumber > 1 && outcome !== undefined
}

function timeoutSeconds(timeout: string | undefined): number {
  return Math.max(0.001, parseDuration(timeout ?? DEFAULT_TIMEOUT) / 1000)
}

function copy(list: readonly string[] | undefined): string[] | undefined {
  return list === undefined ? undefined : [...list]
}
