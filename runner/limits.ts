/** Time for all the git of one step (decisions, section 5). */
export const GIT_LIMIT_MS = 10 * 60_000

/** Between SIGTERM and SIGKILL of an agent's CLI (decisions, section 5). */
export const KILL_GRACE_MS = 15_000
