import { spawnSync } from 'node:child_process'
import { leaveOut } from './leave-out.ts'

/** For tests that do what a page tells its reader to do. */
export function needCurl(context: Mocha.Context): void {
  if (spawnSync('curl', ['--version']).error !== undefined) leaveOut(context, 'curl is not installed')
}
