/** Comments on lines of a diff as a draft keeps them: pure. */
import { asRecord, parseJson } from '../../core/json.ts'
import type { LineComment } from './review.ts'

/** The comments of a draft; what is none is left out. */
export function parseComments(draft: string): readonly LineComment[] {
  const value = parseJson(draft)
  if (!Array.isArray(value)) return []
  return value.flatMap((entry): LineComment[] => {
    const { file, side, line, text, code, execution } = asRecord(entry)
    const isWhole = typeof file === 'string' && typeof line === 'number' && typeof text === 'string'
    if (!isWhole || (side !== 'old' && side !== 'new')) return []
    const known = {
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof execution === 'string' ? { execution } : {}),
    }
    return [{ file, side, line, text, ...known }]
  })
}

/** The draft of comments; "" where there are none. */
export function printComments(comments: readonly LineComment[]): string {
  return comments.length === 0 ? '' : JSON.stringify(comments)
}
