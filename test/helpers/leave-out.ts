/** Tests that cannot run on this machine: the last lines of a run say which, and why. */
import { appendFileSync } from 'node:fs'

export interface LeftOut {
  readonly file: string
  readonly reason: string
}

/**
 * Ends the calling test, or the suite in whose hook it is called.
 *
 * @param reason what is missing here: `no kubectl on PATH`
 * @throws Error where nothing may be left out (`SLIPWAY_TEST_COMPLETE=1`, as in .ci/run)
 */
export function leaveOut(context: Mocha.Context, reason: string): never {
  if (process.env['SLIPWAY_TEST_COMPLETE'] === '1') throw new Error(`${reason}, and nothing may be left out here`)
  const left: LeftOut = { file: context.test?.file ?? '', reason }
  const { SLIPWAY_LEFT_OUT: path } = process.env
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(left)}\n`)
  return context.skip()
}
