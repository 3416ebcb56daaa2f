import { spawnSync } from 'node:child_process'
import { leaveOut } from './leave-out.ts'

/** For tests that do what a page tells its reader to do. */
export function needCurl(context: Mocha.Context): void {
  if (spawnSync('curl', ['--json', '{}', '--version']).status !== 0)
    leaveOut(context, 'no curl of 7.82 or newer is installed')
}
