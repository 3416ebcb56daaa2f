/**
 * Suggestions: what a line is to be replaced with, written as a block in a comment on it, as on GitHub.
 *
 *     ```suggestion
 *     const limit = 5
 *     ```
 */

/** A part of a comment: words, or the lines that take the place of the line; none deletes it. */
export type CommentPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'suggestion'; readonly lines: readonly string[] }

/** The parts of a comment in their order; a block that is not closed is words. */
export function splitSuggestions(comment: string): readonly CommentPart[] {
  const parts: CommentPart[] = []
  let words: string[] = []
  const endWords = (): void => {
    const text = words.join('\n').trim()
    if (text !== '') parts.push({ kind: 'text', text })
    words = []
  }
  const lines = comment.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = /^(`{3,})suggestion\s*$/.exec(line)?.[1]
    const end = fence === undefined ? -1 : lines.findIndex((other, i) => i > at && isClosing(other, fence))
    if (end === -1) {
      words.push(line)
      continue
    }
    endWords()
    parts.push({ kind: 'suggestion', lines: lines.slice(at + 1, end) })
    at = end
  }
  endWords()
  return parts
}

function isClosing(line: string, fence: string): boolean {
  const [, found = ''] = /^(`{3,})\s*$/.exec(line) ?? []
  return found.length >= fence.length
}

/** A block that suggests what the line has now, to be changed. */
export function toSuggestion(line: string): string {
  return block([line], 'suggestion')
}

/**
 * An edit for the agent, word for word.
 *
 * @param code what the line has; the file may have moved on since, and then that is what is to be found
 */
export function toEdit(
  { file, line, code }: { readonly file: string; readonly line: number; readonly code?: string | undefined },
  lines: readonly string[],
): string {
  const what = `line ${line} of ${file}`
  const whole = code === undefined ? what : `this, ${what},\n${block([code])}\n`
  if (lines.length === 0) return code === undefined ? `Delete ${what}.` : `Delete ${whole.trimEnd()}`
  return `Replace ${whole}${code === undefined ? ' ' : ''}with exactly this:\n${block(lines)}`
}

/** Fenced with more backticks than the lines have in a row. */
function block(lines: readonly string[], name = ''): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length)
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run + 1)))
  return [`${fence}${name}`, ...lines, fence].join('\n')
}
