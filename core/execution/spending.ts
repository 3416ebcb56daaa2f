import { withoutAbsent } from '../omit.ts'
import { addTokens } from '../transcript/tokens.ts'
import type { AgentOutcome } from './result.ts'

/** What an agent used, as far as it is known. */
export type Spending = Pick<AgentOutcome, 'costUSD' | 'tokens' | 'turns'>

/** What two runs used together; what is known of one alone counts. */
export function addSpending(a: Spending, b: Spending): Spending {
  return withoutAbsent({
    costUSD: sum(a.costUSD, b.costUSD),
    turns: sum(a.turns, b.turns),
    tokens: b.tokens === undefined ? a.tokens : addTokens(a.tokens, b.tokens),
  })
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b
}
