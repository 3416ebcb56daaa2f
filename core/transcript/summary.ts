import { clip } from '../text.ts'
import { RESULT_LIMITS } from '../execution/result-limits.ts'

/** Longest summary kept with an execution, in UTF-16 units; the whole text stays in the summary file. */
export const SUMMARY_LENGTH = RESULT_LIMITS.summaryLength

const HEADING = /^## +Summary[ \t]*\r?$/gim
const NEXT_HEADING = /^#{1,2} /m

/** Text of the last `## Summary` section of an agent's output, up to the next heading of its rank; trimmed. */
export function findSummary(output: string): string | undefined {
  const last = [...output.matchAll(HEADING)].at(-1)
  if (last === undefined) return undefined
  const rest = output.slice(last.index + last[0].length)
  const end = rest.search(NEXT_HEADING)
  const text = (end === -1 ? rest : rest.slice(0, end)).trim()
  return text === '' ? undefined : clip(text, SUMMARY_LENGTH)
}
