import { countOf } from './amounts.ts'

/** A service of the project that ended while its execution went on. */
export function serviceWords({
  name,
  restarts,
  reason,
}: {
  readonly name: string
  readonly restarts: number
  readonly reason?: string | undefined
}): string {
  return `service ${name} was started again ${countOf(restarts, 'time')}${reason === undefined ? '' : ` (${reason})`}`
}
