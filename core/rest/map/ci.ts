import type { CiReport } from '../../crd/types.ts'
import { CI_STATE_WORDS } from '../../enum-values.ts'
import { withoutAbsent } from '../../omit.ts'

export function toCiRecord(report: CiReport | undefined) {
  if (report === undefined) return undefined
  const { commit, state, total, runs = [], at } = report
  return {
    commit,
    state: CI_STATE_WORDS[state],
    total,
    runs: runs.map(({ name, state: stands, url }) => ({
      name,
      state: CI_STATE_WORDS[stands],
      ...withoutAbsent({ url }),
    })),
    at,
  }
}
