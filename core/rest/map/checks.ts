import type { CheckRun, ChecksWaived, ProtectedChanges } from '../../crd/types.ts'
import { CHECK_STATE_WORDS } from '../../enum-values.ts'
import type { CheckRecord } from '../records/checks.ts'
import { withoutAbsent } from '../../omit.ts'
import { toShownTime } from './fields.ts'

export function toCheckRecord(check: CheckRun, lastSeconds?: number): CheckRecord {
  const { name, state, required = true, round, commit, startedAt, seconds, exitCode, reason } = check
  const rest = { commit, started_at: startedAt, seconds, last_seconds: lastSeconds, exit_code: exitCode, reason }
  return { name, state: CHECK_STATE_WORDS[state], required, round, ...withoutAbsent(rest) }
}

interface CheckFacts {
  readonly checksWaived?: (Pick<ChecksWaived, 'by' | 'at'> & { readonly reason: string }) | undefined
  readonly protectedChanges?: ProtectedChanges | undefined
}

/** What a reviewer has to know beside the checks themselves. */
export function toCheckFields({ checksWaived, protectedChanges }: CheckFacts) {
  return withoutAbsent({
    checks_waived: checksWaived && { ...checksWaived, at: toShownTime(checksWaived.at) },
    protected_changes: protectedChanges && { count: protectedChanges.count, paths: [...protectedChanges.paths] },
  })
}
