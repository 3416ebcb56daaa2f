/** The executions of a task as its attempts: pure. */
import type { Execution } from '../../core/rest/client/client.ts'
import { executionStateWords, purposeWords, spanOf } from './execution-state.ts'
import { formatCost } from './money.ts'
import { formatSpan } from './time.ts'

export interface Attempt {
  /** `Attempt 2`, counted from the first; what is no work of an agent is named after its purpose: `Delivery`. */
  readonly name: string
  readonly execution: Execution
}

/** A task's executions, newest first, each with what it is called. */
export function attemptsOf(executions: readonly Execution[]): readonly Attempt[] {
  const oldestFirst = executions.toSorted((a, b) => compareTexts(a.created_at + a.id, b.created_at + b.id))
  let count = 0
  return oldestFirst
    .map((execution) => {
      const isWork = execution.purpose === 'run' || execution.purpose === 'resume'
      return { execution, name: isWork ? `Attempt ${(count += 1)}` : capitalised(purposeWords(execution)) }
    })
    .toReversed()
}

/** One line of the comparison of two attempts. */
export interface ComparedFact {
  readonly label: string
  readonly left: string
  readonly right: string
}

const NOTHING = '–'

/** What two attempts have in figures, side by side. @param nowMs the server's now, for what still runs */
export function compareAttempts(left: Execution, right: Execution, nowMs: number): readonly ComparedFact[] {
  const line = (label: string, valueOf: (execution: Execution) => string | undefined): ComparedFact => ({
    label,
    left: valueOf(left) ?? NOTHING,
    right: valueOf(right) ?? NOTHING,
  })
  return [
    line('Outcome', (execution) => executionStateWords(execution).text),
    line('Kind', purposeWords),
    line('Agent', agentName),
    line('Time', (execution) => durationText(execution, nowMs)),
    line('Cost', ({ cost_usd }) => formatCost(cost_usd)),
    line('Tokens read', ({ tokens }) => formatCount(tokens?.input)),
    line('Tokens read from a cache', ({ tokens }) => formatCount(tokens?.cache_read)),
    line('Tokens written', ({ tokens }) => formatCount(tokens?.output)),
    line('Turns', ({ turns }) => formatCount(turns)),
    line('Changes', ({ changes }) => changesText(changes)),
  ]
}

/** How long an execution took, or takes so far. */
export function durationText(execution: Execution, nowMs: number): string | undefined {
  const span = spanOf(execution, nowMs)
  return span === undefined ? undefined : formatSpan(span)
}

/** The agent and its model. */
export function agentName({ agent, model }: Pick<Execution, 'agent' | 'model'>): string | undefined {
  const parts = [agent, model].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' · ')
}

/** Changed lines and files in words; undefined where nothing changed. */
export function changesText(changes: Execution['changes']): string | undefined {
  if (changes === undefined || changes.files === 0) return undefined
  return `+${changes.insertions} −${changes.deletions} in ${filesText(changes.files)}`
}

export function filesText(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}

const COUNT = new Intl.NumberFormat('en-US')

function formatCount(value: number | undefined): string | undefined {
  return value === undefined ? undefined : COUNT.format(value)
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
