import { setFlagsFromString } from 'node:v8'

/** How far the heap of a server may grow beyond what is alive, in percent. */
const GROWTH_PERCENT = 50

/**
 * Has garbage collected earlier than V8 would: what is dead takes at most half as much again as what is alive, and not
 * several times as much. Memory of a server is taken from the agents beside it; docs/performance.md has what it takes.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
