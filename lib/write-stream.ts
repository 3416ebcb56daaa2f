import { Buffer } from 'node:buffer'
import { type WriteStream, close, createWriteStream, fsync, open, write, writev } from 'node:fs'
import { type MessagePort, MessageChannel } from 'node:worker_threads'

export interface WriteStreamOptions {
  readonly mode: number
  /** Bytes that wait for the disk before whoever writes is told to. */
  readonly highWaterMark: number
}

/**
 * A new file that is synced when the stream ends, however long it is at the same cost in memory: what has been written
 * is given back at once, see {@link release}. Chunks must not be used after they were handed over.
 *
 * The stream fails with EEXIST when there is anything under the name, also a link.
 */
export function writeNewFile(path: string, options: WriteStreamOptions): WriteStream {
  return createWriteStream(path, { ...options, flags: 'wx', flush: true, fs: RELEASING })
}

type Done<T> = (error: NodeJS.ErrnoException | null, written: number, what: T) => void

/** What a WriteStream does with its file. When the disk took a part only, the stream needs the chunks for the rest. */
const RELEASING = {
  open,
  close,
  fsync,
  write(file: number, chunk: Uint8Array, offset: number, length: number, at: number | null, done: Done<Uint8Array>) {
    write(file, chunk, offset, length, at, (error, written) => {
      if (written === length) release(chunk)
      done(error, written, chunk)
    })
  },
  writev(file: number, chunks: Uint8Array[], at: number | null, done: Done<Uint8Array[]>) {
    const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
    writev(file, chunks, at, (error, written) => {
      if (written === bytes) for (const chunk of chunks) release(chunk)
      done(error, written, chunks)
    })
  },
}

/**
 * Gives the memory of a buffer back at once; the buffer is empty afterwards.
 *
 * V8 (11.3, in Node 20) lets 32 MiB of dead buffers gather before it looks for them, whatever the size of its heap, and
 * every long stream gets there. A buffer that shares its memory is left alone: part of a pool, or of a larger chunk.
 */
export function release(buffer: Uint8Array): void {
  const { buffer: memory, byteLength } = buffer
  if (!(memory instanceof ArrayBuffer) || memory.byteLength !== byteLength || byteLength <= Buffer.poolSize) return
  // A transferred chunk leaves this side, and is freed because no other side is left to receive it.
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
