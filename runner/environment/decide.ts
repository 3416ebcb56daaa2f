import type { WantedEnvironment } from '../../core/execution/prepared.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'

/** What becomes of the environment of an execution. */
export type Decision =
  | { readonly kind: 'hand_out' }
  /** The agent starts without; the problem is for people. */
  | { readonly kind: 'bare'; readonly problem?: string }
  | { readonly kind: 'fail'; readonly message: string }
  /** The step ends, and the operator brings the environment. */
  | { readonly kind: 'not_prepared' }

/** What the decision depends on. */
export interface Wish {
  readonly wanted: WantedEnvironment
  /** Whether the recipe says that no task starts without. */
  readonly isRequired: boolean
  readonly told: Pick<NonNullable<RunSpec['environment']>, 'mounted' | 'failed' | 'failure' | 'project' | 'isOptional'>
  /** Of a Prepare, which makes what it wants. */
  readonly isPrepare: boolean
}

/** Decides by the digest alone: an environment of another one is never handed out. */
export function decide({ wanted, isRequired, told, isPrepare }: Wish): Decision {
  const { mounted, failed = [], failure, project = '<project>', isOptional = false } = told
  if (isPrepare) return { kind: 'bare' }
  if (mounted?.digest === wanted.digest) return { kind: 'hand_out' }
  if (failed.includes(wanted.digest)) return without(isRequired, setupFailed(project, failure))
  if (isOptional) return { kind: 'bare' }
  return { kind: 'not_prepared' }
}

/** How an execution goes on without what its commit wants. */
export function without(isRequired: boolean, reason: string): Decision {
  if (isRequired)
    return { kind: 'fail', message: `the agent must not start without its environment (required), and ${reason}` }
  return { kind: 'bare', problem: `the agent starts without its environment, because ${reason}` }
}

function setupFailed(project: string, failure: string | undefined): string {
  const said = failure === undefined ? '' : `; it said: ${failure}`
  return `its setup has failed: slipway env log ${project} shows why, slipway env build ${project} tries again${said}`
}
