/**
 * The JSON object in what an agent said last. Asked for nothing but JSON, models still put it into a code fence or a
 * sentence around it; so three readings are tried, the strictest first.
 */
import { isJsonObject, nestingDepth, parseJson } from '../json.ts'
import type { JsonObject } from '../json.ts'

/** Deeper than any of our forms: what is deeper is not worth the stack that reading it takes. */
const MAX_DEPTH = 32

const FENCE = /^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm

/** @returns undefined when there is none: no object, or one nested more than 32 deep */
export function findJson(text: string): JsonObject | undefined {
  const fenced = [...text.matchAll(FENCE)].map(([, body = '']) => body).toReversed()
  const outermost = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, ...fenced, outermost]) {
    const found = nestingDepth(candidate) > MAX_DEPTH ? undefined : parseJson(candidate)
    if (isJsonObject(found)) return found
  }
  return undefined
}
