import type { Story, StoryEvaluation, StoryEvent, StoryVerdict } from '../crd/types.ts'
import { parseTimestamp } from '../time.ts'
import { clip } from '../text.ts'
import { type Criterion, criteriaOf } from './criteria.ts'
import { type Opinion, isVerdictKind, opinionsOf } from './opinions.ts'

/** How one criterion stands in the present round. */
export interface Standing {
  readonly criterion: Criterion
  readonly verdict: StoryVerdict['verdict']
  /** Two agents differ, and nobody has decided between them. */
  readonly isDisputed: boolean
  /** A person or an arbiter has spoken: agents are not asked any more. */
  readonly isDecided: boolean
  readonly first?: Opinion | undefined
  readonly second?: Opinion | undefined
  /** The word that counts; absent while there is none. */
  readonly deciding?: Opinion | undefined
}

/**
 * How each criterion of a story stands, by its events of the present round alone. What a person says last counts before
 * everything else, then the arbiter's word, then what the agents agree about; a single opinion counts until the second
 * one differs. `unknown` is no verdict.
 *
 * This is the one place where events become verdicts (docs/evaluation.md).
 */
export function standingsOf({ spec, status }: Story, events: readonly StoryEvent[]): Standing[] {
  const opinions = opinionsOf(events, status?.evaluation ?? {})
  return criteriaOf(spec).map((criterion) => {
    const heard = opinions.filter((opinion) => opinion.criterion === criterion.text)
    return { criterion, ...weigh(heard) }
  })
}

function weigh(heard: readonly Opinion[]): Omit<Standing, 'criterion'> {
  const last = (voice: Opinion['voice']): Opinion | undefined => heard.findLast((opinion) => opinion.voice === voice)
  const decider = last('person') ?? last('arbiter')
  const [first, second] = [last('first'), last('second')]
  const isDecided = decider !== undefined
  const isDisputed = !isDecided && first !== undefined && second !== undefined && first.verdict !== second.verdict
  const deciding = decider ?? (isDisputed ? undefined : (second ?? first))
  return { first, second, deciding, isDecided, isDisputed, verdict: toVerdict(deciding) }
}

function toVerdict(opinion: Opinion | undefined): StoryVerdict['verdict'] {
  if (opinion === undefined || opinion.verdict === 'unknown') return 'pending'
  return opinion.verdict === 'pass' ? 'passed' : 'failed'
}

/** `status.evaluation` with the verdicts as criteria and events are now; undefined where nobody has evaluated yet. */
export function countEvaluation(story: Story, events: readonly StoryEvent[]): StoryEvaluation | undefined {
  const { evaluation } = story.status ?? {}
  const standings = standingsOf(story, events)
  const isEvaluated = evaluation !== undefined || standings.some(({ deciding }) => deciding !== undefined)
  return isEvaluated ? { ...evaluation, ...tally(standings) } : undefined
}

/**
 * The evaluation that a reader is shown: the operator writes what follows from an event a moment after the event, and whoever
 * reads both may hear of either first. The later one counts.
 */
export function latestEvaluation(story: Story, events: readonly StoryEvent[]): StoryEvaluation | undefined {
  const stored = story.status?.evaluation
  const latestEventAt = latest(events.flatMap(({ spec }) => (isVerdictKind(spec.kind) ? [spec.at] : [])))
  const latestStoredAt = latest((stored?.verdicts ?? []).flatMap(({ at }) => at ?? []))
  const isBehind = latestEventAt !== undefined && (latestStoredAt === undefined || latestEventAt >= latestStoredAt)
  return isBehind ? countEvaluation(story, events) : stored
}

function latest(instants: readonly string[]): number | undefined {
  return instants.length === 0 ? undefined : Math.max(...instants.map((at) => parseTimestamp(at).getTime()))
}

/** Longest comment and name that the schema takes. */
const MAX_COMMENT = 4096
const MAX_BY = 200

/** The counts of `status.evaluation`, and a verdict for each criterion in the story's order. */
export function tally(
  standings: readonly Standing[],
): Pick<StoryEvaluation, 'total' | 'passed' | 'failed' | 'pending' | 'verdicts'> {
  const count = (verdict: StoryVerdict['verdict']): number =>
    standings.filter((standing) => standing.verdict === verdict).length
  return {
    total: standings.length,
    passed: count('passed'),
    failed: count('failed'),
    pending: count('pending'),
    verdicts: standings.map(toStoryVerdict),
  }
}

function toStoryVerdict({ criterion, verdict, isDisputed, deciding }: Standing): StoryVerdict {
  const comment = isDisputed ? 'two agents differ' : (deciding?.evidence ?? '')
  return {
    criterion: clip(criterion.text, MAX_COMMENT),
    verdict,
    ...(comment === '' ? {} : { comment: clip(comment, MAX_COMMENT) }),
    ...(deciding === undefined ? {} : { at: deciding.at, by: clip(deciding.by, MAX_BY) }),
  }
}
