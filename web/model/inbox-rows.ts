/** The rows of the inbox: what was put away is left out, and failures of one cause are one row. Pure. */
import { hashText } from '../../core/hash-text.ts'
import { parseJson } from '../../core/json.ts'
import type { Task } from '../../core/rest/client/client.ts'
import type { Attention, AttentionGroup } from './attention.ts'
import { groupBy } from './group.ts'

/** A row, or several tasks that failed for one reason. */
export type InboxRow =
  | Attention
  | {
      readonly kind: 'failures'
      readonly group: Extract<AttentionGroup, 'failed'>
      /** The cause: `causeOf`. */
      readonly id: string
      readonly sinceMs: number
      readonly tasks: readonly Task[]
    }

/** What a thing waits with: once this changes, what was put away comes back. */
export function standingOf(item: Attention): string {
  switch (item.kind) {
    case 'task': {
      const { state, execution_id, finished_at, decisions, question } = item.task
      // The browser keeps this: what an agent asks is nobody's business once the person has signed out.
      const asked = question === undefined ? '' : hashText(question).toString(36)
      return ['tasks', item.id, state, execution_id, finished_at, decisions.at(-1)?.at, asked].join(' ')
    }
    case 'story':
      return ['stories', item.id, item.story.status, item.story.review?.execution_id, item.story.updated_at].join(' ')
    case 'agent':
      return ['agents', item.id, item.sinceMs].join(' ')
    default:
      return item satisfies never
  }
}

/** The things that a row is about. */
export function membersOf(row: InboxRow): readonly Attention[] {
  if (row.kind !== 'failures') return [row]
  return row.tasks.map((task) => ({ kind: 'task', group: 'failed', id: task.id, sinceMs: row.sinceMs, task }))
}

/** The rows that these things make, in their order; failures of one cause stand where the first of them does. */
export function rowsOf(items: readonly Attention[]): readonly InboxRow[] {
  const causes = groupBy(items, (item) => (item.kind === 'task' ? causeOf(item.task) : undefined))
  return items.flatMap((item): readonly InboxRow[] => {
    if (item.kind !== 'task') return [item]
    const id = causeOf(item.task)
    const alike = id === undefined ? [] : (causes.get(id) ?? [])
    if (id === undefined || alike.length < 2) return [item]
    if (alike[0] !== item) return []
    const tasks = alike.flatMap((other) => (other.kind === 'task' ? [other.task] : []))
    return [{ kind: 'failures', group: 'failed', id, sinceMs: item.sinceMs, tasks }]
  })
}

/** Those are about the agent, whatever the project; all others are about what is in a project. */
const ABOUT_AGENT: readonly Task['error_category'][] = ['auth', 'credentials', 'unavailable', 'quota', 'rate_limit']

/**
 * What a task failed of, the same for tasks that one remedy helps: category, agent or project, and the message without
 * what differs from one task to the next. Undefined for what has not failed, or left no message.
 */
export function causeOf(task: Task): string | undefined {
  const { state, error, error_category: category = 'failed', agent, project } = task
  const isFailed = state === 'FAILED' || state === 'TIMED_OUT' || state === 'BUDGET_EXCEEDED'
  if (!isFailed || error === undefined || error.trim() === '') return undefined
  const place = ABOUT_AGENT.includes(category) ? ['agent', agent?.type] : ['project', project]
  return [state, category, ...place, withoutOwn(error, task)].join('\n')
}

/** Shorter ones may be parts of words. */
const LEAST_OWN = 4

/** Hashes, times, and numbers that are longer than those which say what is wrong, as "exit 137" does. */
const PASSING = /\b[0-9a-f]{7,64}\b|\d{4,}(?:-\d\d)*|\d{1,2}(?::\d\d)+(?:\.\d+)?/gi

/** Ids, hashes, times and long numbers in a message say which task it is, not what is wrong. */
function withoutOwn(error: string, { id, execution_id = '', branch = '' }: Task): string {
  const own = [execution_id, branch, id].filter(({ length }) => length >= LEAST_OWN)
  return own
    .reduce((text, part) => text.replaceAll(part, '#'), error)
    .replaceAll(PASSING, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** What {@link formatPutAway} wrote: `standingOf` each thing; whatever else stands there counts as nothing. */
export function parsePutAway(text: string | null): ReadonlySet<string> {
  const stored = text === null ? undefined : parseJson(text)
  return new Set(Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [])
}

/** What is no longer there is forgotten. @param items all that waits for the person */
export function formatPutAway(items: readonly Attention[], isAway: (item: Attention) => boolean): string {
  return JSON.stringify(items.filter(isAway).map(standingOf))
}
