const POLL_MS = 5
/** For a machine that does much else: who waits in vain loses nothing but this. */
const DEADLINE_MS = 120_000

/**
 * Waits until `condition` holds, asking every few milliseconds; never longer than `deadlineMs`.
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
  while (!(await condition())) {
    if (Date.now() > end) {
      const what = typeof description === 'string' ? description : description()
      throw new Error(`not so within ${deadlineMs} ms: ${what}`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
