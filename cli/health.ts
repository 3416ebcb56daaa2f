import { createServer } from 'node:http'
import { once } from 'node:events'
import { systemClock } from '../lib/clock.ts'
import { createConnectionBudget } from '../lib/connection-budget.ts'
import { listenAt, listeningUrl, splitListen } from '../lib/listen.ts'

/** More than any kubelet opens; a client that holds connections open cannot keep probes out. */
const CONNECTIONS = 64

/** The probes of a pod that serves nothing else. */
export interface ServedHealth {
  /** Base URL without a slash at the end. */
  readonly url: string
  stop(): Promise<void>
}

/** Values of `healthListen` that turn the probes off. */
const OFF: readonly string[] = ['off', '0']

/**
 * Serves /healthz and /readyz at `listen` (`host:port`) for the kubelet's probes.
 *
 * @param notReadyReason the reason for a 503 of /readyz, in words; undefined while all is well
 * @param heldReason what waits for a person though all else goes on; behind the `ok` of /readyz
 * @returns undefined when `listen` turns the probes off
 * @throws Error that names the address and the setting when the address cannot be had
 */
export async function serveHealth(
  listen: string,
  notReadyReason: () => string | undefined,
  heldReason: () => string | undefined = () => undefined,
): Promise<ServedHealth | undefined> {
  if (OFF.includes(listen)) return undefined
  const server = createServer((request, response) => {
    const isKnown = request.url === '/healthz' || request.url === '/readyz'
    const problem = request.url === '/readyz' ? notReadyReason() : undefined
    response.writeHead(!isKnown ? 404 : problem === undefined ? 200 : 503, { 'Content-Type': 'text/plain' })
    const held = request.url === '/readyz' ? heldReason() : undefined
    const ok = held === undefined ? 'ok' : `ok, but ${held}\n`
    response.end(!isKnown ? 'not found' : problem === undefined ? ok : `not ready: ${problem}\n`)
  })
  createConnectionBudget({ connections: CONNECTIONS, clock: systemClock }).watch(server)
  await listenAt(server, listen, '--health-listen')
  const [host] = splitListen(listen)
  return {
    url: listeningUrl(server, host),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
