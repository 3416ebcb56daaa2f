import type { Evaluation } from '../answer/evaluation.ts'
import type { EvaluationRole, EvaluationRun, Story, StoryEvent } from '../crd/types.ts'
import { toTimestamp } from '../time.ts'
import { criterionEventName } from './evaluation-names.ts'
import { makeStoryEvent } from './events.ts'
import type { ArbitrationPayload, Opinion, OpinionVerdict, VerdictPayload } from './opinions.ts'
import type { Standing } from './tally.ts'

/** What events are made of. */
export interface AnsweredRun {
  readonly story: Story
  readonly round: number
  readonly run: EvaluationRun
  readonly answer: Evaluation
  readonly standings: readonly Standing[]
  /** Names of the agents that did the work. */
  readonly workers: ReadonlySet<string>
  readonly now: Date
}

/** The criteria that a role is asked about: the first all that nobody has decided, the others what is open to them. */
export function criteriaFor(role: EvaluationRole, standings: readonly Standing[]): Standing[] {
  const undecided = standings.filter(({ isDecided }) => !isDecided)
  switch (role) {
    case 'First':
      return undecided
    case 'Second':
      return undecided.filter(({ first }) => first?.verdict === 'fail')
    case 'Arbiter':
      return undecided.filter(({ isDisputed }) => isDisputed)
    default:
      return role satisfies never
  }
}

/** Whether a run is about a criterion; one that was noted before runs said so is about all of its role. */
export function wasAsked({ criteria }: EvaluationRun, { criterion }: Standing): boolean {
  return criteria?.includes(criterion.id) ?? true
}

/**
 * The events that an answer becomes: one for each criterion that was asked about, also for those that the agent said
 * nothing about, and none for what was not asked.
 */
export function eventsOfAnswer(answered: AnsweredRun): StoryEvent[] {
  const { story, round, run, standings, now } = answered
  const asked = criteriaFor(run.role, standings).filter((standing) => wasAsked(run, standing))
  return asked.map((standing) =>
    makeStoryEvent(story, criterionEventName(story, round, run.role, standing.criterion.id), {
      ...(run.role === 'Arbiter'
        ? { kind: 'arbitration_decided', payload: { ...decisionOn(standing, answered) } }
        : { kind: 'eval_verdict', payload: { ...verdictOf(standing, answered) } }),
      at: toTimestamp(now),
      by: run.agent,
    }),
  )
}

function verdictOf({ criterion }: Standing, { run, round, answer, workers }: AnsweredRun): VerdictPayload {
  return {
    criterion: criterion.text,
    ...find(answer, criterion.id),
    agent: run.agent,
    execution: run.execution,
    round,
    opinion: run.role === 'Second' ? 'second' : 'first',
    did_the_work: workers.has(run.agent),
  }
}

function decisionOn({ criterion, first, second }: Standing, { run, round, answer }: AnsweredRun): ArbitrationPayload {
  const { verdict, evidence } = find(answer, criterion.id)
  const verdicts = [first, second].flatMap((opinion) => (opinion === undefined ? [] : [toWord(opinion)]))
  const said = { criterion: criterion.text, verdicts, decided: verdict, by: run.agent, reason: evidence }
  return { ...said, execution: run.execution, round }
}

function toWord({ by, verdict, evidence }: Opinion): ArbitrationPayload['verdicts'][number] {
  return { agent: by, verdict, evidence }
}

/** Who contradicts itself, or says nothing, cannot tell. */
function find({ verdicts }: Evaluation, id: string): { verdict: OpinionVerdict; evidence: string } {
  const [found, ...more] = verdicts.filter(({ criterion }) => criterion === id)
  if (found === undefined) return { verdict: 'unknown', evidence: 'the agent gave no verdict' }
  if (more.some(({ verdict }) => verdict !== found.verdict)) {
    return { verdict: 'unknown', evidence: 'the agent gave verdicts that contradict one another' }
  }
  return { verdict: found.verdict, evidence: found.evidence }
}
