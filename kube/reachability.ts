/**
 * Whether the API server answers, asked every few seconds with a request that costs it next to nothing.
 *
 * A watch cannot tell: a connection that hangs looks like one on which nothing happens, and the server says something of
 * its own accord only about once a minute.
 */
import { type Clock, delay } from '../lib/clock.ts'
import { followSignals } from './limit.ts'

export interface ReachabilityOptions {
  /** A small read; rejects when it fails, or soon after `signal` aborts. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>
  readonly clock: Clock
  /** Between an answer and the next question. Default 5 s. */
  readonly everyMs?: number
  /** How long an answer may take. Default 5 s. */
  readonly patienceMs?: number
}

export interface Reachability {
  /** Asks until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Why the last question got no answer; undefined when it did, or was not asked yet. */
  problem(): Error | undefined
}

const EVERY_MS = 5000
const PATIENCE_MS = 5000
/** While it is away, so that its return is noticed soon. */
const RETRY_MS = 1000

export function watchReachability(options: ReachabilityOptions): Reachability {
  const { clock, everyMs = EVERY_MS } = options
  let problem: Error | undefined
  return {
    async run(signal) {
      while (!signal.aborted) {
        problem = await failureOf(options, signal)
        await delay(clock, problem === undefined ? everyMs : Math.min(everyMs, RETRY_MS), signal)
      }
    },
    problem: () => problem,
  }
}

async function failureOf(
  { ask, clock, patienceMs = PATIENCE_MS }: ReachabilityOptions,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const ending = followSignals([signal])
  const cancel = clock.schedule(patienceMs, () => ending.abort(new Error(`no answer within ${patienceMs} ms`)))
  try {
    await ask(ending.signal)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    cancel()
    ending.unlink()
  }
}
