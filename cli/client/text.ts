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

/** Hours, minutes and seconds, as far as they tell something: `42s`, `7m05s`, `3h07m`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  if (minutes === 0) return `${seconds}s`
  return hours === 0 ? `${minutes}m${twoDigits(seconds % 60)}s` : `${hours}h${twoDigits(minutes % 60)}m`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

/** `512 B`, `3.4 KiB`, `12.0 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kibibytes = bytes / 1024
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`
}

const COLOR_OR_CHARACTER = /\p{Cc}\[[\d;]*m|[^]/gu

/** The first `width` characters of a line; its colours do not count, and end as they would have. */
export function cutLine(line: string, width: number): string {
  let left = width
  return line.replaceAll(COLOR_OR_CHARACTER, (part) => (part.length > 2 || left-- > 0 ? part : ''))
}

/** `1 file changed, +3 -0`. */
export function changesText(changes: { files: number; insertions: number; deletions: number }): string {
  const { files, insertions, deletions } = changes
  return `${files} ${files === 1 ? 'file' : 'files'} changed, +${insertions} -${deletions}`
}
