import { type QueryChoice, chooseForQuery } from '../../core/agent/choose-for-query.ts'
import { notReadyReason } from '../../core/agent/readiness.ts'
import type { Agent, ChosenAgent, Project } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { isTerminal, isWork } from '../../core/execution/state.ts'
import type { PromptName } from '../../core/prompts/templates.ts'
import { SCRIPT_AGENT } from '../../core/task/agent-spec.ts'
import type { Scheduling } from '../../kube/scheduling.ts'
import { BadTemplate, renderPrompt } from '../../lib/prompts.ts'
import type { ApiContext } from '../context.ts'

/** What choosing an agent takes. */
export interface ChoiceContext extends ApiContext {
  readonly scheduling: Scheduling
}

/** Who is to answer what. */
export interface AgentWish {
  /** The question, for the agents' hints. */
  readonly words: string
  /** The one that is asked for; absent: the rules choose. */
  readonly named: string | undefined
  /** Whose image the agent runs in. */
  readonly project: Project | undefined
}

/**
 * The agent that is to answer a request, by the rules or by its name.
 *
 * @throws ApiError `unknown_reference`, `invalid_request` for one that runs scripts, `agent_unavailable` saying why of each agent
 */
export async function requireAgent(
  context: ChoiceContext,
  wish: AgentWish,
): Promise<ChosenAgent & { readonly type: string }> {
  const choice = await findAgent(context, wish)
  if (choice.kind === 'chosen') return choice.agent
  throw apiError('agent_unavailable', `no agent can answer now: ${choice.reasons.join('; ')}`, choice.retryAfterSeconds)
}

/** As {@link requireAgent}, with the choice of none as a value. @throws ApiError `unknown_reference`, `invalid_request` */
export async function findAgent(
  { caches, scheduling, clock }: ChoiceContext,
  { words, named, project }: AgentWish,
): Promise<QueryChoice> {
  if (named !== undefined) {
    const agent = await caches.agents.read(named)
    if (agent === undefined) throw apiError('unknown_reference', 'agent', 'agent', named)
    if (isScript(agent))
      throw apiError('invalid_request', `agent: ${named} runs scripts and answers nothing; name another`)
  }
  const open = caches.executions.list().filter((execution) => !isWork(execution) && !isTerminal(execution))
  const now = clock.now()
  const candidates = caches.agents.list().map((agent) => {
    const { name } = agent.metadata
    return {
      agent,
      now,
      holders: scheduling.holdersOf(name, now),
      queueLength: scheduling.queueLength(name),
      unavailable: notReadyReason(agent),
      projectImage: project?.spec.containerImage,
      unanswered: open.filter(({ spec }) => spec.agent === name).length,
    }
  })
  return chooseForQuery(words, candidates, named)
}

/**
 * What the agent is told, by its own template or Slipway's.
 *
 * @throws ApiError `agent_unavailable` for a template of the Agent that cannot be used
 */
export function formatPrompt({ caches }: ApiContext, agent: string, name: PromptName, data: object): string {
  try {
    return renderPrompt(name, data, caches.agents.find(agent)?.spec.prompts)
  } catch (error) {
    if (!(error instanceof BadTemplate)) throw error
    throw apiError('agent_unavailable', `agent ${agent}: ${error.message}`)
  }
}

function isScript({ spec }: Agent): boolean {
  return spec.adapter === SCRIPT_AGENT
}
