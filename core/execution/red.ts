/** Apart from the schemas of checks: the runner must start without the library that they are made with. */
import type { CheckState } from '../crd/types.ts'

/** What of a check tells whether it holds its work back. */
export interface Judged {
  readonly state: CheckState
  /** Absent: true. */
  readonly required?: boolean | undefined
}

/** Whether a check holds its work back. One that had nothing to do does not. */
export function isRed({ state, required = true }: Judged): boolean {
  return required && hasFailed({ state })
}

/** Whether a check has found a fault, which people see even if the work is delivered with it. */
function hasFailed({ state }: Pick<Judged, 'state'>): boolean {
  return state === 'Failed' || state === 'TimedOut'
}

/** Whether a check lets its work be delivered. */
export function isGreen({ state }: Pick<Judged, 'state'>): boolean {
  return state === 'Passed' || state === 'Skipped'
}
