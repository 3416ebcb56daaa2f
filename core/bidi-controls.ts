/**
 * The characters that turn the direction of the text around them (Unicode, UAX #9), as the inside of a set in a regular
 * expression. A name with one of them can read as another name, on the board and in a terminal.
 */
export const BIDI_CONTROLS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

/** Name of the string format in REST schemas for what people read as a name; lib/validate.ts checks it. */
export const NAME_FORMAT = 'name'

const CONTROL = new RegExp(`[${BIDI_CONTROLS}]`, 'u')

/**
 * What makes a text unfit to be read as a name, in words that go on after the field's name; undefined when nothing does.
 * The CRDs have the same rule in CEL.
 */
export function findNameProblem(text: string): string | undefined {
  const found = CONTROL.exec(text)?.[0].codePointAt(0)
  if (found === undefined) return undefined
  const code = found.toString(16).toUpperCase().padStart(4, '0')
  return `must not contain characters that turn the direction of text (here U+${code})`
}
