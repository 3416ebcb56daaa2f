const POLL_MS = 5
const DEADLINE_MS = 10_000

/**
 * Waits until `condition` holds, asking every few milliseconds; never longer than `deadlineMs`.
 *
 * @throws Error that says what was waited for
 */
export async function until(
  description: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number = DEADLINE_MS,
): Promise<void> {
  const end = Date.now() + deadlineMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not so within ${deadlineMs} ms: ${description}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
