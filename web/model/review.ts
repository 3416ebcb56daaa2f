/** What a person says about work: comments on lines of its diff, the text that they make, and what takes it to the agent. */
import type { Task } from '../../core/rest/client/client.ts'
import type { DecisionAction } from '../../core/crd/types.ts'
import type { DiffSide } from './git-diff.ts'
import { splitSuggestions, toEdit } from './suggestion.ts'

export interface LineComment {
  /** Path in the new state; of a deleted file, in the old one. */
  readonly file: string
  /** Whose line number it is: `old` for a deleted line, else `new`. */
  readonly side: DiffSide
  readonly line: number
  /** With blocks that suggest a change: suggestion.ts. */
  readonly text: string
  /** What the line has, where that is known and not long. */
  readonly code?: string
  /** Whose diff it was written on. */
  readonly execution?: string
}

/** Names the place of a comment; two comments never have the same place. */
export function placeOf({ file, side, line }: Pick<LineComment, 'file' | 'side' | 'line'>): string {
  return `${side}:${line}:${file}`
}

/** Comments on the diff of one execution, and those on other code, which say nothing about its lines. */
export interface SplitComments {
  readonly current: readonly LineComment[]
  readonly lost: readonly LineComment[]
}

/** Comments that name no execution are of none that is known, so they are lost too. */
export function splitComments(comments: readonly LineComment[], execution: string | undefined): SplitComments {
  const isCurrent = (comment: LineComment): boolean => execution !== undefined && comment.execution === execution
  return {
    current: comments.filter(isCurrent),
    lost: comments.filter((comment) => !isCurrent(comment)),
  }
}

/** The comments with this one in its place; one without text is removed. */
export function withComment(comments: readonly LineComment[], comment: LineComment): readonly LineComment[] {
  const place = placeOf(comment)
  const others = comments.filter((other) => placeOf(other) !== place)
  return comment.text.trim() === '' ? others : [...others, comment].sort(byPlace)
}

function byPlace(a: LineComment, b: LineComment): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.side < b.side ? -1 : 1)
}

/**
 * The comment of a revise or a reject: what is said of the whole first, then one paragraph per comment in the order of the files
 * and lines, `path:line: text`. A number of the old file is marked, `path:line (old): text`. Further lines of a comment
 * are indented, so that none is taken for the beginning of another one; in Markdown that is no part of a block. What is suggested for a
 * line becomes an edit, word for word.
 *
 * @param general what the person says of the whole; "" when nothing
 */
export function toComment(comments: readonly LineComment[], general = ''): string {
  const written = comments.filter(({ text }) => text.trim() !== '').sort(byPlace)
  const parts = written.map((comment) => {
    const { file, side, line } = comment
    const place = `${file}:${line}${side === 'old' ? ' (old)' : ''}`
    return `${place}: ${wordsOf(comment).replaceAll('\n', '\n  ')}`
  })
  return [general.trim(), ...parts].filter((part) => part !== '').join('\n\n')
}

/** What was deleted is replaced by nothing: there a suggestion stays as it was written. */
function wordsOf(comment: LineComment): string {
  if (comment.side === 'old') return comment.text.trim().replaceAll('\r\n', '\n')
  return splitSuggestions(comment.text)
    .map((part) => (part.kind === 'text' ? part.text : toEdit(comment, part.lines)))
    .join('\n')
}

/** Whether a decision takes what was written about the work. */
export function takesReview(action: DecisionAction): boolean {
  return action === 'revise' || action === 'reject'
}

/** Whether a person can say something about the work of a task. */
export function canReview({ actions }: Pick<Task, 'actions'>): boolean {
  return actions.some(takesReview)
}

/** What was last said about the work of a task, for the agent; undefined where nobody said anything. */
export function lastReview({
  decisions,
  rejection_comment,
}: Pick<Task, 'decisions' | 'rejection_comment'>): string | undefined {
  const last = decisions.findLast(({ action }) => takesReview(action))
  return last?.action === 'revise' ? last.comment : rejection_comment
}

export interface ReviewWays {
  readonly mayRevise: boolean
  readonly mayStartOver: boolean
  readonly isScript: boolean
}

/** What the ways for a task to go on differ in. A script has no session, and reads no comment. */
export function reviewHint({ mayRevise, mayStartOver, isScript }: ReviewWays): string {
  const [revised, startedOver] = isScript
    ? ['The script runs again in its clone; it does not read this.', 'Starting over runs it in a fresh clone.']
    : ['Changes are made in the same session.', 'Starting over begins a new session in a fresh clone.']
  const rejected = 'Rejected work waits until somebody runs the task.'
  return [mayRevise ? revised : '', mayStartOver ? startedOver : '', mayRevise ? '' : rejected]
    .filter((part) => part !== '')
    .join(' ')
}
