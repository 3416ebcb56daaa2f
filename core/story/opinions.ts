import type { Story, StoryEvent, StoryEventKind, StoryEventSpec } from '../crd/types.ts'
import { mayBeSince, parseTimestamp } from '../time.ts'
import { clip } from '../text.ts'
import { criteriaOf } from './criteria.ts'

/** What an agent or a person can say of a criterion. */
export const OPINION_VERDICTS = ['pass', 'fail', 'unknown'] as const
export type OpinionVerdict = (typeof OPINION_VERDICTS)[number]

/** What one event says of one criterion. */
export interface Opinion {
  /** The criterion's text. */
  readonly criterion: string
  readonly verdict: OpinionVerdict
  readonly evidence: string
  /** A person; the first or the second agent; the arbiter between the two. */
  readonly voice: 'person' | 'first' | 'second' | 'arbiter'
  /** Name of the agent or of the person. */
  readonly by: string
  /** RFC 3339. */
  readonly at: string
}

/** Payload of the event eval_verdict that an agent's answer becomes; people need to give criterion and verdict only. */
export interface VerdictPayload {
  readonly criterion: string
  readonly verdict: OpinionVerdict
  readonly evidence: string
  readonly agent: string
  readonly execution: string
  readonly round: number
  readonly opinion: 'first' | 'second'
  /** The agent evaluates work of its own kind, because no other was available. */
  readonly did_the_work: boolean
}

/** Payload of the event arbitration_decided. */
export interface ArbitrationPayload {
  readonly criterion: string
  readonly verdicts: readonly { readonly agent: string; readonly verdict: OpinionVerdict; readonly evidence: string }[]
  readonly decided: OpinionVerdict
  /** Name of the agent that decided. */
  readonly by: string
  readonly reason: string
  readonly execution: string
  readonly round: number
}

/** A round of evaluation: its number and when it began. */
export interface Round {
  readonly round?: number | undefined
  readonly startedAt?: string | undefined
}

/**
 * What the events say, oldest first, as far as they belong to the round: those of agents name it, those of people are
 * of the round in which they were made. Events whose payload is of another form say nothing.
 */
export function opinionsOf(events: readonly StoryEvent[], round: Round): Opinion[] {
  const sorted = [...events].sort((a, b) => timeOf(a) - timeOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1))
  return sorted.flatMap((event) => (isOfRound(event, round) ? (readOpinion(event) ?? []) : []))
}

/**
 * Why a told event can never count as a verdict on a story, naming the field and the way out; undefined when it counts,
 * or when its kind is no verdict.
 */
export function findVerdictProblem(
  { spec, status }: Story,
  { kind, payload = {} }: Pick<StoryEventSpec, 'kind' | 'payload'>,
): string | undefined {
  const field = VERDICT_FIELDS[kind]
  if (field === undefined) return undefined
  const criteria = criteriaOf(spec).map(({ text }) => text)
  if (!criteria.some((text) => text === payload.criterion)) {
    const known = criteria.map((text) => `“${text}”`).join(', ')
    const wayOut = criteria.length === 0 ? 'it has none; add it first' : `one of ${clip(known, MAX_LISTED)}`
    return `payload.criterion: must be a criterion of the story, word for word: ${wayOut}`
  }
  if (readVerdict(payload[field]) === undefined)
    return `payload.${field}: must be one of ${OPINION_VERDICTS.join(', ')}`
  const { round } = status?.evaluation ?? {}
  if (!isNumbered(payload.round) || payload.round === round) return undefined
  return `payload.round: ${payload.round} is not the present round${round === undefined ? '' : `, which is ${round}`}; leave it out`
}

/** Where a kind of event says its verdict. */
const VERDICT_FIELDS: Readonly<Partial<Record<StoryEventKind, string>>> = {
  eval_verdict: 'verdict',
  arbitration_decided: 'decided',
}

/** Whether events of that kind are verdicts. */
export function isVerdictKind(kind: StoryEventKind): boolean {
  return VERDICT_FIELDS[kind] !== undefined
}

/** How much of all criteria together a refusal quotes. */
const MAX_LISTED = 1000

/** The longest evidence that is kept. */
const MAX_EVIDENCE = 8192

function readOpinion({ spec }: StoryEvent): Opinion | undefined {
  const { kind, at, by = 'somebody' } = spec
  const payload = spec.payload ?? {}
  const { criterion, evidence, comment, reason, agent, opinion, decided } = payload
  if (typeof criterion !== 'string') return undefined
  const said = { criterion, at, evidence: firstText(evidence, comment, reason) }
  if (kind === 'arbitration_decided') {
    const verdict = readVerdict(decided)
    return verdict && { ...said, verdict, voice: 'arbiter', by: firstText(payload.by, by) }
  }
  const verdict = kind === 'eval_verdict' ? readVerdict(payload.verdict) : undefined
  if (verdict === undefined) return undefined
  const isAgents = isNumbered(payload.round) && (opinion === 'first' || opinion === 'second')
  return { ...said, verdict, ...(isAgents ? { voice: opinion, by: firstText(agent, by) } : { voice: 'person', by }) }
}

function isOfRound({ spec }: StoryEvent, { round, startedAt }: Round): boolean {
  const named = spec.payload?.round
  if (isNumbered(named)) return named === round
  return startedAt === undefined || mayBeSince(spec.at, startedAt)
}

function isNumbered(round: unknown): round is number {
  return typeof round === 'number'
}

/** People also use the words in which a story's status shows verdicts. */
function readVerdict(word: unknown): OpinionVerdict | undefined {
  if (word === 'passed') return 'pass'
  if (word === 'failed') return 'fail'
  return OPINION_VERDICTS.find((known) => known === word)
}

function firstText(...values: readonly unknown[]): string {
  const found = values.find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found.slice(0, MAX_EVIDENCE) : ''
}

function timeOf({ spec }: StoryEvent): number {
  return parseTimestamp(spec.at).getTime()
}
