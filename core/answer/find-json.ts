/**
 * The JSON object in what an agent said last. Asked for nothing but JSON, models still put it into a code fence or a
 * sentence around it; so three readings are tried, the strictest first.
 */
import { type JsonObject, isJsonObject, parseBounded } from '../json.ts'

/** Fences that are tried, the last ones: an agent can write a million. */
const MAX_FENCES = 100

const FENCE = /^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm

/** @returns undefined when there is none: no object, or one beyond {@link ANSWER_BOUNDS} */
export function findJson(text: string): JsonObject | undefined {
  const fences = [...text.matchAll(FENCE)].slice(-MAX_FENCES)
  const fenced = fences.map(([, body = '']) => body).toReversed()
  const outermost = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  for (const candidate of [text, ...fenced, outermost]) {
    const found = parseBounded(candidate)
    if (isJsonObject(found)) return found
  }
  return undefined
}
