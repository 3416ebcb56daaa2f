/** A line of a file in parts, so that nothing in it is unseen: tabs, carriage returns, controls, turned text. */
import { BIDI_CONTROLS } from '../../../core/bidi-controls.ts'
import type { Token, TokenKind } from './syntax.ts'
import type { Range } from './words.ts'

export type TextPart =
  | { readonly kind: 'text'; readonly text: string; readonly isMarked: boolean; readonly token?: TokenKind }
  | { readonly kind: 'tab'; readonly isMarked: boolean }
  /** A character without a shape of its own; `name` stands in its place. */
  | { readonly kind: 'control'; readonly name: string; readonly isMarked: boolean }

/** C0 and C1 controls, what turns or joins text, spaces without width, and halves of characters. */
const UNSEEN = new RegExp(
  `[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200d\\u2028\\u2029\\u2060-\\u2064\\ufeff${BIDI_CONTROLS}]|[\\ud800-\\udfff](?![\\udc00-\\udfff])`,
  'g',
)
const SHORT: Readonly<Record<number, string>> = { 13: 'CR', 27: 'ESC', 0: 'NUL', 8: 'BS', 12: 'FF' }

/**
 * @param marks ranges to be marked, in order
 * @param tokens ranges in a colour, in order
 */
export function toParts(text: string, marks: readonly Range[], tokens: readonly Token[] = []): readonly TextPart[] {
  const parts: TextPart[] = []
  const add = (start: number, end: number, isMarked: boolean): void => {
    let position = start
    for (const token of tokens) {
      if (token.end <= position || token.start >= end) continue
      addParts(parts, text.slice(position, Math.max(position, token.start)), isMarked)
      addParts(parts, text.slice(Math.max(position, token.start), Math.min(end, token.end)), isMarked, token.kind)
      position = Math.min(end, token.end)
    }
    addParts(parts, text.slice(position, end), isMarked)
  }
  let position = 0
  for (const [start, end] of marks) {
    add(position, start, false)
    add(start, end, true)
    position = end
  }
  add(position, text.length, false)
  return parts
}

function addParts(parts: TextPart[], text: string, isMarked: boolean, token?: TokenKind): void {
  let position = 0
  const colour = token === undefined ? {} : { token }
  const addText = (end: number): void => {
    if (end > position) parts.push({ kind: 'text', text: text.slice(position, end), isMarked, ...colour })
  }
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    // With /g and without /u the two halves of one character are looked at apart.
    if (isSecondHalf(text, index)) continue
    addText(index)
    position = index + character.length
    parts.push(character === '\t' ? { kind: 'tab', isMarked } : { kind: 'control', name: nameOf(character), isMarked })
  }
  addText(text.length)
}

function isSecondHalf(text: string, index: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(index)) && /[\ud800-\udbff]/.test(text.charAt(index - 1))
}

function nameOf(character: string): string {
  const code = character.charCodeAt(0)
  return SHORT[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
