/**
 * The JSON object in what an agent said last. Asked for nothing but JSON, models still put it into a code fence or a
 * sentence around it; so three readings are tried, the strictest first.
 */
import { isJsonObject, measureJson, parseJson } from '../json.ts'
import type { JsonObject } from '../json.ts'

/** Deeper than any of our forms: what is deeper is not worth the stack that reading it takes. */
const MAX_DEPTH = 32
/** More than any of our forms has; to say what is wrong with each of some millions would take all memory. */
const MAX_VALUES = 100_000

/** Fences that are tried, the last ones: an agent can write a million. */
const MAX_FENCES = 100

const FENCE = /^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm

/** @returns undefined when there is none: no object, or one nested more than 32 deep or of more than 100,000 values */
export function findJson(text: string): JsonObject | undefined {
  const fences = [...text.matchAll(FENCE)].slice(-MAX_FENCES)
  const fenced = fences.map(([, body = '']) => body).toReversed()
  const outermost = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, ...fenced, outermost]) {
    const { depth, values } = measureJson(candidate)
    const found = depth > MAX_DEPTH || values > MAX_VALUES ? undefined : parseJson(candidate)
    if (isJsonObject(found)) return found
  }
  return undefined
}
