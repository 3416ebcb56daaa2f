/** What the header of a story sums up of its tasks: pure. */
import { countOf } from '../../../core/sentences/amounts.ts'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { attentionOf } from '../../model/attention.ts'
import { sumOf } from '../../model/sum.ts'

export interface StoryFacts {
  readonly insertions: number
  readonly deletions: number
  readonly costUSD: number
  /** What keeps it from going on, in words; undefined while nothing does. */
  readonly trouble: string | undefined
  /** How many tasks a run of the story would queue. */
  readonly waiting: number
}

export function storyFacts(tasks: readonly Task[]): StoryFacts {
  return {
    insertions: sumOf(tasks, ({ changes }) => changes?.insertions),
    deletions: sumOf(tasks, ({ changes }) => changes?.deletions),
    costUSD: sumOf(tasks, ({ cost_usd }) => cost_usd),
    trouble: troubleWords(tasks),
    waiting: tasks.filter(({ state, parent_task_id }) => state === 'PENDING' && parent_task_id === undefined).length,
  }
}

function troubleWords(tasks: readonly Task[]): string | undefined {
  const failed = tasks.filter((task) => attentionOf(task) === 'failed')
  const asking = tasks.filter((task) => attentionOf(task) === 'questions')
  const parts = [
    failed.length === 0 ? '' : `${countOf(failed.length, 'task')} failed`,
    asking.length === 0 ? '' : `${countOf(asking.length, 'task asks', 'tasks ask')} a question`,
  ].filter((part) => part !== '')
  if (parts.length === 0) return undefined
  const stopped = new Set([...failed, ...asking].map(({ id }) => id))
  const held = tasks.filter(
    ({ depends_on, state }) => state !== 'COMPLETED' && depends_on.some((id) => stopped.has(id)),
  )
  return `${parts.join(', ')}${held.length === 0 ? '' : `: ${countOf(held.length, 'other waits', 'others wait')} for it`}`
}

/** Id of the element that says what accepting the story will do; the button refers to it. */
export function consequenceId({ id }: Story): string {
  return `accept-${id}`
}
