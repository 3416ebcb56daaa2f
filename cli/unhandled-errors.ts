/**
 * Handles an error that no part has handled. It is a bug of ours, and may have stopped any part: an operator without its
 * loop would keep its Lease, and an API server would show old data. So the process logs the cause, stops its parts and
 * exits, and a supervisor starts it again. All state is on disk, and running executions go on meanwhile.
 */
import process from 'node:process'
import type { Logger } from '../lib/log.ts'

/** If the parts have not stopped after this time, the process exits without them. */
const STOP_MS = 10_000
const EXIT_CODE = 1

/**
 * Runs a server until it ends by itself, `signal` aborts, or an error is left unhandled.
 *
 * @param serve gets a signal that also aborts in the last case
 * @returns the exit code of `serve`, or 1 after an error that nobody handled
 */
export async function runGuarded(
  logger: Logger,
  signal: AbortSignal,
  serve: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const failing = new AbortController()
  const fail = (error: unknown): void => {
    logger.fatal({ error: toError(error) }, 'an error that nothing handled ends this process: start it again')
    if (failing.signal.aborted) return
    failing.abort()
    setTimeout(() => process.exit(EXIT_CODE), STOP_MS).unref()
  }
  process.on('unhandledRejection', fail).on('uncaughtException', fail)
  try {
    const code = await serve(AbortSignal.any([signal, failing.signal]))
    return failing.signal.aborted ? EXIT_CODE : code
  } finally {
    process.off('unhandledRejection', fail).off('uncaughtException', fail)
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(`not an Error: ${String(reason)}`)
}
