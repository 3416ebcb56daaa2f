/** What a person can do about each class of failure. The server's message beside it says what happened. */
import type { Execution } from '../../../core/rest/client/client.ts'

type Category = NonNullable<Execution['error_category']>

const ADVICE: Readonly<Record<Category, string>> = {
  quota: 'Wait until the limit ends, or run the task with another agent.',
  rate_limit: 'The provider slows requests down: run the task again later, or with another agent.',
  budget: 'Raise the budget of the task, then resume it.',
  timeout: 'Raise the time limit of the task or split it, then resume it.',
  git: 'Mend what git refused, in the repository or its credentials, then run the task again.',
  auth: 'Log the agent in again, then run the task again.',
  credentials: 'Give the agent a login, then run the task again.',
  no_repository: 'Give the task a project whose repository can be reached.',
  cancelled: 'Somebody stopped it. Run the task again to begin afresh, or resume it.',
  lost: 'The process ended without a word, as when its machine restarts. Resume the task.',
  unavailable: 'Install the program of the agent, or run the task with another agent.',
  failed: 'Read what the agent printed last, then run the task again or resume it.',
}

/** The next thing to do about a failed execution; undefined where there is nothing to do. */
export function adviceFor({ state, error_category }: Pick<Execution, 'state' | 'error_category'>): string | undefined {
  if (error_category !== undefined) return ADVICE[error_category]
  if (state === 'TIMED_OUT') return ADVICE.timeout
  if (state === 'BUDGET_EXCEEDED') return ADVICE.budget
  return state === 'FAILED' ? ADVICE.failed : undefined
}

/** Whether the agent's own page is where the advice is followed. */
export function concernsAgent(category: Category | undefined): boolean {
  return category === 'auth' || category === 'credentials' || category === 'unavailable' || category === 'quota'
}
