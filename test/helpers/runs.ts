/** How many cases the properties try. */

/** SLIPWAY_PROPERTY_TIMES: so many times more than usual, as in .ci/nightly. */
const TIMES = Number(process.env['SLIPWAY_PROPERTY_TIMES'] ?? 1)

/** For a property that tries another number of cases than most. */
export const runs = (count: number): number => count * TIMES
