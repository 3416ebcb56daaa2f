/** The services of a project as containers of an execution's pod (specification §7.18). */

const PREFIX = 'service-'
/** Containers that others inject can be longer than a service's name may be. */
const OURS = /^service-[a-z][-a-z0-9]{0,29}$/

/** Name of the container that a service runs in. */
export function serviceContainer(service: string): string {
  return `${PREFIX}${service}`
}

/** The service that runs in a container; undefined for all others. */
export function findService(container: string): string | undefined {
  return OURS.test(container) ? container.slice(PREFIX.length) : undefined
}

/** Of the file that keeps them: ten services, whose bytes JSON may write as six each. */
export const MAX_SERVICE_LOGS_BYTES = 8 * 1024 * 1024

/** What is read of the log of one service: the last lines, and of those no more bytes. */
export const SERVICE_LOG_LIMITS = { tailLines: 500, limitBytes: 128 * 1024 } as const
