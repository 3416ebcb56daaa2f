/** What an execution has cost so far, from its record and from what the agent says meanwhile. Pure. */
import type { Execution } from '../../../core/rest/client/client.ts'
import type { Transcript } from '../../model/transcript.ts'

export interface Spending {
  readonly costUSD: number | undefined
  /** What the model was given, cached or not. */
  readonly tokensIn: number
  readonly tokensOut: number
  /** Share of `tokensIn` that came from the provider's cache, from 0 to 1. */
  readonly cached: number
  readonly turns: number | undefined
}

/** The record's numbers once it has them; while it runs, those of the conversation. */
export function spendingOf(execution: Execution, { usage }: Transcript): Spending {
  const { input = 0, output = 0, cache_read = 0, cache_write = 0 } = execution.tokens ?? usage?.tokens ?? {}
  const tokensIn = input + cache_read + cache_write
  return {
    costUSD: execution.cost_usd ?? usage?.cost_usd,
    tokensIn,
    tokensOut: output,
    cached: tokensIn === 0 ? 0 : cache_read / tokensIn,
    turns: execution.turns ?? usage?.turns,
  }
}
