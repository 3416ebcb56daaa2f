/**
 * The text without what `characters` holds at its end. In one pass from behind: the pattern `/\/+$/` begins anew at every
 * slash of a text that is full of them.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The text without the slashes around it. */
export function trimSlashes(text: string): string {
  return trimEndOf(text.replace(/^\/+/, ''), '/')
}
