/** For `sort`: by the numbers of the characters, as the server orders ids and times. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The text with a capital letter first, as at the beginning of a line. */
export function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
