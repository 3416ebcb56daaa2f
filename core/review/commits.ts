/**
 * What a person reviews is what accepting adds (specification §4.25): which commit it is compared with, and which of its
 * commits no push of ours brought. Pure; runner/git/review.ts gathers the facts.
 */

/**
 * A push of ours to a branch: the commit that it found there (absent: no branch), the commit of the default branch that the
 * work knew, and the commit that it left.
 */
export interface Push {
  readonly found?: string | undefined
  readonly base?: string | undefined
  readonly head: string
}

/** Commits and their parents, newest first: those that are reviewed, and no others. */
export type CommitGraph = ReadonlyMap<string, readonly string[]>

/** Pushes of a branch that are kept: the latest. */
export const MAX_PUSHES = 50

/**
 * What a review is compared with: the merge base with the default branch, since accepting merges into that. For a task of
 * a story accepting adds nothing, so it is compared with what the branch held before the task's first execution.
 */
export type ReviewBase =
  { readonly kind: 'mergeBase'; readonly tip: string } | { readonly kind: 'commit'; readonly commit: string }

/**
 * @param first what the task's first execution started from
 * @param tip the default branch's commit, where that is known
 */
export function reviewBase(isOfStory: boolean, first: string, tip: string | undefined): ReviewBase {
  return isOfStory || tip === undefined ? { kind: 'commit', commit: first } : { kind: 'mergeBase', tip }
}

/**
 * The commits that no push of ours brought. A push brings what its head reaches, except what it found and what the default
 * branch held when the work began; that branch may have lost commits since.
 */
export function findForeignCommits(graph: CommitGraph, pushes: readonly Push[]): string[] {
  const ours = new Set<string>()
  for (const { found, base, head } of pushes) {
    const before = reach(graph, found, base)
    for (const commit of reach(graph, head)) if (!before.has(commit)) ours.add(commit)
  }
  return [...graph.keys()].filter((commit) => !ours.has(commit))
}

function reach(graph: CommitGraph, ...from: readonly (string | undefined)[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = from.filter((commit) => commit !== undefined)
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    const parents = graph.get(commit)
    if (parents === undefined || seen.has(commit)) continue
    seen.add(commit)
    open.push(...parents)
  }
  return seen
}

/**
 * What the branch held before our pushes that ended at `head`: a push that rewrites that commit replaces all of them.
 * Undefined: the first of them made the branch.
 */
export function findBeforeOurs(pushes: readonly Push[], head: string): string | undefined {
  return pushes.reduceRight<string | undefined>((at, push) => (push.head === at ? push.found : at), head)
}
