/**
 * File work of reconciles on the data volume, so that a volume which does not answer (NFS whose server is away, a stuck
 * disk) stops only what needs it.
 *
 * Such a call cannot be cancelled: it holds a thread of Node's pool until the volume is back, and the pool also serves
 * name look-ups and every other file. So all work together makes at most as many calls at once as three quarters of the
 * pool have threads. The rest waits here, which costs no thread; on a volume that does not answer it is refused beyond
 * a bound, and tried again. The last quarter is for all else, the sweep and the archive included, which make few calls
 * at once. Of Node's default of four threads that leaves too little for work of several calls: there three pieces are at
 * work at once, and if several calls of one hang, they may take the whole pool. The chart sets 64.
 *
 * Work that has lasted long is counted, told in the log once, and by an Event of each object that waits for it.
 */
import { createSemaphore } from '../lib/async.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { REMOVALS_AT_ONCE } from '../lib/remove-tree.ts'
import { threadPoolSize } from '../lib/thread-pool.ts'

/** How many calls work makes at once, at most. */
const CALLS_AT_ONCE = { read: 1, write: 1, prepare: 4, remove: REMOVALS_AT_ONCE } as const

/** One piece of work, and the path that it is about, as logs and Events name it. */
export interface VolumePiece {
  readonly kind: keyof typeof CALLS_AT_ONCE
  /** On the volume. */
  readonly path: string
}

/** Does work that a decision has asked for; between its calls it looks whether `lost` has aborted. */
export type VolumeWork<T> = (lost: AbortSignal | undefined) => Promise<T>

/** Does a piece of work of one reconcile. @throws VolumeNotAnswering; what `work` does; the reason of an abort */
export type OnVolume = <T>(piece: VolumePiece, work: VolumeWork<T>) => Promise<T>

export interface HowToRun {
  /** Aborts when nothing may be written any more: what has not begun does not begin. */
  readonly lost?: AbortSignal
  readonly onBegun?: () => void
  /** Called once if the work lasts long, the wait for its turn included. */
  readonly onStalled?: () => void
}

/** What the pieces of all reconciles have in common. */
export interface VolumeGate {
  run<T>(piece: VolumePiece, work: VolumeWork<T>, how?: HowToRun): Promise<T>
  /** How many pieces have lasted long by now, their wait included. */
  stalled(): number
}

/** So much waits that what comes now is tried again later. */
export class VolumeNotAnswering extends Error {
  override readonly name = 'VolumeNotAnswering'
}

/** With those at work fewer than the keys that may step aside (kube/controller.ts), so that no worker is held for long. */
const MAX_WAITING = 150
/** No work on a volume that answers lasts so long, but the removal of a very large clone. */
export const STALLED_MS = 10_000

export interface VolumeGateOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** The size of Node's thread pool (lib/thread-pool.ts); absent: its default. */
  readonly threads?: number
}

export function createVolumeGate({ clock, logger, threads = threadPoolSize({}) }: VolumeGateOptions): VolumeGate {
  const places = Math.max(1, Math.floor((threads * 3) / 4))
  // No piece keeps all others waiting: to remove a large clone takes long, and to wait for that would be worse.
  const most = Math.max(1, Math.floor(places / 3))
  const enter = createSemaphore(places)
  const stalled = new Set<VolumePiece>()
  let waiting = 0
  const takeTurn = async (kind: VolumePiece['kind'], lost: AbortSignal | undefined): Promise<() => void> => {
    if (stalled.size > 0 && waiting >= MAX_WAITING) {
      throw new VolumeNotAnswering(`the data volume does not answer: ${waiting} pieces of work wait for it already`)
    }
    waiting += 1
    try {
      return await enter(lost, Math.min(most, CALLS_AT_ONCE[kind]))
    } finally {
      waiting -= 1
    }
  }
  const tell = (piece: VolumePiece): void => {
    stalled.add(piece)
    if (stalled.size > 1) return
    logger.warn({ ...piece, seconds: STALLED_MS / 1000 }, 'the data volume does not answer; what needs no file goes on')
  }
  const forget = (piece: VolumePiece): void => {
    if (stalled.delete(piece) && stalled.size === 0) logger.info('the data volume answers again')
  }
  return {
    async run(given, work, { lost, onBegun, onStalled } = {}) {
      // An identity of its own: the same path may be worked on twice.
      const piece = { ...given }
      const disarm = clock.schedule(STALLED_MS, () => {
        tell(piece)
        onStalled?.()
      })
      try {
        const leave = await takeTurn(piece.kind, lost)
        try {
          onBegun?.()
          return await work(lost)
        } finally {
          leave()
        }
      } finally {
        disarm()
        forget(piece)
      }
    },
    stalled: () => stalled.size,
  }
}
