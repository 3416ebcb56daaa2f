import type { RunSpec } from '../core/execution/run-spec.ts'

/** Time for all the git of one step (specification §7.14). */
export const GIT_LIMIT_MS = 10 * 60_000

/** What a task has at least that may run for less. */
const MIN_GIT_LIMIT_MS = 60_000

/** Time for all the git of a step that speaks to the remote: no more than the task's agent may take. */
export function remoteLimitMs({ timeoutSeconds }: Pick<RunSpec, 'timeoutSeconds'>): number {
  return Math.min(GIT_LIMIT_MS, Math.max(MIN_GIT_LIMIT_MS, timeoutSeconds * 1000))
}

/** Between SIGTERM and SIGKILL of an agent's CLI (specification §7.14). */
export const KILL_GRACE_MS = 15_000

/** A CLI has so long to exit by itself after its last output. */
export const EXIT_GRACE_MS = 30_000

/** A CLI that is told to end its turn has so long to report its cost; with the grace this is less than the pod's own. */
export const INTERRUPT_MS = 5000

/** Time between two looks into the inbox of a running agent. */
export const INBOX_LOOK_MS = 250

/** Size of changes.diff; a longer one is cut with a marker. Nobody reads more, and an agent could fill the volume. */
export const MAX_DIFF_BYTES = 64 * 1024 * 1024

/** Size of all file names of a commit together: a few nested trees can name more files than memory holds. */
export const MAX_NAMES_BYTES = 256 * 1024 * 1024

/** Size of all files together that a commit of leftovers takes in. */
export const MAX_LEFTOVER_BYTES = 4 * 1024 ** 3

/** What a push may send, unless the configuration says otherwise. */
export const DEFAULT_MAX_PUSH_BYTES = 1024 * 1024 * 1024
