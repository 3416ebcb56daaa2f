/** What people read beside the diff about the commits that they review, and about work that is not in them. */
import { countOf, formatSize } from './amounts.ts'
import { shortCommit } from '../text.ts'

/** What a record shows of commits that no push of ours brought, and of those that the diff does not show. */
export interface ReviewFindings {
  readonly foreign_commits?: readonly NamedCommit[] | undefined
  readonly foreign_commit_count?: number | undefined
  readonly hidden_commits?: readonly (NamedCommit & { readonly path?: string | undefined })[] | undefined
  readonly bulk?: readonly Bulk[] | undefined
  /** Of the last round. */
  readonly checks?: readonly { readonly round: number }[] | undefined
}

/** A new folder with very many files, or a very large file. */
interface Bulk {
  readonly path: string
  readonly files?: number | undefined
  readonly bytes?: number | undefined
}

interface NamedCommit {
  readonly commit: string
  readonly author: string
  readonly subject: string
}

/** A few words, as on a badge; undefined where all commits are Slipway's. */
export function foreignWords({ foreign_commit_count: count }: ReviewFindings): string | undefined {
  return count === undefined ? undefined : `${countOf(count, 'commit')} by others`
}

/** A few words; undefined where the diff shows everything. Whoever mends what checks found takes something back. */
export function hiddenWords(of: ReviewFindings): string | undefined {
  const { length } = of.hidden_commits ?? []
  const what = isMended(of) ? 'corrected by a later one' : 'with changes that the diff does not show'
  return length === 0 ? undefined : `${countOf(length, 'commit')} ${what}`
}

function isMended({ checks = [] }: ReviewFindings): boolean {
  return checks.some(({ round }) => round > 1)
}

/** What a reviewer has to know beside the diff: what it means, and each of the commits or paths. */
export interface ReviewNote {
  readonly title: string
  readonly text: string
  readonly lines: readonly string[]
}

export function describeReview(of: ReviewFindings): ReviewNote[] {
  return [describeForeign(of), describeHidden(of), describeBulk(of)].flatMap((note) => note ?? [])
}

/** Large folders and files that are added, in one line; undefined if there are none. */
export function bulkWords(of: ReviewFindings): string | undefined {
  const note = describeBulk(of)
  return note && `${note.title}: ${note.lines.join(', ')}`
}

function describeBulk({ bulk = [] }: ReviewFindings): ReviewNote | undefined {
  if (bulk.length === 0) return undefined
  return {
    title: 'The work adds a lot to the repository',
    text: 'Check whether it belongs there before you accept:',
    lines: bulk.map(({ path, files, bytes = 0 }) =>
      files === undefined
        ? `${path} has ${formatSize(bytes)}`
        : `${path}/ is a new folder with ${countOf(files, 'file')}`,
    ),
  }
}

function describeForeign(of: ReviewFindings): ReviewNote | undefined {
  const words = foreignWords(of)
  if (words === undefined) return undefined
  const named = of.foreign_commits ?? []
  const rest = (of.foreign_commit_count ?? 0) - named.length
  return {
    title: words,
    text: 'No push of Slipway brought what others added to this branch. The diff shows it, and accepting takes it too:',
    lines: [...named.map(nameCommit), ...(rest > 0 ? [`and ${rest} more`] : [])],
  }
}

function describeHidden(of: ReviewFindings): ReviewNote | undefined {
  const { hidden_commits: hidden = [] } = of
  if (hidden.length === 0) return undefined
  const why = isMended(of) ? ', as where the agent mends what its checks found' : ''
  return {
    title: 'Not in the diff',
    text: `A later commit takes these changes back, and the history keeps them${why}:`,
    lines: hidden.map((commit) => `${nameCommit(commit)}${commit.path === undefined ? '' : ` (${commit.path})`}`),
  }
}

function nameCommit({ commit, author, subject }: NamedCommit): string {
  return `${shortCommit(commit)} ${author}: ${subject}`
}

/** What of an execution's work is not on its branch, in words. */
export interface UndeliveredWords {
  readonly title: string
  /** A path and why each, and last how many more there are. */
  readonly lines: readonly string[]
}

/** How many an Event or a line names. */
const NAMED = 5

/** @returns undefined where all of the work is on the branch */
export function describeUndelivered(
  found: readonly { readonly path: string; readonly reason: string }[] = [],
  count = found.length,
  named = Infinity,
): UndeliveredWords | undefined {
  if (count === 0) return undefined
  const shown = found.slice(0, named).map(({ path, reason }) => `${path}: ${reason}`)
  const rest = count - shown.length
  return { title: 'not delivered, and kept in the clone', lines: [...shown, ...(rest > 0 ? [`${rest} more`] : [])] }
}

/** The same in one line. */
export function formatUndelivered(...found: Parameters<typeof describeUndelivered>): string | undefined {
  const words = describeUndelivered(found[0], found[1], NAMED)
  return words && `${words.title}: ${words.lines.join(' · ')}`
}
