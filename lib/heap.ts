import { setFlagsFromString } from 'node:v8'

/** How far the heap of a server may grow beyond what is alive, in percent. */
const GROWTH_PERCENT = 50

/**
 * Has garbage collected earlier than V8 would: what is dead takes at most half as much again as what is alive, and not
 * several times as much. Memory of a server is taken from the agents beside it; docs/performance.md has what it takes.
 *
 * And has V8 give back, 8 s after the last collection, what a start or a busy time has left; by itself it waits until
 * hardly anything is allocated, up to 100 s. At the making of a heap the flag would also hold the space of young objects
 * at 1 MB, which costs time of every request: for that it comes too late here.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  setFlagsFromString('--optimize-for-size')
}
