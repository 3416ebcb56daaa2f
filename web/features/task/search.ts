/** What of a task's page stands in its URL: pure. */
import { type HumanTrigger, HUMAN_TRIGGERS } from '../../../core/task/transitions.ts'
import type { Task } from '../../../core/rest/client/client.ts'

export const TASK_TABS = ['overview', 'diff', 'attempts', 'timeline', 'related', 'resource'] as const
export type TaskTab = (typeof TASK_TABS)[number]

export interface TaskSearch {
  readonly tab?: TaskTab
  /** The decision that a notification offered: it is brought into sight, and nothing is decided. */
  readonly action?: HumanTrigger
}

/** The parameters of a task's page; what is unknown is left out. */
export function parseTaskSearch(search: Readonly<Record<string, unknown>>): TaskSearch {
  const tab = TASK_TABS.find((known) => known === search['tab'])
  const action = HUMAN_TRIGGERS.find((known) => known === search['action'])
  return { ...(tab === undefined ? {} : { tab }), ...(action === undefined ? {} : { action }) }
}

/**
 * The tab that a task opens at: work to review opens at its diff where that has room beside the evidence.
 *
 * @param isWide there is room for both
 */
export function firstTab({ state, changes }: Pick<Task, 'state' | 'changes'>, isWide: boolean): TaskTab {
  return state === 'READY' && isWide && (changes?.files ?? 0) > 0 ? 'diff' : 'overview'
}
