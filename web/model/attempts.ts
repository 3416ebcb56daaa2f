/** The executions of a task as its attempts: pure. */
import { formatChanges, formatCost, formatCount, formatTook } from '../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { PURPOSE_LABELS } from '../../core/sentences/states.ts'
import { executionStateWords } from './state-words.ts'
import { compareTexts } from '../../core/text.ts'
import { capitalised } from './texts.ts'

export interface Attempt {
  /** `Attempt 2`, counted from the first; what is no work of an agent is named after its purpose: `Delivery`. */
  readonly name: string
  readonly execution: Execution
  /** What a person decided about its work. */
  readonly verdict?: Verdict
}

/** What a decision made of the work of an attempt. */
export const VERDICT_WORDS = { accept: 'accepted', reject: 'rejected', revise: 'sent back for changes' } as const

/** A person's decision about the work of an attempt. */
export interface Verdict {
  readonly action: keyof typeof VERDICT_WORDS
  readonly by?: string | undefined
  /** What the person said with it. */
  readonly comment?: string | undefined
}

/** A task's executions, newest first, each with what it is called, and with what was decided about it. */
export function attemptsOf(executions: readonly Execution[], decisions: Task['decisions'] = []): readonly Attempt[] {
  const oldestFirst = executions.toSorted((a, b) => compareTexts(a.created_at + a.id, b.created_at + b.id))
  let count = 0
  return oldestFirst
    .map((execution, index): Attempt => {
      if (!isWork(execution)) return { execution, name: capitalised(PURPOSE_LABELS[execution.purpose]) }
      const next = oldestFirst.slice(index + 1).find(isWork)
      const verdict = findVerdict(execution, next, decisions)
      return { execution, name: `Attempt ${(count += 1)}`, ...(verdict === undefined ? {} : { verdict }) }
    })
    .toReversed()
}

function isWork({ purpose }: Execution): boolean {
  return purpose === 'run' || purpose === 'resume'
}

/** The last decision about the work between the end of an execution and the making of the next one. */
function findVerdict(
  { finished_at }: Execution,
  next: Execution | undefined,
  decisions: Task['decisions'],
): Verdict | undefined {
  if (finished_at === undefined) return undefined
  const [from, to] = [Date.parse(finished_at), next === undefined ? Infinity : Date.parse(next.created_at) + SECOND]
  for (const { action, at, by, comment } of decisions.toReversed()) {
    const isMeant = Date.parse(at) >= from && Date.parse(at) < to
    if (isMeant && (action === 'accept' || action === 'reject' || action === 'revise')) return { action, by, comment }
  }
  return undefined
}

/** Times of resources are in whole seconds. */
const SECOND = 1_000

/** A verdict in words. */
export function verdictWords({ action, by }: Verdict): string {
  const who = by === undefined ? '' : ` by ${by}`
  return `${VERDICT_WORDS[action]}${who}`
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
  const lines = [
    line('Outcome', (execution) => executionStateWords(execution).text),
    line('Kind', ({ purpose }) => PURPOSE_LABELS[purpose]),
    line('Agent', agentName),
    line('Time', (execution) => formatTook(execution, nowMs)),
    line('Cost', ({ cost_usd }) => formatCost(cost_usd)),
    line('Tokens read', ({ tokens }) => figure(tokens?.input)),
    line('Tokens read from a cache', ({ tokens }) => figure(tokens?.cache_read)),
    line('Tokens written', ({ tokens }) => figure(tokens?.output)),
    line('Turns', ({ turns }) => figure(turns)),
    line('Changes', ({ changes }) => formatChanges(changes)),
  ]
  return lines.filter((fact) => fact.left !== NOTHING || fact.right !== NOTHING)
}

/** The agent and its model. */
export function agentName({ agent, model }: Pick<Execution, 'agent' | 'model'>): string | undefined {
  const parts = [agent, model].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' · ')
}

function figure(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatCount(value)
}
