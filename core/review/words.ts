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

/** The same with what it means, and each of the commits. */
export function describeForeign(of: ReviewFindings): { readonly text: string; readonly commits: string[] } | undefined {
  const words = foreignWords(of)
  if (words === undefined) return undefined
  const named = of.foreign_commits ?? []
  const rest = (of.foreign_commit_count ?? 0) - named.length
  return {
    text: `${words} on this branch: no push of Slipway brought them. Accepting takes them too, and the diff has them.`,
    commits: [...named.map(nameCommit), ...(rest > 0 ? [`and ${rest} more`] : [])],
  }
}

/** Commits whose changes a later one takes back; undefined where the diff shows everything. */
export function describeHidden(of: ReviewFindings): { readonly text: string; readonly commits: string[] } | undefined {
  const hidden = of.hidden_commits ?? []
  if (hidden.length === 0) return undefined
  return {
    text: 'Changes that the diff does not show, because a later commit takes them back. The history keeps them.',
    commits: hidden.map((commit) => `${nameCommit(commit)}${commit.path === undefined ? '' : ` (${commit.path})`}`),
  }
}

function nameCommit({ commit, author, subject }: NamedCommit): string {
  return `${commit.slice(0, 12)} ${author}: ${subject}`
}
