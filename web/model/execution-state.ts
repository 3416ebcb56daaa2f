/** The state of an execution as people read it: a word, a tone and an icon, which always stand together. */
import type { ExecutionState } from '../../core/crd/types.ts'
import type { Execution } from '../../core/rest/client/client.ts'
import type { StateWords } from './task-state.ts'
import { categoryWords } from './task-state.ts'

/** `said` goes on after the name of what was done. */
const PLAIN: Readonly<Record<ExecutionState, StateWords & { readonly said: string }>> = {
  PENDING: { tone: 'wait', icon: 'clock', text: 'Starts', said: 'is about to start' },
  RUNNING: { tone: 'run', icon: 'play', text: 'Running', said: 'started' },
  COMPLETED: { tone: 'done', icon: 'done', text: 'Succeeded', said: 'is done' },
  FAILED: { tone: 'fail', icon: 'failed', text: 'Failed', said: 'failed' },
  TIMED_OUT: { tone: 'fail', icon: 'failed', text: 'Took too long', said: 'took too long' },
  CANCELLED: { tone: 'wait', icon: 'stopped', text: 'Cancelled', said: 'was stopped' },
  BUDGET_EXCEEDED: { tone: 'fail', icon: 'failed', text: 'Over budget', said: 'went over its budget' },
  BLOCKED: { tone: 'ask', icon: 'question', text: 'Asked', said: 'asked a question' },
}

/** What an execution's state is called. */
export function executionStateWords({
  state,
  error_category,
}: Pick<Execution, 'state' | 'error_category'>): StateWords {
  const { said: _said, ...plain } = PLAIN[state]
  const category = state === 'FAILED' ? categoryWords(error_category) : undefined
  return category === undefined ? plain : { ...plain, text: `${plain.text}: ${category}` }
}

/** The same as the rest of a sentence about what was done. */
export function executionStatePhrase({ state }: Pick<Execution, 'state'>): string {
  return PLAIN[state].said
}

const PURPOSE_WORDS: Readonly<Record<Execution['purpose'], string>> = {
  run: 'fresh start',
  resume: 'continued',
  elaborate: 'planning',
  validate: 'check',
  classify: 'choice of an agent',
  evaluate: 'evaluation',
  deliver: 'delivery',
}

/** What an execution is for. */
export function purposeWords({ purpose }: Pick<Execution, 'purpose'>): string {
  return PURPOSE_WORDS[purpose]
}
