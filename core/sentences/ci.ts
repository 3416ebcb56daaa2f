/** What people read of the CI of the git host. */
import type { CiStateWord } from '../enum-values.ts'
import { countOf, listOf } from './amounts.ts'

/** What is looked at of a report, as records have it. */
interface Ci {
  readonly state: CiStateWord
  readonly total: number
  readonly runs: readonly { readonly name: string; readonly state: CiStateWord }[]
}

export const CI_STATE_LABELS: Readonly<Record<CiStateWord, string>> = {
  pending: 'goes on',
  passed: 'passed',
  failed: 'failed',
}

const MAX_NAMED = 3

/** How the CI judges a commit, as on a badge: `CI passed`, `CI goes on: lint`, `CI failed: build, test`. */
export function ciWords({ state, runs }: Ci): string {
  const named = runs.filter((run) => run.state === state).map(({ name }) => name)
  const words = `CI ${CI_STATE_LABELS[state]}`
  return state === 'passed' || named.length === 0 ? words : `${words}: ${listOf(named, { most: MAX_NAMED })}`
}

/** The runs that a report does not name one by one; undefined where it names all. */
export function moreRunsWords({ total }: Pick<Ci, 'total'>, shown: number): string | undefined {
  return total > shown ? `and ${countOf(total - shown, 'more run')}` : undefined
}
