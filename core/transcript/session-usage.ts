/**
 * What a session has used, as the CLI itself writes it down while it works. codex and gemini tell it on stdout only at
 * the end of a run, and codex then that of all runs of the session.
 */
import type { Tokens } from '../crd/types.ts'
import { isJsonObject, parseJson } from '../json.ts'
import { type Fields, countIn, fieldsIn, textIn } from './fields.ts'
import { addTokens, NO_TOKENS, subtractTokens } from './tokens.ts'

/** Reads the file of a session, line by line. */
export interface SessionUsage {
  read(line: string): void
  /** The whole session's tokens, as far as it was read; undefined while nothing was reported. */
  readonly tokens: Tokens | undefined
}

/** Reads `~/.codex/sessions/…/rollout-<time>-<session>.jsonl` (0.169.0): totals of the session after each answer. */
export function createCodexSessionUsage(): SessionUsage {
  let tokens: Tokens | undefined
  return {
    get tokens() {
      return tokens
    },
    read(line) {
      if (!line.includes('total_token_usage')) return
      const info = fieldsIn(fieldsIn(toFields(line), 'payload'), 'info')
      if (isJsonObject(info['total_token_usage'])) tokens = toCodexTokens(fieldsIn(info, 'total_token_usage'))
    },
  }
}

/** Tokens in the words of codex; its `input_tokens` count the cached ones too, ours, as claude's, do not. */
export function toCodexTokens(usage: Fields): Tokens {
  const cacheRead = countIn(usage, 'cached_input_tokens') ?? 0
  const input = Math.max(0, (countIn(usage, 'input_tokens') ?? 0) - cacheRead)
  return { input, output: countIn(usage, 'output_tokens') ?? 0, cacheRead, cacheWrite: 0 }
}

/** Reads `~/.gemini/tmp/<project>/chats/session-<time>-<session>.jsonl` (0.61.0): each answer, again whenever it grows. */
export function createGeminiSessionUsage(): SessionUsage {
  const answers = new Map<string, Tokens>()
  let tokens: Tokens | undefined
  return {
    get tokens() {
      return tokens
    },
    read(line) {
      if (!line.includes('"tokens"')) return
      const answer = toFields(line)
      const id = textIn(answer, 'id')
      if (id === undefined || !isJsonObject(answer['tokens'])) return
      const used = toGeminiTokens(fieldsIn(answer, 'tokens'))
      tokens = addTokens(tokens, subtractTokens(used, answers.get(id) ?? NO_TOKENS))
      answers.set(id, used)
    },
  }
}

/** What a model thinks is charged as what it says, and is in the total alone. */
function toGeminiTokens(usage: Fields): Tokens {
  const [read, cacheRead] = [countIn(usage, 'input') ?? 0, countIn(usage, 'cached') ?? 0]
  const output = Math.max(countIn(usage, 'output') ?? 0, (countIn(usage, 'total') ?? 0) - read)
  return { input: Math.max(0, read - cacheRead), output, cacheRead, cacheWrite: 0 }
}

function toFields(line: string): Fields {
  const value = parseJson(line)
  return isJsonObject(value) ? value : {}
}
