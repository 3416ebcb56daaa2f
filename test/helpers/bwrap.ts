import { systemClock } from '../../lib/clock.ts'
import { canUseBwrap } from '../../node/sandbox.ts'
import { leaveOut } from './leave-out.ts'

/** Leaves out what `context` belongs to where agents cannot be sandboxed. */
export async function needBwrap(context: Mocha.Context): Promise<void> {
  if (!(await canUseBwrap(systemClock))) leaveOut(context, 'bubblewrap is not installed, or cannot be used here')
}
