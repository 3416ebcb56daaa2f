/**
 * Whether the time of an operation grows faster than its input.
 *
 * Nothing is concluded from small times: an operation that is linear needs a millisecond for the largest input used
 * here, one that is quadratic a hundred. Only what is slow is measured again, five times at two sizes, and the best
 * times are compared; so a machine that is busy makes no difference.
 */

/** Far more than a linear operation needs for the largest of {@link SIZES}, far less than a quadratic one. */
const SUSPICIOUS_MS = 8
/** With eight times the input a linear operation takes eight times as long, a quadratic one sixty-four. */
const FACTOR = 8
const MAX_RATIO = 24
/** Of an exponential operation 24 units take half a second; larger inputs would never end. */
const SIZES = [24, 200, 4000]

/** The sizes and times that show the growth; undefined when there is none to be seen. */
export function findGrowth(perform: (size: number) => void): string | undefined {
  for (const size of SIZES) {
    if (measure(perform, size) <= SUSPICIOUS_MS) continue
    const [small, large] = [size / FACTOR, size].map((each) => best(perform, each))
    if (small === undefined || large === undefined || large <= SUSPICIOUS_MS) continue
    if (large / small > MAX_RATIO)
      return `${small.toFixed(3)} ms for ${size / FACTOR} units, ${large.toFixed(1)} ms for ${size}`
  }
  return undefined
}

function best(perform: (size: number) => void, size: number): number {
  return Math.min(...[1, 2, 3, 4, 5].map(() => measure(perform, size)))
}

function measure(perform: (size: number) => void, size: number): number {
  const startedAt = performance.now()
  perform(size)
  return performance.now() - startedAt
}
