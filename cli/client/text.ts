import { BIDI_CONTROLS } from '../../core/bidi-controls.ts'
import { trimEndOf } from '../../core/trim.ts'

// Control characters except tab and line feed, and characters that change the direction of text. An agent wrote much of
// the output, and could otherwise rewrite the screen or disguise a text.
const UNPRINTABLE = new RegExp(`(?![\\t\\n])[\\p{Cc}${BIDI_CONTROLS}]`, 'gu')

/** Removes characters that would control the terminal. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNPRINTABLE, '')
}

/** Replaces characters that would control the terminal by escapes, which JSON and double quotes of YAML read back. */
export function escaped(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Makes a printable text one line of at most `length` characters. */
export function oneLine(text: string, length: number): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`
}

/** Puts `by` before each line. */
export function indent(text: string, by: string): string {
  return trimEndOf(printable(text), '\n')
    .split('\n')
    .map((line) => `${by}${line}`.trimEnd())
    .join('\n')
}

const COLOR_OR_CHARACTER = /\p{Cc}\[[\d;]*m|[^]/gu

/** The first `width` characters of a line; its colours do not count, and end as they would have. */
export function cutLine(line: string, width: number): string {
  let left = width
  return line.replaceAll(COLOR_OR_CHARACTER, (part) => (part.length > 2 || left-- > 0 ? part : ''))
}
