/** Whether a server answers, here or in a cluster, what its clock says, and whether its port is free. */
import { formatSpan } from '../../core/sentences/amounts.ts'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { Clock } from '../../lib/clock.ts'
import type { Config } from '../../lib/config-schema.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { listenAt, splitListen } from '../../lib/listen.ts'
import { shellWord } from '../../core/shell.ts'
import type { ClusterChoice } from '../client/cluster-session.ts'
import { type Session, openSession, ServerUnreachable } from '../client/session.ts'
import { SET_CLOCK } from './data-folder.ts'
import { type Finding, makeFinding } from './finding.ts'

const LIMIT_MS = 10_000
/** HTTP's dates have whole seconds, and an answer takes time. */
const TOLERANCE_MS = 5_000

export interface ServerQuestion {
  /** From `--server` or `SLIPWAY_SERVER`. */
  readonly server: string | undefined
  /** Where a server of this machine would be. */
  readonly usual?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

/** Whether a server answers at the address, and lets us in; then what its clock says. */
export async function checkServer({ server, usual, env, clock }: ServerQuestion): Promise<Finding[]> {
  const session = await openSession({ server: server ?? usual, form: 'json', env })
  try {
    const answers = makeFinding('server', 'ok', await describe(session))
    // The check of the data folder shows what this machine holds back.
    const held = server === undefined ? [] : await checkReadiness(session, 'slipway adopt, where the server runs')
    return [answers, ...held, ...(await checkServerClock(session, clock))]
  } catch (error) {
    if (!(error instanceof ServerUnreachable) || server !== undefined) throw error
    // The message says how to start one.
    return [makeFinding('server', 'warn', error.message)]
  } finally {
    await session.close()
  }
}

/** The server in a cluster, with the rights that commands need for it. */
export async function checkCluster(
  choice: ClusterChoice,
  env: ServerQuestion['env'],
  signal: AbortSignal,
): Promise<Finding[]> {
  const { openClusterSession } = await import('../client/cluster-session.ts')
  const session = await openClusterSession({ choice, form: 'json', env, signal })
  try {
    const where = choice.namespace === undefined ? '' : `--namespace ${shellWord(choice.namespace)} `
    const adopt = `kubectl ${where}exec deploy/slipway-operator -- slipway adopt`
    return [makeFinding('cluster', 'ok', await describe(session)), ...(await checkReadiness(session, adopt))]
  } finally {
    await session.close()
  }
}

/** Lists agents, which takes a token where the server has one. */
async function describe({ api, server }: Session): Promise<string> {
  const options = { signal: AbortSignal.timeout(LIMIT_MS) }
  const { version } = await api.getVersion({}, options)
  await api.getAgentsStatus({}, options)
  return `${server} answers: slipway ${version}`
}

/** What waits there for a person, and what the server is refused; both go on being so while it answers. */
async function checkReadiness({ api }: Session, adopt: string): Promise<Finding[]> {
  const { held, refused } = await api.getReadiness({}, { signal: AbortSignal.timeout(LIMIT_MS) })
  return [
    ...(held === undefined ? [] : [makeFinding('volume', 'fail', held, adopt)]),
    ...(refused === undefined ? [] : [makeFinding('rights', 'fail', refused)]),
  ]
}

async function checkServerClock({ api }: Session, clock: Clock): Promise<Finding[]> {
  let date: string | undefined
  const onHeaders = (headers: Headers): void => void (date = headers.get('Date') ?? undefined)
  await api.getVersion({}, { signal: AbortSignal.timeout(LIMIT_MS), onHeaders })
  const differenceMs = clock.now().getTime() - Date.parse(date ?? '')
  if (Number.isNaN(differenceMs)) return []
  if (Math.abs(differenceMs) <= TOLERANCE_MS) return [makeFinding('clock', 'ok', 'agrees with that of the server')]
  const where = differenceMs > 0 ? 'ahead of' : 'behind'
  return [
    makeFinding(
      'clock',
      'warn',
      `this machine's clock is ${formatSpan(Math.abs(differenceMs))} ${where} the server's`,
      SET_CLOCK,
    ),
  ]
}

const USUAL_LISTEN = '127.0.0.1:8080'
const EVERY_ADDRESS = ['0.0.0.0', '::']

/**
 * The URL of a server that listens as configured, for programs of this machine.
 *
 * @param isTrusted false: the address is not for sure of the person's choice, so that it is looked for on this machine
 */
export function usualServer({ listen = USUAL_LISTEN }: Pick<Config, 'listen'>, isTrusted: boolean): string {
  const [host, port] = splitListen(listen)
  return isTrusted && !EVERY_ADDRESS.includes(host) ? `http://${listen}` : `http://127.0.0.1:${port}`
}

/** Whether `slipway serve` gets its port. @param isServed whether a server of Slipway answers there */
export async function checkPort({ listen }: Pick<Config, 'listen'>, isServed: boolean): Promise<Finding> {
  const address = listen ?? USUAL_LISTEN
  const server = createServer()
  try {
    await listenAt(server, address, '--listen')
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (!hasErrorCode(cause, 'EADDRINUSE')) throw error
    if (isServed) return makeFinding('port', 'ok', `${address} is the server's`)
    if (listen !== undefined) throw error
    const text = `${address} is taken by another program; slipway serve takes the next free port`
    return makeFinding('port', 'warn', text, 'slipway serve --listen 127.0.0.1:<another port>')
  }
  server.close()
  await once(server, 'close')
  return makeFinding('port', 'ok', `${address} is free`)
}
