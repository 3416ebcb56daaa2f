/** Why a task waits and whether it goes on by itself: for conditions, `waiting_for`, Events and docs/operate/messages.md. */
import { countOf, formatSpan, listOf } from './amounts.ts'

/** How many tasks a text names. */
const MAX_NAMED = { most: 20 }

/** Each text for the facts that it names. */
export const WAITING = {
  unknownTasks: (names: readonly string[]) => `task ${listOf(names, MAX_NAMED)} does not exist`,
  unknownProject: (name: string) => `project ${name} does not exist`,
  unknownAgent: (name: string) => `agent ${name} does not exist`,
  cycle: (names: readonly string[]) => `tasks wait for one another: ${names.join(' → ')}`,
  storyDone: 'story is DONE',
  suspended: 'the task is suspended',
  checkedOut: (by: string) => `checked out by ${by}`,
  noAutoResume: (agent: string) => `agent ${agent} does not resume by itself`,
  tasks: (open: readonly OpenTask[], kind: 'task' | 'subtask' = 'task') =>
    `waits for ${kind} ${listOf(open.map(nameWithState), MAX_NAMED)}`,
  branch: (branch: string, repository: string, writer: string) =>
    `branch ${branch} of ${repository} is written by ${writer}`,
  orphans: 'an execution of an earlier task of this name has not ended yet',
  pod: 'the pod of an earlier execution has not ended yet',
  environment: ({ project, isBegun, lastSeconds }: EnvironmentBuild) =>
    `the environment of project ${project} is ${isBegun ? 'being prepared' : 'to be prepared'}` +
    (lastSeconds === undefined ? '' : `; last time that took ${formatSpan(lastSeconds * 1000)}`),
  atReviewLimit: ({ kind, name, limit }: LimitedPlace & { readonly limit: number }) =>
    `${kind} ${name} is at its limit of ${countOf(limit, 'task that waits', 'tasks that wait')} for a person`,
  reviewLimit: ({ kind, name, limit, count, oldest, waitsFor }: ReviewLimit) =>
    `${kind} ${name} has ${countOf(count, 'task that waits', 'tasks that wait')} for a person (limit ${limit}): ` +
    (waitsFor === 'checks'
      ? `ask for changes in ${oldest}, waive its checks, run it again or delete it first`
      : `${waitsFor} ${oldest} first`),
  asked: (agent: string) => `agent ${agent} is asked which agent suits the task`,
  choosing: 'its agent is being chosen',
  noAgent: 'no agent is available: name one in agent.type, or make one available',
  slot: (agent: string) => `waits for a slot of agent ${agent}`,
  busy: (agent: string, work: readonly string[]) => `agent ${agent} is busy with ${work.join(', ')}`,
  stuckPods: (pods: readonly string[]) => `pod ${pods.join(', ')} does not end and must be deleted by force`,
  startsNow: (agent: string) => `starts now with agent ${agent}`,
  turn: (position: number) => (position > 0 ? `${ordinal(position + 1)} in line` : 'next in line'),
  drained: (agent: string, reason = 'too many failures') => `agent ${agent} is drained: ${reason}`,
  limited: (agent: string, until: string, isAssumed = false) =>
    `agent ${agent} is rate limited until ${until}${isAssumed ? ' (assumed: nobody names the end)' : ''}`,
  retry: (at: string) => `tried again at ${at}`,
  noRetry: (reason: string) => `not tried again: ${reason}`,
} as const

/** What is prepared. */
export interface EnvironmentBuild {
  readonly project: string
  readonly isBegun: boolean
  /** How long it took the last time. */
  readonly lastSeconds?: number
}

/** As many tasks of a project or an agent wait for a person as it allows, or more. */
export interface ReviewLimit {
  readonly kind: 'project' | 'agent'
  readonly name: string
  readonly limit: number
  readonly count: number
  /** The task that has waited longest. */
  readonly oldest: string
  /** What it waits for: an answer, a review, or what a person makes of work that its checks hold back. */
  readonly waitsFor: 'answer' | 'review' | 'checks'
}

/** Whose limit that is. */
export type LimitedPlace = Pick<ReviewLimit, 'kind' | 'name'>

/** The project or agent whose limit keeps a task from starting, by the words of {@link WAITING}; undefined: none. */
export function findLimitedPlace(waitingFor: string): LimitedPlace | undefined {
  const [, kind, name = ''] = /^(project|agent) (\S+) has \S+ tasks? that waits? for a person /.exec(waitingFor) ?? []
  return kind === 'project' || kind === 'agent' ? { kind, name } : undefined
}

/** A task that another one waits for. */
interface OpenTask {
  readonly name: string
  readonly state?: string
}

function nameWithState({ name, state }: OpenTask): string {
  return `${name} (${state}${state === 'PENDING' ? ', waits for run' : ''})`
}

function ordinal(n: number): string {
  const suffix = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${suffix}`
}
