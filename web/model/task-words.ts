/** What views say about a task beside its state: pure. */
import type { Task } from '../../core/rest/client/client.ts'
import type { DecisionAction } from '../../core/crd/types.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'

/** What a decision is called while it is under way. */
export const DOING_WORDS: Readonly<Record<HumanTrigger, string>> = {
  run: 'Queueing',
  accept: 'Accepting',
  reject: 'Rejecting',
  cancel: 'Cancelling',
  resume: 'Resuming',
  answer: 'Answering',
  revise: 'Asking for changes',
  waive: 'Waiving the checks',
}

/** What happened as long ago as the time beside it says. */
export function ageWords(task: Pick<Task, 'state' | 'attempts'>): string {
  if (task.state === 'READY') return 'ready'
  if (task.state === 'BLOCKED') return 'asked'
  return task.attempts > 1 ? `attempt ${task.attempts} failed` : 'failed'
}

/** The first line of what the agent says that it did, without the marks of code. */
export function summaryLine({ summary }: Pick<Task, 'summary'>): string {
  const line = summary?.trim().split('\n', 1)[0] ?? ''
  return line === '' ? 'The agent left no summary.' : line.replaceAll('`', '')
}

/** What a button says that runs the task: whether that is the first attempt, the next one, or one from the beginning. */
export function runWords({ state, rejection_comment }: Pick<Task, 'state' | 'rejection_comment'>): string {
  if (state !== 'PENDING') return 'Start over'
  return rejection_comment === undefined ? 'Run' : 'Run the next attempt'
}

const REBASE_WORDS = {
  up_to_date: 'up to date with its base',
  rebased: 'rebased onto its base',
  conflict: 'conflicts with its base',
  behind: 'behind its base',
} as const

/** How the work stands to the branch that it goes to; undefined where that is not known. */
export function rebaseWords({ rebase }: Pick<Task, 'rebase'>): string | undefined {
  return rebase === undefined ? undefined : REBASE_WORDS[rebase.result]
}

/**
 * What a person's last decision leads to, as long as the task is on its way there; undefined where that is over, or the
 * state says all.
 */
export function nextWords({
  state,
  decisions,
  run_policy,
  archived_at,
}: Pick<Task, 'state' | 'decisions' | 'run_policy' | 'archived_at'>): string | undefined {
  if (archived_at !== undefined) return 'This task is archived: it can be read, and changed once it is restored.'
  const last = decisions.at(-1)
  const who = last?.by ?? 'Somebody'
  if (last === undefined) return undefined
  if (state === 'PENDING' && last.action === 'reject')
    return run_policy === 'auto'
      ? `${who} sent the work back; the next attempt begins by itself.`
      : `${who} sent the work back. Run the task for the next attempt: the agent reads the comment.`
  if (state !== 'QUEUED' && state !== 'RUNNING') return undefined
  const continues = state === 'QUEUED' ? 'goes on' : 'is going on'
  if (last.action === 'answer') return `${who} answered; the agent ${continues} in the same session.`
  if (last.action === 'revise') return `${who} asked for changes; the agent ${continues} in the same session.`
  if (last.action === 'handback') return `${who} handed the work back; it is taken up for review as it is.`
  if (last.action === 'resume') return `${who} resumed the task; the agent ${continues} where it stopped.`
  return undefined
}

/** What a record is once the decision is taken. */
export const DONE_WORDS: Readonly<Record<DecisionAction, string>> = {
  run: 'queued',
  accept: 'accepted',
  reject: 'rejected',
  cancel: 'cancelled',
  resume: 'resumed',
  answer: 'answered',
  revise: 'sent back for changes',
  waive: 'delivered without its checks',
  handback: 'handed back',
}

/** Why what a person was writing about a task that is no longer listed cannot be sent. */
export function goneWords(id: string, what: string): string {
  return `The task ${id} was deleted or archived while you were writing, so your ${what} was not sent.`
}

/** Why what a person was writing about a task cannot be sent. @param what such as `comment` */
export function overtakenWords({ name, decisions }: Pick<Task, 'name' | 'decisions'>, what: string): string {
  const last = decisions.at(-1)
  const event = last === undefined ? 'has changed' : `was ${DONE_WORDS[last.action]}`
  const by = last?.by === undefined ? '' : ` by ${last.by}`
  return `“${name}” ${event}${by} while you were writing, so your ${what} was not sent.`
}

/** Who does it, or what it is, and for which project: `claude · Corner shop`; what is not known is left out. */
export function placeWords(who: string | undefined, project: string): string {
  return [who, project].filter((part) => part !== undefined && part !== '').join(' · ')
}
