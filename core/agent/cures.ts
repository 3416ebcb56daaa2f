/** Why something waits, together with what a person can type against it. Source: specification §8.9. */
import type { Agent } from '../crd/types.ts'
import { WAITING } from '../sentences/waiting.ts'
import type { OpenDependency } from '../task/dependencies.ts'
import { findNextState } from '../task/transitions.ts'
import { DECISION_TYPED, TYPED_AGENTS, typedUndrain } from '../typed-commands.ts'
import { isOffered } from './classify.ts'
import { notReadyReason } from './readiness.ts'
import { closedReason } from './schedule.ts'

/** Why an agent takes no work now, and how it takes some again; undefined when it does. */
export function closedReasonWithCure(agent: Agent, now: Date): string | undefined {
  const reason = closedReason(agent, now)
  if (reason === undefined) return undefined
  const effect = agent.status?.drained === undefined ? 'tries it at once' : 'lets it work again'
  return `${reason}; ${typedUndrain(agent.metadata.name)} ${effect}`
}

/** How the dependencies that do not move by themselves are started; empty when all of them move. */
export function startCure(open: readonly OpenDependency[]): string {
  const commands = open.flatMap(({ name, state }) =>
    state !== undefined && state !== 'BLOCKED' && findNextState(state, 'run') !== undefined
      ? [DECISION_TYPED.run(name)]
      : [],
  )
  const [first, ...others] = commands
  if (first === undefined) return ''
  return `; start it: ${first}${others.length === 0 ? '' : ` (and ${others.length} more)`}`
}

/** As the operator stores it: it does not change with each agent, because many tasks may say it. */
export const NO_AGENT_SUMMARY = `${WAITING.noAgent}; ${TYPED_AGENTS} says what each one lacks`

/** How many agents a text describes. */
const MAX_DESCRIBED = 3

/** Why none of the agents that rules may choose can be chosen, with what each one lacks. */
export function formatNoAgentMessage(agents: Iterable<Agent>, now: Date): string {
  const lacks = Array.from(agents)
    .filter(isOffered)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    .flatMap((agent) => {
      const reason = closedReasonWithCure(agent, now) ?? notReadyReason(agent)
      return reason === undefined ? [] : [sentenceAbout(agent, reason)]
    })
  if (lacks.length === 0) return NO_AGENT_SUMMARY
  const more = lacks.length > MAX_DESCRIBED ? [`${lacks.length - MAX_DESCRIBED} more: ${TYPED_AGENTS}`] : []
  return [WAITING.noAgent, ...lacks.slice(0, MAX_DESCRIBED), ...more].join('. ')
}

function sentenceAbout({ metadata: { name } }: Agent, reason: string): string {
  const start = `agent ${name}`
  return reason.startsWith(start) ? `A${reason.slice(1)}` : `Agent ${name}: ${reason}`
}
