/** Parts that are started one after another, and stopped in reverse, above all when one of them cannot start. */

/** To be told how each part is stopped, as soon as it has started. */
export type OnStop = (stop: () => Promise<unknown>) => void

/** What was started, and the way to end all of it. */
export interface Started<T> {
  readonly started: T
  /** Stops each part, the last first. @throws what the first stop that failed threw, once all have been tried */
  readonly stop: () => Promise<void>
}

/** How long a start that failed waits for the parts that had started: its error must be told, and the process must end. */
const FAILED_START_TIMEOUT_MS = 2000

/**
 * Starts parts; if that fails, stops those that had started, but waits for them only so long.
 *
 * @throws what `start` throws
 */
export async function startAll<T>(start: (onStop: OnStop) => Promise<T>): Promise<Started<T>> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    const failures: unknown[] = []
    for (const end of stops.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    return { started: await start((end) => void stops.push(end)), stop }
  } catch (error) {
    // Why it could not start is what has to be told, whatever becomes of the stop.
    await within(FAILED_START_TIMEOUT_MS, Promise.allSettled([stop()]))
    throw error
  }
}

/**
 * Runs `work`, and when it has ended, well or not, stops what it gave to `onStop`: a part that cannot start leaves no other
 * one at work, and the process ends.
 *
 * @throws what `work` throws
 */
export async function stoppingAll<T>(work: (onStop: OnStop) => Promise<T>): Promise<T> {
  const { started, stop } = await startAll(work)
  await stop()
  return started
}

/**
 * Waits for parts that need nothing of one another. When one cannot start, the others get a moment to do so, so that
 * `onStop` knows of them.
 *
 * @throws what the first part that failed threw
 */
export async function startTogether(
  onStop: OnStop,
  parts: readonly Promise<{ stop(): Promise<void> }>[],
): Promise<void> {
  const known = parts.map(async (part) => onStop((await part).stop))
  try {
    await Promise.all(known)
  } catch (error) {
    await within(FAILED_START_TIMEOUT_MS, Promise.allSettled(known))
    throw error
  }
}

/** Waits for `work`, at most `ms`; the process stays alive meanwhile. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}
