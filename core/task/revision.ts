/** What people asked to change and is not done yet, as one text: the agent is told all of it. Source: docs/specification.md §4.6. */
import type { TaskStatus } from '../crd/types.ts'

/**
 * The text with one more comment, in the order of asking: nobody knows whether an agent has read the earlier part. Once there
 * are two, each stands below the name of who asked. The last one is not repeated for the same person.
 */
export function askAlso({ revision, decisions = [] }: TaskStatus, comment: string, by: string): string {
  const open: string = revision ?? ''
  const asked = quoteHeaders(comment)
  const first = decisions.findLast(({ action }) => action === 'revise')?.by
  if (open === '' || (open === asked && (first ?? by) === by)) return asked
  const later = `${askedLater(by)}${asked}`
  if (open.endsWith(later)) return open
  return `${hasSeveral(open) ? '' : `Asked for by ${nameOf(first)}:\n\n`}${open}${later}`
}

/** Words before the name of who asked for all of such a text, or for its last part. */
export function askedForWords(text: string): string {
  return hasSeveral(text) ? 'last asked for' : 'asked for'
}

function askedLater(by: string): string {
  return `\n\nAsked for later by ${nameOf(by)}:\n\n`
}

/** Texts of earlier versions name nobody. */
function hasSeveral(text: string): boolean {
  return /\n\nAsked for later(?: by [^\n]*)?:\n\n/.test(text)
}

/** What somebody writes is never taken for the words of another: a line as those above is marked as one that is quoted. */
function quoteHeaders(comment: string): string {
  return comment.replaceAll(/^(?=Asked for (?:later|by)\b)/gim, '> ')
}

/** A provider's name may hold line breaks. */
function nameOf(by = ''): string {
  return by === '' ? 'a person' : by.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
}
