import type { Evaluation } from '../answer/evaluation.ts'
import type {
  ErrorCategory,
  EvaluationRole,
  EvaluationRun,
  Execution,
  FollowUp,
  Story,
  StoryEvent,
} from '../crd/types.ts'
import { addMs, toTimestamp } from '../time.ts'
import { eventsOfAnswer } from './evaluation-events.ts'
import type { Standing } from './tally.ts'
import { clip } from '../text.ts'

/** How the Execution of a run stands. */
export type RunFacts =
  | { readonly kind: 'open' }
  | { readonly kind: 'answered'; readonly answer: Evaluation }
  | { readonly kind: 'cancelled'; readonly message: string }
  | {
      readonly kind: 'failed'
      readonly message: string
      /** A usage limit ended it. */
      readonly isLimit: boolean
      /** RFC 3339; when the limit ends, where that is known. */
      readonly resumeAfter?: string | undefined
    }

/** How the Execution of a run stands; `answer` is what lies on the data volume, where that has the form. */
export function readRun(execution: Execution, answer: Evaluation | undefined): RunFacts {
  const { agent = '' } = execution.spec
  const { state = 'PENDING', error, resumeAfter } = execution.status ?? {}
  const said = error?.message ?? `execution ${execution.metadata.name} ended as ${state}`
  switch (state) {
    case 'PENDING':
    case 'RUNNING':
      return { kind: 'open' }
    case 'COMPLETED':
      if (answer !== undefined) return { kind: 'answered', answer }
      return { kind: 'failed', message: `agent ${agent} gave no usable answer`, isLimit: false }
    case 'CANCELLED':
      return { kind: 'cancelled', message: said }
    case 'BLOCKED':
      return { kind: 'failed', message: `agent ${agent} asked a question in place of an answer`, isLimit: false }
    case 'FAILED':
    case 'TIMED_OUT':
    case 'BUDGET_EXCEEDED':
      return { kind: 'failed', message: `agent ${agent}: ${said}`, isLimit: isLimit(error?.category), resumeAfter }
    default:
      return state satisfies never
  }
}

function isLimit(category: ErrorCategory | undefined): boolean {
  return category === 'rate_limit' || category === 'quota'
}

/** What the end of a run is recorded from. */
export interface RunsSeen {
  readonly now: Date
  readonly story: Story
  readonly standings: readonly Standing[]
  readonly workers: () => ReadonlySet<string>
  readonly look: (run: EvaluationRun) => RunFacts
}

/** The runs of the round as they stand now, and what those that have ended since brought. */
export interface RecordedRuns {
  readonly runs: readonly EvaluationRun[]
  readonly events: readonly StoryEvent[]
  readonly followUp?: FollowUp | undefined
}

/** Takes down how the open run has ended; there is one at most. */
export function recordRuns({ story, standings, workers, now, look }: RunsSeen): RecordedRuns {
  const { runs = [], round = 1 } = story.status?.evaluation ?? {}
  const open = runs.find(({ outcome }) => outcome === undefined)
  const found = open === undefined ? undefined : look(open)
  if (open === undefined || found === undefined || found.kind === 'open') return { runs, events: [] }
  const ended = { ...open, ...outcomeOf(found, failuresOf(runs, open.role).length, now), finishedAt: toTimestamp(now) }
  const others = runs.map((run) => (run === open ? ended : run))
  if (found.kind !== 'answered') return { runs: others, events: [] }
  const { answer } = found
  const { follow_up: proposed } = answer
  return {
    runs: others,
    events: eventsOfAnswer({ story, round, run: open, answer, standings, workers: workers(), now }),
    followUp: proposed && { ...proposed, description: clip(proposed.description, 8192), agent: open.agent },
  }
}

/** Longest message that the schema takes. */
export const MAX_MESSAGE = 1024

/** Until the next attempt, by how many have failed: for limits as for tasks (specification §6.8), else soon. */
const AFTER_LIMIT_MS = [60_000, 300_000]
const AFTER_FAILURE_MS = [10_000, 60_000]

function outcomeOf(found: Exclude<RunFacts, { kind: 'open' }>, earlier: number, now: Date): Partial<EvaluationRun> {
  if (found.kind === 'answered') return { outcome: 'Answered' }
  const message = clip(found.message, MAX_MESSAGE)
  if (found.kind === 'cancelled') return { outcome: 'Cancelled', message }
  const delay = (found.isLimit ? AFTER_LIMIT_MS : AFTER_FAILURE_MS)[earlier]
  if (delay === undefined) return { outcome: 'Failed', message }
  return { outcome: 'Failed', message, retryAfter: found.resumeAfter ?? toTimestamp(addMs(now, delay)) }
}

/** The runs of a role that failed, oldest first. */
export function failuresOf(runs: readonly EvaluationRun[], role: EvaluationRole): EvaluationRun[] {
  return runs.filter((run) => run.role === role && run.outcome === 'Failed')
}
