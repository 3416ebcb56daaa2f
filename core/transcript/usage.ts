import { roundUSD } from '../money.ts'
import type { ConversationEvent } from './events.ts'
import { optionalField } from './fields.ts'
import type { TranscriptFacts } from './transcript.ts'

/** Tokens, cost and turns as far as they are known; none without tokens. */
export function usageEvents({ tokens, costUSD, turns }: TranscriptFacts): ConversationEvent[] {
  if (tokens === undefined) return []
  const { input, output, cacheRead, cacheWrite } = tokens
  const shown = { input, output, cache_read: cacheRead, cache_write: cacheWrite }
  return [
    {
      kind: 'usage',
      tokens: shown,
      ...optionalField('cost_usd', costUSD === undefined ? undefined : roundUSD(costUSD)),
      ...optionalField('turns', turns),
    },
  ]
}
