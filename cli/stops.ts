/** What was started, to be stopped in reverse. */
export type OnStop = (stop: () => Promise<unknown>) => void

/**
 * Runs `work`, and when it has ended, well or not, stops what it gave to `onStop`, the last first: a part that cannot
 * start leaves no other one at work, and the process ends.
 *
 * @throws what `work` throws
 */
export async function stoppingAll<T>(work: (onStop: OnStop) => Promise<T>): Promise<T> {
  const stops: (() => Promise<unknown>)[] = []
  try {
    return await work((stop) => void stops.push(stop))
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
