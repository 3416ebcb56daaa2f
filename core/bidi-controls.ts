/**
 * The characters that turn the direction of the text around them (Unicode, UAX #9), as the inside of a set in a regular
 * expression. A name with one of them can read as another name, on the board and in a terminal.
 */
export const BIDI_CONTROLS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

/** Name of the string format in REST schemas for what people read as a name; lib/validate.ts checks it. */
export const NAME_FORMAT = 'name'

/** Anything but blanks and what shows nothing, such as U+200B. The CRDs list the same characters in CEL. */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}]/u

const CONTROL = new RegExp(`[${BIDI_CONTROLS}]`, 'u')

/** What makes a text unfit to be read as a name, in words that go on after the field's name; undefined when nothing does. */
export function findNameProblem(text: string): string | undefined {
  if (/[\u2028\u2029]/.test(text)) return 'must be one line that is not blank'
  if (/\p{Cs}/u.test(text)) return 'must not hold half a character (a lone surrogate)'
  return text !== '' && !VISIBLE.test(text) ? 'must be one line that is not blank' : findDirectionProblem(text)
}

/**
 * What makes a text read as another one, in words that go on after the field's name; undefined when nothing does. The CRDs
 * have the same rule in CEL.
 */
export function findDirectionProblem(text: string): string | undefined {
  const found = CONTROL.exec(text)?.[0].codePointAt(0)
  if (found === undefined) return undefined
  const code = found.toString(16).toUpperCase().padStart(4, '0')
  return `must not contain characters that turn the direction of text (here U+${code})`
}
