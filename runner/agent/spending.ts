/** What a run of an agent's CLI costs: by its own word, else by what its tokens cost. */
import { priceOf, unkeptBudget } from '../../core/agent/prices.ts'
import type { Tokens } from '../../core/crd/types.ts'
import type { Spending } from '../../core/execution/spending.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { TranscriptFacts } from '../../core/transcript/transcript.ts'
import type { Adapter } from './adapter.ts'
import type { StepContext } from '../context.ts'
import type { Meter } from './meter.ts'
import { startMeter } from './meter.ts'

/** Watches what one run uses. */
export interface SpendingWatch {
  /** What the session had used before this run. */
  readonly before: Tokens | undefined
  /** What the person is to know beforehand. */
  readonly notices: readonly string[]
  /** Tells whether more is spent than may be; absent where the CLI itself knows, or nobody does. */
  readonly makeCheck: (findSession: () => string | undefined) => (() => Promise<boolean>) | undefined
  /** What it has come to in the end, and whether that had to be estimated. */
  total(facts: Readonly<TranscriptFacts>): Promise<Spending & { readonly isEstimate: boolean }>
}

/** @param resumed the session that the run takes up */
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
    makeCheck(findSession) {
      if (budgetUSD === undefined || meter === undefined || prices === undefined) return undefined
      return async () => {
        const used = await meter.read(findSession())
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
