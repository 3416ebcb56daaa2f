import type { RunSpec } from '../../../core/execution/run-spec.ts'

type Checks = NonNullable<RunSpec['checks']>

/** Checks with these programs, in the first round. */
export function checksOf(
  programs: Readonly<Record<string, string>>,
  more: Partial<Checks['list'][number]> = {},
  round = 1,
): Checks {
  const list = Object.entries(programs).map(([name, run]) => ({
    name,
    run,
    timeoutSeconds: 60,
    required: true,
    ...more,
  }))
  return { round, list }
}
