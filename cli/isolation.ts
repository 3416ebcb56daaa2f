import type { Config } from '../lib/config-schema.ts'
import { systemClock } from '../lib/clock.ts'
import { canUseBwrap } from '../node/sandbox.ts'

/** How executions are isolated from the rest of the machine, and the sentence that says so to people. */
export interface Isolation {
  readonly kind: 'container' | 'sandbox' | 'none'
  readonly text: string
}

const SANDBOX: Isolation = { kind: 'sandbox', text: 'executions run in bubblewrap sandboxes' }

const SCRIPTS_ONLY: Isolation = {
  kind: 'none',
  text: 'executions run as plain processes, which isolate nothing: only scripts and recordings run (install bubblewrap, or accept the risk with --runtime process)',
}

const UNGUARDED: Isolation = {
  kind: 'none',
  text: 'executions run as plain processes, which isolate nothing: agents can read and change what you can',
}

/**
 * The isolation that executions on this machine get (specification §13.3).
 *
 * @throws Error when bubblewrap is asked for and does not work here
 */
export async function chooseIsolation(runtime: Config['runtime']): Promise<Isolation> {
  switch (runtime) {
    case 'process':
      return UNGUARDED
    case 'bwrap':
      if (await canUseBwrap(systemClock)) return SANDBOX
      throw new Error(
        '--runtime bwrap: bubblewrap does not work here (is it installed, and are user namespaces allowed?)',
      )
    case 'auto':
      return (await canUseBwrap(systemClock)) ? SANDBOX : SCRIPTS_ONLY
    default:
      return runtime satisfies never
  }
}
