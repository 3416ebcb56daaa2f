/** Marks a text that was measured. */
declare const room: unique symbol

/**
 * A text for which a field with room for `N` characters is long enough. What a status says in words is of this type
 * (tools/crd-types.ts), so that a text from outside cannot reach it unclipped: the API server would refuse the whole status.
 */
export type Text<N extends number> = string & { readonly [room]: N }

/** At most `max` characters of a text, never half a one, ending in `…` when something was left out. */
export function clip<const N extends number>(text: string, max: N): Text<N> {
  const kept = fits(text, max)
    ? text
    : `${Array.from(text.slice(0, 2 * max))
        .slice(0, max - 1)
        .join('')}…`
  if (!fits(kept, max)) throw new Error(`no text has at most ${max} characters`)
  return kept
}

/** Whether a text has at most `max` characters, counted as `maxLength` is by the API server: code points, not UTF-16 units. */
export function fits<const N extends number>(text: string, max: N): text is Text<N> {
  return text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max)
}

/** Length of a text in bytes of UTF-8, which file systems, kernels and message formats count. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}

/** For `sort`: by the numbers of the characters, the order of ids and times. */
export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** A commit, or another object of git, as people read it: with as many digits as git shows of one in a large repository. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12)
}
