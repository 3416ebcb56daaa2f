/** Texts of agents as they can be shown: nothing in them is invisible, and a link is one only to http or https. */
import { BIDI_CONTROLS } from '../../core/bidi-controls.ts'

const UNSEEN = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${BIDI_CONTROLS}]`, 'gu')
const FIRST_PICTURE = 0x2400
const PICTURE_OF_DELETE = '\u2421'

/**
 * The same text with a visible sign for each control character but tab and line feed, and for each character that turns
 * the direction of text (core/bidi-controls.ts).
 */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return String.fromCodePoint(FIRST_PICTURE + code)
    return code === 0x7f ? PICTURE_OF_DELETE : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

/** The address if a link to it is safe: absolute, http or https. */
export function findSafeHref(url: string): string | undefined {
  return /^https?:\/\/[^/]/i.test(url) && URL.canParse(url) ? url : undefined
}

/** A part of a text; with `href` it is an address in it. */
export interface TextPart {
  readonly text: string
  readonly href?: string
}

const ADDRESS = /https?:\/\/[^\s<>"'`\u{2500}-\u{257f}]+/giu
/** What stands behind an address and belongs to the sentence. */
const TRAILING = '.,;:!?)]}'

/** Cuts a text at the addresses in it; the parts joined are the text. */
export function splitAddresses(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutTrailing(match[0])
    const href = findSafeHref(address)
    if (href === undefined) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index) })
    parts.push({ text: address, href })
    end = match.index + address.length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) })
  return parts
}

/** From the end, and not by a regular expression, which takes the square of what a hostile text repeats. */
function withoutTrailing(address: string): string {
  let end = address.length
  while (end > 0 && TRAILING.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}
