/** The way of an execution as steps with times. Pure. */
import type { Environment, Execution, Task } from '../../../core/rest/client/client.ts'
import { EXECUTION_STATE_IS_FINAL } from '../../../core/enum-values.ts'

export interface PhaseStep {
  readonly id: string
  readonly label: string
  /** What is done in it. */
  readonly hint: string
  readonly state: 'done' | 'now' | 'next' | 'failed'
  /** Undefined before it begins, and where its times are not known. */
  readonly spanMs: number | undefined
}

const MIRROR_HINT = 'What is new in the repository is fetched into the mirror that all tasks on it share.'

const ENVIRONMENT_HINT = 'What the setup of the project has prepared is waited for, or taken over.'

/** The pod's phases by their names in the record, in their order. */
const PARTS = [
  { id: 'mirror', label: 'mirror', hint: MIRROR_HINT },
  { id: 'environment', label: 'environment', hint: ENVIRONMENT_HINT },
  { id: 'prepare', label: 'clone', hint: 'The repository is cloned.' },
  { id: 'services', label: 'services', hint: 'The services of the project start.' },
  { id: 'agent', label: 'agent', hint: 'The agent works.' },
  { id: 'stage', label: 'stage', hint: 'What would be pushed is fixed, where the agent cannot write.' },
  { id: 'checks', label: 'checks', hint: 'The checks of the project run.' },
  { id: 'deliver', label: 'commit, push', hint: 'The changes are committed and pushed.' },
] as const

/** Shown where the record has them: there may be no mirror, and few projects have services. */
const SELDOM: readonly string[] = ['mirror', 'environment', 'services', 'stage', 'checks']

/** What the phases of a setup are called, which no agent works in. */
const OF_SETUP: Readonly<Record<string, { readonly label: string; readonly hint: string }>> = {
  agent: { label: 'setup', hint: 'The setup of the project runs.' },
  deliver: { label: 'seal', hint: 'What it left in the cache folders is kept.' },
}

interface Times {
  readonly begin: number | undefined
  readonly end: number | undefined
}

/** Failures that are of another step than the agent's, although it has begun. */
const NOT_OF_AGENT: readonly Execution['error_category'][] = ['git', 'no_repository', 'lost']

const GOOD: readonly Execution['state'][] = ['COMPLETED', 'BLOCKED', 'CANCELLED']

/** @param queuedAt of its task, where that is about this execution */
export function phaseSteps(known: Execution, queuedAt: string | undefined, nowMs: number): readonly PhaseStep[] {
  const execution = ofLastRound(known)
  const created = Date.parse(execution.created_at)
  const { rounds = 1 } = execution
  const since = at(execution.round_started_at) ?? created
  const parts = partsOf(execution)
  const own = parts.map(({ id }) => timesOf(execution, id))
  const begun = own.find(({ begin }) => begin !== undefined)?.begin ?? at(execution.finished_at)
  const steps: (Times & { id: string; label: string; hint: string })[] = [
    {
      id: 'start',
      label: 'credentials',
      hint: 'Credentials are checked, and the pod starts.',
      begin: since,
      end: begun,
    },
    ...parts.map((part, i) => ({ ...part, ...(own[i] ?? { begin: undefined, end: undefined }) })),
  ]
  // The record has the phases of the last round alone.
  if (rounds > 1 && since > created)
    steps.unshift({
      id: 'rounds',
      label: rounds === 2 ? 'round 1' : `rounds 1 to ${rounds - 1}`,
      hint: 'The agent worked, checks were red, and it was asked to mend that. The tab Checks has what each round found.',
      begin: created,
      end: since,
    })
  const queued = at(queuedAt)
  if (queued !== undefined && queued <= created)
    steps.unshift({ id: 'queued', label: 'queued', hint: 'The task waits for its turn.', begin: queued, end: created })
  const isOver = EXECUTION_STATE_IS_FINAL[execution.state]
  const hasFailed = isOver && !GOOD.includes(execution.state)
  const last = steps.findLastIndex(({ begin }) => begin !== undefined)
  const failed = hasFailed ? failedStep(steps, execution) : -1
  return steps.map(({ id, label, hint, begin, end }, i) => ({
    id,
    label,
    hint,
    state: i === failed ? 'failed' : i > last ? 'next' : i < last || isOver ? 'done' : 'now',
    spanMs:
      begin === undefined
        ? undefined
        : Math.max(0, (end ?? (i === last ? (at(execution.finished_at) ?? nowMs) : begin)) - begin),
  }))
}

/** The record keeps the phases of the pod before until that of a round has begun. Times of containers may be whole seconds. */
function ofLastRound(execution: Execution): Execution {
  const since = at(execution.round_started_at)
  if (since === undefined) return execution
  const isOfRound = (begin: number | undefined): boolean => begin === undefined || begin >= since - (since % 1000)
  return { ...execution, phases: execution.phases.filter(({ started_at }) => isOfRound(at(started_at))) }
}

/** Where an execution failed: with its agent, or with its checks, unless it is of the step that was the last to begin. */
function failedStep(
  steps: readonly { readonly id: string; readonly begin: number | undefined }[],
  { error_category }: Execution,
): number {
  const begun = (wanted: string): number => steps.findIndex(({ id, begin }) => id === wanted && begin !== undefined)
  const last = steps.findLastIndex(({ begin }) => begin !== undefined)
  // What the agent left is delivered although it failed.
  const own = NOT_OF_AGENT.includes(error_category) ? -1 : begun(error_category === 'checks' ? 'checks' : 'agent')
  return own === -1 ? last : own
}

/** Whether the environment was waited for, before the pod, and not only taken over in it. */
function isWaitedFor({ phases }: Execution): boolean {
  const [environment, prepare] = ['environment', 'prepare'].map((id) => phases.find(({ name }) => name === id))
  if (environment?.started_at === undefined) return false
  return prepare?.started_at === undefined || Date.parse(environment.started_at) < Date.parse(prepare.started_at)
}

/** What this execution passes through, in its order. */
function partsOf(execution: Execution) {
  const { phases, purpose } = execution
  // Of work that is held back nothing is pushed: the last step only says so.
  const isHeldBack = execution.error_category === 'checks'
  const has = (id: string): boolean =>
    !(isHeldBack && id === 'deliver') && (!SELDOM.includes(id) || phases.some(({ name }) => name === id))
  const parts = PARTS.filter(({ id }) => has(id))
  const ordered = isWaitedFor(execution)
    ? parts.toSorted((a, b) => Number(b.id === 'environment') - Number(a.id === 'environment'))
    : parts
  return purpose === 'prepare' ? ordered.map((part) => ({ ...part, ...OF_SETUP[part.id] })) : ordered
}

function timesOf({ phases }: Execution, name: string): Times {
  const phase = phases.find((candidate) => candidate.name === name)
  const { started_at } = phase ?? {}
  // The record counts the mirror, and the environment that is taken over, as parts of prepare.
  const parts =
    name === 'prepare' && started_at !== undefined ? phases.filter((part) => isWithin(part, started_at)) : []
  const ends = parts.flatMap(({ finished_at }) => at(finished_at) ?? [])
  return { begin: ends.length > 0 ? Math.max(...ends) : at(started_at), end: at(phase?.finished_at) }
}

function isWithin({ name, started_at = '' }: Execution['phases'][number], since: string): boolean {
  return ['mirror', 'environment'].includes(name) && Date.parse(started_at) >= Date.parse(since)
}

function at(instant: string | undefined): number | undefined {
  return instant === undefined ? undefined : Date.parse(instant)
}

/** A wait as long as this is explained. */
const LONG_MS = 5000

/**
 * Why the run began late although no later one will; empty: it did not.
 *
 * @param environment that it begins with
 * @param queuedAt of its task
 */
export function lateNotes(
  steps: readonly PhaseStep[],
  execution: Execution,
  environment?: Pick<Environment, 'built_at'>,
  queuedAt?: string,
): readonly string[] {
  const isLong = (...wanted: readonly string[]): boolean =>
    wanted.some((one) => (steps.find(({ id }) => id === one)?.spanMs ?? 0) >= LONG_MS)
  const builtAt = at(environment?.built_at)
  // The task, too, waits for it while it is queued.
  const isBuiltSince = builtAt !== undefined && builtAt > (at(queuedAt) ?? Infinity)
  const isPrepared = execution.environment?.execution !== undefined && isWaitedFor(execution)
  return [
    isLong('mirror') ? ['The repository was fetched into its mirror first. Later runs fetch only what is new.'] : [],
    (isPrepared && isLong('environment')) || (isBuiltSince && isLong('queued'))
      ? ['The setup of the project ran first. Later runs begin with what it has prepared.']
      : [],
  ].flat()
}

/** When the task was queued for this execution; undefined where it has moved on. */
export function queuedAtOf(execution: Execution, task: Task | undefined): string | undefined {
  return task?.execution_id === execution.id ? task.queued_at : undefined
}
