import { notReadyReason } from '../agent/readiness.ts'
import { limitedUntil, closedReason } from '../agent/schedule.ts'
import type { Agent, EvaluationRole } from '../crd/types.ts'
import { SCRIPT_AGENT } from '../task/agent-spec.ts'
import { compareTexts } from '../text.ts'

/** An agent of the story's namespace, and why it cannot run here, if so. */
export interface Evaluator {
  readonly agent: Agent
  readonly unavailable?: string | undefined
}

/** Who has already had a part in what is to be evaluated, by names of agents. */
export interface Involved {
  /** Did the work. */
  readonly workers: ReadonlySet<string>
  /** Gave a verdict in this round. */
  readonly evaluated: ReadonlySet<string>
}

/** Why an agent cannot be asked now, in words; undefined when it can. Scripts evaluate nothing. */
export function cannotEvaluateReason({ agent, unavailable }: Evaluator, now: Date): string | undefined {
  const { name } = agent.metadata
  if (agent.spec.adapter === SCRIPT_AGENT) return `agent ${name} runs scripts only`
  if (agent.spec.classifier?.enabled === false) return `agent ${name} is used only by who names it`
  return unavailable ?? notReadyReason(agent) ?? closedReason(agent, now)
}

/**
 * The agent that is asked. For the first opinion first of all one that did not do the work; for the second opinion and for
 * the arbiter first of all one that has given no verdict, so that none judges its own. The other of the two decides between equals, then
 * the name. An agent is better than none: the same one is asked in a session that knows nothing of the work.
 *
 * Source: docs/evaluation.md.
 */
export function chooseEvaluator(
  role: EvaluationRole,
  evaluators: readonly Evaluator[],
  { workers, evaluated }: Involved,
  now: Date,
): Agent | undefined {
  const isNew = ({ metadata: { name } }: Agent): readonly boolean[] =>
    role === 'First' ? [!workers.has(name), !evaluated.has(name)] : [!evaluated.has(name), !workers.has(name)]
  const open = evaluators.filter((evaluator) => cannotEvaluateReason(evaluator, now) === undefined)
  return open
    .map(({ agent }) => agent)
    .sort((a, b) => compare(isNew(a), isNew(b)) || compareTexts(a.metadata.name, b.metadata.name))[0]
}

function compare(a: readonly boolean[], b: readonly boolean[]): number {
  return a.reduce((found, value, at) => found || Number(b[at]) - Number(value), 0)
}

/** When the first of the agents that are only limited can be asked again; undefined when none is. */
export function nextEvaluatorAt(evaluators: readonly Evaluator[], now: Date): string | undefined {
  const limits = evaluators.flatMap(({ agent, unavailable }) =>
    unavailable === undefined && agent.status?.drained === undefined ? (limitedUntil(agent, now) ?? []) : [],
  )
  return limits.sort()[0]
}
