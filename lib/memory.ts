import { Buffer } from 'node:buffer'
import type { MessagePort } from 'node:worker_threads'
import { MessageChannel } from 'node:worker_threads'

/**
 * Gives the memory of a buffer back at once; the buffer is empty afterwards.
 *
 * V8 (11.3, in Node 20) lets 32 MiB of dead buffers gather before it looks for them, whatever the size of its heap, and
 * every long stream gets there. A buffer that shares its memory is left alone: part of a pool, or of a larger chunk.
 */
export function release(buffer: Uint8Array): void {
  const { buffer: memory, byteLength } = buffer
  if (!(memory instanceof ArrayBuffer) || memory.byteLength !== byteLength || byteLength <= Buffer.poolSize) return
  // What is transferred leaves this side, and is freed because no other side is left to receive it.
  nowhere().postMessage(undefined, [memory])
}

let port: MessagePort | undefined

/** Made at the first use: nothing is opened by importing this. */
function nowhere(): MessagePort {
  if (port !== undefined) return port
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port = port1
  return port
}
