/** From one answer to the next question: three times as long as the answer took, so that waiting leaves the machine to what is waited for. */
const [LEAST_PAUSE_MS, PAUSE_OF_ANSWER, MOST_PAUSE_MS] = [5, 3, 500]
/** For a machine that does much else: who waits in vain loses nothing but this. */
const DEADLINE_MS = 120_000

/**
 * Waits until `condition` holds, asking again and again; never longer than `deadlineMs`.
 *
 * @param description a function is asked only when time is up, so that it can say what is there instead
 * @throws Error that says what was waited for
 */
export async function until(
  description: string | (() => string),
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number = DEADLINE_MS,
): Promise<void> {
  const end = Date.now() + deadlineMs
  for (;;) {
    const askedAt = performance.now()
    if (await condition()) return
    if (Date.now() > end) {
      const what = typeof description === 'string' ? description : description()
      throw new Error(`not so within ${deadlineMs} ms: ${what}`)
    }
    const pause = PAUSE_OF_ANSWER * (performance.now() - askedAt)
    await new Promise((resolve) => setTimeout(resolve, Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, pause))))
  }
}
