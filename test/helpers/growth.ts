/**
 * Whether the time of an operation grows faster than its input.
 *
 * Nothing is concluded from short times: for the largest input a linear operation needs a fraction of what is
 * suspicious, a quadratic one many times as much. Only what is slow is measured again, five times at two sizes, and the
 * best times are compared. Times are those of the processor; so a machine that is busy makes no difference.
 */

/** With eight times the input a linear operation takes eight times as long, a quadratic one sixty-four. */
const FACTOR = 8
const MAX_RATIO = 24
const REPETITIONS = 5

export interface Growth {
  /** Rising, so that an operation which is exponential is found before it would take for ever. */
  readonly sizes: readonly number[]
  /** What no linear operation needs on an idle machine. */
  readonly suspiciousMs: number
}

/** Of an expression that is matched in this process; 24 units take an exponential one half a second. */
export const OF_A_MATCH: Growth = { sizes: [24, 200, 4000], suspiciousMs: 8 }

/** The sizes and times that show the growth; undefined when there is none to be seen. */
export async function findGrowth(
  perform: (size: number) => unknown,
  { sizes, suspiciousMs }: Growth = OF_A_MATCH,
): Promise<string | undefined> {
  for (const size of sizes) {
    if ((await measure(perform, size)) <= suspiciousMs) continue
    const small = await best(perform, Math.ceil(size / FACTOR))
    const large = await best(perform, size)
    if (large > suspiciousMs && large / small > MAX_RATIO)
      return `${small.toFixed(3)} ms for ${Math.ceil(size / FACTOR)} units, ${large.toFixed(1)} ms for ${size}`
  }
  return undefined
}

async function best(perform: (size: number) => unknown, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < REPETITIONS; i += 1) least = Math.min(least, await measure(perform, size))
  return least
}

async function measure(perform: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage()
  await perform(size)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
