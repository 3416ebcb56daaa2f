import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** What this process holds, in MiB, once garbage is gone: objects, and bytes outside of the heap. */
export function heldMiB(): { readonly heap: number; readonly buffers: number } {
  if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, buffers: arrayBuffers / 2 ** 20 }
}
