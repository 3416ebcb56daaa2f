/** What a card shows of a story and its tasks: pure. */
import type { Story, Task } from '../../../core/rest/client/client.ts'
import type { TaskState } from '../../../core/crd/types.ts'
import { isToAccept } from '../../../core/attention.ts'
import { STORY_STATUS_LABELS } from '../../../core/sentences/states.ts'
import { attentionOf, isWaiting } from '../../model/attention.ts'
import { failureLine } from '../../model/failure-words.ts'
import { sumOf } from '../../model/sum.ts'
import { type StateWords, type Tone, storyStatusWords, taskStateWords } from '../../model/state-words.ts'
import { COLUMN_OF_STATUS } from '../../../core/story/columns.ts'

export interface CardFacts {
  /** What happens with the story now; undefined where its column says all. */
  readonly state: StateWords | undefined
  /** True: it waits for a person. */
  readonly isWaiting: boolean
  /** The agents at work, each once. */
  readonly agents: readonly string[]
  /** When the first of the running tasks began, for the time that it takes. */
  readonly runningSince: string | undefined
  /** One tone for each task, in the order of their making. */
  readonly steps: readonly Tone[]
  readonly costUSD: number
  readonly insertions: number
  readonly deletions: number
  /** The task whose checks are told: the one that matters most to a person now. */
  readonly checked: Task | undefined
  /** What the work of its tasks changes of protected files. */
  readonly protectedFiles: number
  /** The first line of what failed. */
  readonly failure: string | undefined
}

/** What stands for the story is the task that matters most to a person now. */
const URGENCY: Readonly<Record<TaskState, number>> = {
  BLOCKED: 0,
  FAILED: 1,
  TIMED_OUT: 1,
  BUDGET_EXCEEDED: 1,
  READY: 2,
  RUNNING: 3,
  QUEUED: 4,
  PENDING: 5,
  CANCELLED: 6,
  COMPLETED: 7,
}

/** Later, nobody decides by them. */
const CHECKED: readonly TaskState[] = ['RUNNING', 'READY', 'FAILED']

export function cardFacts(story: Story, tasks: readonly Task[], nowMs: number): CardFacts {
  const inOrder = tasks.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  const lead = leadingTask(inOrder)
  const failed = inOrder.find((task) => attentionOf(task) === 'failed')
  const running = inOrder.filter(({ state }) => state === 'RUNNING')
  const starts = running.flatMap(({ started_at }) => (started_at === undefined ? [] : [started_at]))
  return {
    state: storyState(story, lead, nowMs),
    isWaiting: isWaiting(story, inOrder),
    agents: [...new Set(running.flatMap(({ agent }) => agent?.type ?? []))],
    runningSince: starts.toSorted()[0],
    steps: inOrder.filter(({ state }) => state !== 'CANCELLED').map((task) => taskStateWords(task, nowMs).tone),
    costUSD: sumOf(inOrder, ({ cost_usd }) => cost_usd),
    insertions: sumOf(inOrder, ({ changes }) => changes?.insertions),
    deletions: sumOf(inOrder, ({ changes }) => changes?.deletions),
    checked: lead !== undefined && CHECKED.includes(lead.state) ? lead : undefined,
    protectedFiles: sumOf(inOrder, ({ state, protected_changes }) =>
      state === 'READY' ? protected_changes?.count : undefined,
    ),
    failure: failed?.error === undefined ? undefined : failureLine(failed.error),
  }
}

function leadingTask(tasks: readonly Task[]): Task | undefined {
  const needing = tasks.filter((task) => attentionOf(task) !== undefined)
  const candidates = needing.length > 0 ? needing : tasks
  return candidates.toSorted((a, b) => URGENCY[a.state] - URGENCY[b.state])[0]
}

function storyState(story: Story, lead: Task | undefined, nowMs: number): StateWords | undefined {
  if (story.status === 'DONE') return undefined
  if (isToAccept(story.status)) return storyStatusWords(story.status)
  const column = COLUMN_OF_STATUS[story.status]
  const isUnderWay = lead !== undefined && lead.state !== 'PENDING' && lead.state !== 'COMPLETED'
  if (isUnderWay) return taskStateWords(lead, nowMs)
  const isToSay = column === 'review' || story.status === 'FRAMING'
  return isToSay ? { tone: 'wait', icon: 'clock', text: STORY_STATUS_LABELS[story.status] } : undefined
}
