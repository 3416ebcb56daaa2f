export interface MarkedPart {
  readonly text: string
  readonly isMatch: boolean
}

/** Cuts a text at each place where `wanted` stands, in capitals or not; the parts joined are the text. */
export function splitMarked(text: string, wanted: string): readonly MarkedPart[] {
  if (wanted === '') return [{ text, isMatch: false }]
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu')
  const parts: MarkedPart[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMatch: false })
    parts.push({ text: match[0], isMatch: true })
    end = match.index + match[0].length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isMatch: false })
  return parts
}
