/**
 * Decides what comes next for a story in VALIDATING: ask an agent, wait, leave it to a person, or call it passed.
 *
 * A first agent evaluates every criterion; a second one looks again at those that the first fails; where the two differ an
 * arbiter decides. The verdicts are events (tally.ts reads them), the runs stand in the story's status: both have
 * derived names, so that each look at the same facts gives the same plan, and a crash between two writes is repaired by
 * the next look. What an earlier round left behind counts nowhere: its runs are dropped when the new one begins
 * (status.ts), its events carry another number.
 */
import { countOf } from '../sentences/amounts.ts'
import type { ConditionClaim } from '../conditions.ts'
import type {
  Agent,
  EvaluationRole,
  EvaluationRun,
  EvaluationSwitches,
  Story,
  StoryEvaluation,
  StoryEvent,
} from '../crd/types.ts'
import { withoutAbsent } from '../omit.ts'
import { WAITING } from '../sentences/waiting.ts'
import { parseTimestamp } from '../time.ts'
import { criteriaFor, wasAsked } from './evaluation-events.ts'
import { evaluationName } from './evaluation-names.ts'
import { type RunFacts, failuresOf, recordRuns, MAX_MESSAGE } from './evaluation-runs.ts'
import {
  formatNoEvaluatorMessage,
  formatNoRoundMessage,
  formatOpenCriteriaMessage,
  DECIDED_BY_PEOPLE,
  LEFT_TO_PEOPLE,
} from './evaluation-messages.ts'
import { type Evaluator, chooseEvaluator, nextEvaluatorAt } from './evaluators.ts'
import { isUnderEvaluation, storyStatus } from './status.ts'
import { type Standing, countEvaluation, standingsOf, tally } from './tally.ts'
import { clip } from '../text.ts'

/** Everything that an evaluation depends on. */
export interface EvaluationFacts {
  readonly now: Date
  /** With the status that follows from its tasks. */
  readonly story: Story
  /** The story's own, of all rounds. */
  readonly events: readonly StoryEvent[]
  readonly switches: EvaluationSwitches | undefined
  /** Why there is no branch to look at, in words; undefined when there is one. */
  readonly noBranch?: string | undefined
  /** Asked for only when somebody is to be asked, as the next. */
  readonly evaluators: () => readonly Evaluator[]
  /** Names of the agents that did the work. */
  readonly workers: () => ReadonlySet<string>
  /** How a run stands that has no outcome yet. */
  readonly look: (run: EvaluationRun) => RunFacts
}

/** An agent that is to be asked; made before it is noted, so that what is noted exists. */
export interface Asking {
  readonly execution: string
  readonly role: EvaluationRole
  readonly agent: Agent
  readonly standings: readonly Standing[]
}

/** What to write, in this order: events, execution, status. */
export interface EvaluationPlan {
  readonly events: readonly StoryEvent[]
  readonly asking?: Asking | undefined
  /** `status.evaluation`; absent where there is nothing to say. */
  readonly evaluation?: StoryEvaluation | undefined
  /** Every criterion holds: the story is to become REVIEW_READY. */
  readonly isPassed: boolean
  /** What the story's condition says instead of its status alone. */
  readonly claim?: ConditionClaim | undefined
  readonly lookAgainAt?: Date | undefined
}

/** Failed runs of one role in one round. */
const MAX_ATTEMPTS = 3

/** As many as the schema takes: who adds criteria for ever in one round is told that they have no verdict. */
const MAX_RUNS = 20

/** Source: docs/evaluation.md. */
export function planEvaluation(facts: EvaluationFacts): EvaluationPlan {
  const { story, events } = facts
  const { evaluation } = story.status ?? {}
  if (!isUnderEvaluation(story) || evaluation === undefined) {
    return { events: [], ...claimWithoutEvaluation(facts), evaluation: recount(story, events) }
  }
  const standings = standingsOf(story, events)
  const recorded = recordRuns({ ...facts, standings })
  const heard = standingsOf(story, [...events, ...recorded.events])
  const next = decideNext(facts, heard, recorded.runs)
  const runs = next.asking === undefined ? recorded.runs : [...recorded.runs, noteRun(next.asking)]
  const { followUp = evaluation.followUp } = recorded
  return {
    ...next,
    events: recorded.events,
    evaluation: {
      ...tally(heard),
      ...withoutAbsent({ round: evaluation.round, startedAt: evaluation.startedAt, followUp }),
      ...(runs.length === 0 ? {} : { runs }),
    },
  }
}

/** A story that only waits in VALIDATING must not look as if its evaluation went on. */
function claimWithoutEvaluation({ story, switches }: EvaluationFacts): Pick<EvaluationPlan, 'isPassed' | 'claim'> {
  if (storyStatus(story) !== 'VALIDATING') return { isPassed: false }
  return switches?.enabled === false
    ? SWITCHED_OFF
    : rest('NotEvaluated', formatNoRoundMessage(story.status?.movedFrom))
}

/** Outside an evaluation people's verdicts still show, and no run is open: whoever runs is cancelled. */
function recount(story: Story, events: readonly StoryEvent[]): StoryEvaluation | undefined {
  const evaluation = countEvaluation(story, events)
  if (evaluation === undefined) return undefined
  const { runs } = evaluation
  const message = clip('the story left VALIDATING', MAX_MESSAGE)
  const closed = runs?.map((run) =>
    run.outcome === undefined ? { ...run, outcome: 'Cancelled' as const, message } : run,
  )
  return { ...evaluation, ...(closed === undefined ? {} : { runs: closed }) }
}

type Next = Pick<EvaluationPlan, 'asking' | 'isPassed' | 'claim' | 'lookAgainAt'>

function decideNext(facts: EvaluationFacts, standings: readonly Standing[], runs: readonly EvaluationRun[]): Next {
  const { switches, story } = facts
  if (switches?.enabled === false) return SWITCHED_OFF
  if (standings.length === 0) {
    return rest('NothingToEvaluate', `the story has no acceptance criteria and no success criteria: ${LEFT_TO_PEOPLE}`)
  }
  if (standings.every(({ verdict }) => verdict === 'passed')) return { isPassed: true }
  const running = runs.find(({ outcome }) => outcome === undefined)
  if (running !== undefined) return rest('Evaluating', formatRunMessage(running, standings))
  const { total, done } = story.status?.tasks ?? { total: 0, done: 0 }
  if (done < total) return rest('WorkUnfinished', `${total - done} of ${total} tasks are unfinished: ${LEFT_TO_PEOPLE}`)
  const cancelled = runs.find(({ outcome }) => outcome === 'Cancelled')
  if (cancelled !== undefined) return rest('EvaluationCancelled', `${cancelled.message ?? ''}: ${LEFT_TO_PEOPLE}`)
  const role = nextRole(standings, runs, switches?.arbitration !== false)
  if (role === undefined || runs.length >= MAX_RUNS) return rest('CriteriaOpen', formatOpenCriteriaMessage(standings))
  if (facts.noBranch !== undefined) return rest('NoBranch', `${facts.noBranch}: ${LEFT_TO_PEOPLE}`)
  return ask(facts, role, standings, runs)
}

/**
 * Who has to be heard next. A role that has answered is asked again in its round only about what it was not asked: a
 * criterion that somebody added meanwhile.
 */
function nextRole(
  standings: readonly Standing[],
  runs: readonly EvaluationRun[],
  mayArbitrate: boolean,
): EvaluationRole | undefined {
  const isOpen = (role: EvaluationRole): boolean => unheard(role, standings, runs).length > 0
  if (isOpen('First')) return 'First'
  if (!mayArbitrate) return undefined
  return (['Second', 'Arbiter'] as const).find(isOpen)
}

function unheard(role: EvaluationRole, standings: readonly Standing[], runs: readonly EvaluationRun[]): Standing[] {
  const heard = runs.filter((run) => run.role === role && run.outcome === 'Answered')
  return criteriaFor(role, standings).filter((standing) => !heard.some((run) => wasAsked(run, standing)))
}

function ask(
  facts: EvaluationFacts,
  role: EvaluationRole,
  standings: readonly Standing[],
  runs: readonly EvaluationRun[],
): Next {
  const { now, story } = facts
  const [evaluators, workers] = [facts.evaluators(), facts.workers()]
  const failures = failuresOf(runs, role)
  if (failures.length >= MAX_ATTEMPTS) {
    const failed = `the evaluation failed ${failures.length} times, at last with: ${failures.at(-1)?.message ?? ''}`
    return rest('EvaluationFailed', `${failed}; ${LEFT_TO_PEOPLE}`)
  }
  const evaluated = new Set(runs.filter(({ outcome }) => outcome === 'Answered').map((run) => run.agent))
  const resting = failures.filter(({ retryAfter }) => retryAfter !== undefined && parseTimestamp(retryAfter) > now)
  const rested = evaluators.filter(({ agent }) => !resting.some((run) => run.agent === agent.metadata.name))
  const agent = chooseEvaluator(role, rested, { workers, evaluated }, now)
  if (agent === undefined) return waitForEvaluator(evaluators, now, resting)
  const { round = 1 } = story.status?.evaluation ?? {}
  const asked = runs.filter((run) => run.role === role).length
  const execution = evaluationName(story, round, role, asked + 1)
  const asking = { execution, role, agent, standings: unheard(role, standings, runs) }
  return { ...rest('Evaluating', formatRunMessage(noteRun(asking), standings)), asking }
}

/** Who failed rests a while, or until its limit is over; meanwhile another agent is asked, where there is one. */
function waitForEvaluator(evaluators: readonly Evaluator[], now: Date, resting: readonly EvaluationRun[]): Next {
  const dueAt = resting.flatMap(({ retryAfter }) => retryAfter ?? []).sort()[0]
  const openAt = [dueAt, nextEvaluatorAt(evaluators, now)].filter((at) => at !== undefined).sort()[0]
  const message = `the evaluation failed and is ${WAITING.retry(dueAt ?? '')}: ${resting.at(-1)?.message ?? ''}`
  const waiting =
    dueAt === undefined
      ? rest('NoEvaluator', formatNoEvaluatorMessage(evaluators, now))
      : rest('EvaluationRetry', message)
  return openAt === undefined ? waiting : { ...waiting, lookAgainAt: parseTimestamp(openAt) }
}

function noteRun({ execution, role, agent, standings }: Asking): EvaluationRun {
  return { execution, role, agent: agent.metadata.name, criteria: standings.map(({ criterion }) => criterion.id) }
}

function formatRunMessage({ role, agent, criteria: asked }: EvaluationRun, standings: readonly Standing[]): string {
  const count = asked?.length ?? criteriaFor(role, standings).length
  const criteria = countOf(count, 'criterion', 'criteria')
  switch (role) {
    case 'First':
      return `agent ${agent} evaluates ${criteria}`
    case 'Second':
      return `agent ${agent} gives a second opinion on ${criteria}`
    case 'Arbiter':
      return `agent ${agent} decides on ${criteria}`
    default:
      return role satisfies never
  }
}

const SWITCHED_OFF = rest('EvaluationOff', `evaluation is switched off for this project: ${DECIDED_BY_PEOPLE}`)

/** `EvaluationOff` is how somebody wants it; everything else keeps the story from being ready. */
function rest(reason: string, message: string): Next {
  const status = reason === 'EvaluationOff' ? 'True' : 'False'
  return { isPassed: false, claim: { type: 'Ready', status, reason, message } }
}
