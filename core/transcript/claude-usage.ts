import type { Tokens } from '../crd/types.ts'
import { isJsonObject } from '../json.ts'
import { type Fields, amountIn, countIn, fieldsIn } from './fields.ts'
import { addTokens, combine, NO_TOKENS, subtractTokens } from './tokens.ts'
import type { TranscriptFacts } from './transcript.ts'

/** What a run of Claude Code uses, kept in the facts: counted by its messages, and then as its own result tells it. */
export interface ClaudeUsage {
  /** Counts one message of the provider, which is reported several times and grows. */
  count(message: string, usage: Fields): void
  /** At the end of a turn; there are several where something in the background goes on. */
  addResult(result: Fields): void
}

/** For how many messages the count is remembered: more than all subagents report at the same time. */
const OPEN_MESSAGES = 100

export function createClaudeUsage(facts: TranscriptFacts): ClaudeUsage {
  const open = new Map<string, Tokens>()
  let reported: Tokens | undefined
  return {
    count(message, usage) {
      const tokens = toTokens(usage)
      if (tokens === undefined) return
      const before = open.get(message) ?? NO_TOKENS
      const grown = combine(before, tokens, Math.max)
      open.set(message, grown)
      const [oldest] = open.keys()
      if (open.size > OPEN_MESSAGES && oldest !== undefined) open.delete(oldest)
      facts.untold = addTokens(facts.untold, subtractTokens(grown, before))
      facts.tokens = addTokens(reported, facts.untold)
    },
    addResult(result) {
      const account = readAccount(result)
      const counted = facts.tokens ?? NO_TOKENS
      open.clear()
      delete facts.untold
      reported = account.isSoFar ? addTokens(reported, account.tokens) : account.tokens
      facts.tokens = combine(reported, counted, Math.max)
      // An answer that was broken off is charged, and some versions report nothing of it.
      const missing = subtractTokens(facts.tokens, reported)
      if (result['is_error'] !== false && missing.input + missing.output > 0) facts.untold = missing
      else facts.tokens = reported
      if (account.costUSD === undefined) return
      facts.costUSD = (account.isSoFar ? (facts.costUSD ?? 0) : 0) + account.costUSD
    },
  }
}

interface Account {
  readonly tokens: Tokens
  readonly costUSD: number | undefined
  /** It is of what came after the result before; else of the whole run. */
  readonly isSoFar: boolean
}

/**
 * In a session that was resumed 2.1.329 tells the cost of the whole session as `total_cost_usd` and `modelUsage`, and
 * what this run added as `model_usage_since_last_result`; 2.1.197 knows this run alone. `usage` is without subagents,
 * and zero after an answer that broke off or a budget that is spent.
 */
function readAccount(result: Fields): Account {
  const since = result['model_usage_since_last_result']
  if (isJsonObject(since)) return { ...sumModels(since), isSoFar: true }
  const models = fieldsIn(result, 'modelUsage')
  const { tokens } = sumModels(models)
  const used = Object.keys(models).length > 0 ? tokens : (toTokens(fieldsIn(result, 'usage')) ?? NO_TOKENS)
  return { tokens: used, costUSD: amountIn(result, 'total_cost_usd'), isSoFar: false }
}

function sumModels(models: Fields): { tokens: Tokens; costUSD: number } {
  const all = Object.values(models).filter(isJsonObject)
  const tokens = all.map((model) => ({
    input: countIn(model, 'inputTokens') ?? 0,
    output: countIn(model, 'outputTokens') ?? 0,
    cacheRead: countIn(model, 'cacheReadInputTokens') ?? 0,
    cacheWrite: countIn(model, 'cacheCreationInputTokens') ?? 0,
  }))
  const costs = all.map((model) => amountIn(model, 'costUSD') ?? 0)
  return { tokens: tokens.reduce(addTokens, NO_TOKENS), costUSD: costs.reduce((sum, cost) => sum + cost, 0) }
}

/** In the words of the Messages API. */
function toTokens(usage: Fields): Tokens | undefined {
  const [input, output] = [countIn(usage, 'input_tokens'), countIn(usage, 'output_tokens')]
  if (input === undefined && output === undefined) return undefined
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: countIn(usage, 'cache_read_input_tokens') ?? 0,
    cacheWrite: countIn(usage, 'cache_creation_input_tokens') ?? 0,
  }
}
