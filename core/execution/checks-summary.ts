import type { CheckRun } from '../crd/types.ts'

/** How many checks of a round are green, of those that ran, for a column of kubectl: `2/3`; undefined where none ran. */
export function summarizeChecks(checks: readonly Pick<CheckRun, 'state'>[]): string | undefined {
  const ran = checks.filter(({ state }) => state !== 'Skipped')
  return ran.length === 0 ? undefined : `${ran.filter(({ state }) => state === 'Passed').length}/${ran.length}`
}
