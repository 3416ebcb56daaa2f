/**
 * A text as one word of a POSIX shell, for commands that a person copies and for those that we run.
 *
 * Source: POSIX.1-2017, Shell Command Language, 2.2.2.
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
