import type { Tokens } from '../crd/types.ts'
import { isJsonObject } from '../json.ts'
import { type Fields, countIn, fieldsIn } from './fields.ts'

/**
 * What a turn has used, by the answer to its prompt; undefined where the program does not tell. Not part of the protocol
 * yet: opencode and others say `usage`, gemini 0.61.0 has fields of its own.
 */
export function readTokens(result: Fields): Tokens | undefined {
  const quota = fieldsIn(fieldsIn(result, '_meta'), 'quota')
  return isJsonObject(result['usage']) ? fromUsage(result['usage']) : fromCount(fieldsIn(quota, 'token_count'))
}

function fromUsage(usage: Fields): Tokens | undefined {
  const [input, output] = [countIn(usage, 'inputTokens'), countIn(usage, 'outputTokens')]
  if (input === undefined || output === undefined) return undefined
  const [cacheRead = 0, cacheWrite = 0] = [countIn(usage, 'cachedReadTokens'), countIn(usage, 'cachedWriteTokens')]
  return { input, output: output + (countIn(usage, 'thoughtTokens') ?? 0), cacheRead, cacheWrite }
}

/** It does not say which of them came from a cache. */
function fromCount(count: Fields): Tokens | undefined {
  const [input, output] = [countIn(count, 'input_tokens'), countIn(count, 'output_tokens')]
  return input === undefined || output === undefined ? undefined : { input, output, cacheRead: 0, cacheWrite: 0 }
}
