import { BIDI_CONTROLS } from '../../core/bidi-controls.ts'
import { parseTimestamp } from '../../core/time.ts'
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

/** How long ago, as kubectl shows ages: `42s`, `7m`, `3h`, `12d`. */
export function ageOf(timestamp: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - parseTimestamp(timestamp).getTime()) / 1000))
  if (seconds < 120) return `${seconds}s`
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** `1 file changed, +3 -0`. */
export function changesText(changes: { files: number; insertions: number; deletions: number }): string {
  const { files, insertions, deletions } = changes
  return `${files} ${files === 1 ? 'file' : 'files'} changed, +${insertions} -${deletions}`
}
