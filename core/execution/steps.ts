/** Names of the runner's steps, apart from the schema: the runner must start without loading a schema library. */
export const RUN_SPEC_VARIABLE = 'SLIPWAY_RUN'

/** Names the file of further certificates that Node trusts; set in every step for `executionPods.caBundle`. */
export const AUTHORITIES_VARIABLE = 'NODE_EXTRA_CA_CERTS'
/** Names the one file of all certificates, for programs that read it in place of their own list. */
export const AUTHORITY_VARIABLES = [
  'SSL_CERT_FILE',
  'GIT_SSL_CAINFO',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'CARGO_HTTP_CAINFO',
] as const

/** A step did not find what the operator had written for its agent, and did nothing: the operator writes it again. */
export const EXIT_NOT_GIVEN = 66

/**
 * Prepare found that its commit wants another environment than its Job mounts, and made no clone; its termination message
 * says which. The operator has that one prepared and makes the next Job with it.
 */
export const EXIT_NOT_PREPARED = 67

/** The branch has moved since the work was staged, and nothing was pushed: the operator makes a Job that stages it again. */
export const EXIT_MOVED = 68

/**
 * In the order in which they run. `stage` and `check` are there where the project has checks (docs/adr/0015-checks.md); the
 * container of a check is named by {@link checkContainer}.
 */
export const STEPS = ['prepare', 'agent', 'stage', 'check', 'deliver'] as const
export type StepName = (typeof STEPS)[number]

const CHECK = 'check-'

/** Name of the container that runs a check: `check-<name>`. */
export function checkContainer(check: string): string {
  return `${CHECK}${check}`
}

/** The check that a container of this name runs; undefined for any other container. */
export function findCheck(container: string): string | undefined {
  return container.startsWith(CHECK) ? container.slice(CHECK.length) : undefined
}
