import { Writable } from 'node:stream'
import type { Clock } from '../../lib/clock.ts'

const LIMIT_MS = 5 * 60_000

/**
 * A stream to `sink`, which fails once `sink` has taken nothing for five minutes.
 *
 * A kubectl that was ended closes nothing in the pod: the container runtime keeps the other end of the pipe and no longer
 * reads it (containerd 1.6). Whoever writes there would wait for ever.
 */
export function failingWhenStuck(sink: Writable, clock: Clock): Writable {
  return new Writable({
    write(chunk, _, done) {
      let isOver = false
      const end = (error?: Error | null): void => {
        // A stream that is destroyed may still answer the write that it has begun, or may never do so.
        if (!isOver) done(error)
        isOver = true
        cancel()
      }
      const cancel = clock.schedule(LIMIT_MS, () => {
        const error = new Error('nobody has read what was written for 5 minutes: the backup is given up')
        sink.destroy(error)
        end(error)
      })
      sink.write(chunk, end)
    },
  })
}
