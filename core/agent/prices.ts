import type { Agent, AgentPrices, Task, Tokens } from '../crd/types.ts'
import { programOf } from './programs.ts'

const MILLION = 1_000_000

/** What tokens cost, in US dollars; those written to a cache as those read anew. */
export function priceOf({ input, output, cacheRead, cacheWrite }: Tokens, prices: AgentPrices): number {
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = prices
  return (
    ((input + cacheWrite) * inputPerMillion + output * outputPerMillion + cacheRead * cachedInputPerMillion) / MILLION
  )
}

/** Why the budget of a task cannot be kept by an agent, in words; undefined when it can, or there is none (specification §6.11). */
export function budgetNotKeptReason(task: Task, agent: Agent): string | undefined {
  const { adapter, prices } = agent.spec
  // Whether a program of adapter acp tells its cost, only its run shows.
  const program = programOf(adapter)
  if (task.spec.budgetUSD === undefined || program === undefined) return undefined
  if (program.tellsCost || prices !== undefined) return undefined
  return unkeptBudget(agent.metadata.name)
}

/** The warning, for whoever creates or runs the task, and in the conversation. */
export function unkeptBudget(agent: string): string {
  return `budget_usd cannot be kept: agent ${agent} tells no cost, and has no prices (spec.prices) to make one of its tokens`
}
