/** Colours of terminals (ECMA-48, SGR) over several lines: a line begins with what the lines before it have set. */

/** Written out in each pattern: the linter wants no control characters in them. */
const ESCAPE = String.raw`\u001b`
const SGR = new RegExp(String.raw`${ESCAPE}\[([\d;]*)m`, 'g')
/** Operating system commands, such as titles and links (OSC 8), and choices of character sets: they draw nothing. */
const UNDRAWN = new RegExp(
  String.raw`${ESCAPE}\][^\u0007\u001b]*(?:\u0007|${ESCAPE}\\)|${ESCAPE}[()][A-Z0-9]|${ESCAPE}[=>78cM]`,
  'g',
)
/** More than any program sets at a time; what is longer is somebody's attempt to fill the memory. */
const MAX_CARRIED = 200

/**
 * What is set behind a line, as the sequences that set it.
 *
 * @param carried what was set before it
 */
export function carryColours(carried: string, line: string): string {
  let set = carried
  for (const [sequence, codes = ''] of line.matchAll(SGR)) {
    const isReset = codes === '' || /(^|;)0?$/.test(codes)
    set = isReset ? '' : set + sequence
  }
  return set.length > MAX_CARRIED ? '' : set
}

/** The line without what a terminal would not draw, colours left in. */
export function dropUndrawn(line: string): string {
  return line.includes('\u001b') ? line.replace(UNDRAWN, '') : line
}
