/** What people are told of the commits that they review, beside the diff. */
import { countOf } from '../amounts.ts'

/** What a record shows of commits that no push of ours brought, and of those that the diff does not show. */
export interface ReviewFindings {
  readonly foreign_commits?: readonly NamedCommit[] | undefined
  readonly foreign_commit_count?: number | undefined
  readonly hidden_commits?: readonly (NamedCommit & { readonly path?: string | undefined })[] | undefined
}

interface NamedCommit {
  readonly commit: string
  readonly author: string
  readonly subject: string
}

/** A few words, as on a badge; undefined where all commits are Slipway's. */
export function foreignWords({ foreign_commit_count: count }: ReviewFindings): string | undefined {
  return count === undefined ? undefined : `${countOf(count, 'commit')} of others`
}

/** A few words; undefined where the diff shows everything. */
export function hiddenWords({ hidden_commits: { length } = [] }: ReviewFindings): string | undefined {
  return length === 0 ? undefined : `${countOf(length, 'commit')} with changes that the diff does not show`
}

interface ReviewNote {
  readonly title: string
  readonly text: string
  readonly commits: readonly string[]
}

/** The same with what it means, and each of the commits. */
export function describeForeign(of: ReviewFindings): ReviewNote | undefined {
  const words = foreignWords(of)
  if (words === undefined) return undefined
  const named = of.foreign_commits ?? []
  const rest = (of.foreign_commit_count ?? 0) - named.length
  return {
    title: words,
    text: 'No push of Slipway brought what others added to this branch. The diff shows it, and accepting takes it too:',
    commits: [...named.map(nameCommit), ...(rest > 0 ? [`and ${rest} more`] : [])],
  }
}

/** Commits whose changes a later one takes back; undefined where the diff shows everything. */
export function describeHidden(of: ReviewFindings): ReviewNote | undefined {
  const hidden = of.hidden_commits ?? []
  if (hidden.length === 0) return undefined
  return {
    title: 'Not in the diff',
    text: 'A later commit takes these changes back, and the history keeps them:',
    commits: hidden.map((commit) => `${nameCommit(commit)}${commit.path === undefined ? '' : ` (${commit.path})`}`),
  }
}

function nameCommit({ commit, author, subject }: NamedCommit): string {
  return `${commit.slice(0, 12)} ${author}: ${subject}`
}
