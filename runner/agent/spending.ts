/** What a run of an agent's CLI costs: what the CLI reports, else the price of its tokens. */
import { priceOf, unkeptBudget } from '../../core/agent/prices.ts'
import type { Tokens } from '../../core/crd/types.ts'
import type { Spending } from '../../core/execution/spending.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { TranscriptFacts } from '../../core/transcript/transcript.ts'
import type { Adapter } from './adapter.ts'
import type { StepContext } from '../context.ts'
import { type Meter, startMeter } from './meter.ts'

/** Watches what one run uses. */
export interface SpendingWatch {
  /** What the session had used before this run. */
  readonly before: Tokens | undefined
  /** What a person should know before the run. */
  readonly notices: readonly string[]
  /** Checks whether the run is over its budget; undefined when the CLI checks that itself, or nobody can. */
  readonly makeCheck: (find: () => Readonly<TranscriptFacts> | undefined) => (() => Promise<boolean>) | undefined
  /** What the run cost in the end, and whether that is an estimate. */
  total(facts: Readonly<TranscriptFacts>): Promise<Spending & { readonly isEstimate: boolean }>
}

/** @param resumed the session that the run resumes */
export async function watchSpending(
  context: StepContext,
  adapter: Adapter,
  resumed: string | undefined,
): Promise<SpendingWatch> {
  const { agent, budgetUSD } = context.run
  const meter = adapter.sessions && (await startMeter(context, adapter.sessions, resumed))
  const { prices } = agent
  const isUnkept = budgetUSD !== undefined && meter !== undefined && prices === undefined
  return {
    before: meter?.before,
    notices: isUnkept ? [unkeptBudget(agent.name)] : [],
    makeCheck(find) {
      if (budgetUSD === undefined) return undefined
      if (adapter.isWatchedByCost === true) return async () => (find()?.costUSD ?? 0) > budgetUSD
      if (meter === undefined || prices === undefined) return undefined
      return async () => {
        const used = await meter.read(find()?.sessionId)
        return used !== undefined && priceOf(used, prices) > budgetUSD
      }
    },
    total: (facts) => totalSpending(context, adapter, meter, facts),
  }
}

async function totalSpending(
  { run }: StepContext,
  { estimate }: Adapter,
  meter: Meter | undefined,
  facts: Readonly<TranscriptFacts>,
): Promise<Spending & { readonly isEstimate: boolean }> {
  const { costUSD, turns, untold } = facts
  const tokens = facts.tokens ?? (await meter?.read(facts.sessionId))
  const unpriced = costUSD === undefined ? (untold ?? tokens) : untold
  const prices = run.agent.prices ?? estimate
  const added = unpriced === undefined || prices === undefined ? undefined : priceOf(unpriced, prices)
  const cost = added === undefined ? costUSD : (costUSD ?? 0) + added
  return {
    ...withoutAbsent({ costUSD: cost, tokens, turns }),
    isEstimate: added !== undefined && run.agent.prices === undefined,
  }
}
