/**
 * File work of reconciles on the data volume, so that a volume which does not answer (NFS whose server is away, a stuck
 * disk) stops only what needs it.
 *
 * Such a call cannot be cancelled: it holds a thread of Node's pool until the volume is back, and the pool also serves
 * name look-ups and every other file. So all work together makes at most as many calls at once as three quarters of the
 * pool have threads. The rest waits here, which costs no thread, and beyond a bound is refused and tried again. The
 * last quarter is for all else, the sweep and the archive included, which make few calls at once.
 *
 * Work that has lasted long is counted, told in the log once, and by an Event of each object that waits for it.
 */
import type { StepAside } from '../kube/controller.ts'
import type { KubeObject } from '../kube/types.ts'
import { createSemaphore } from '../lib/async.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { REMOVALS_AT_ONCE } from '../lib/remove-tree.ts'
import { threadPoolSize } from '../lib/thread-pool.ts'
import type { OperatorContext } from './context.ts'

/** How many calls work makes at once, at most. A folder is prepared by writing its marks and texts side by side. */
const CALLS_AT_ONCE = { read: 1, write: 1, prepare: 8, remove: REMOVALS_AT_ONCE } as const

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

/** What the pieces of all reconciles have in common. */
export interface VolumeGate {
  /**
   * @param lost aborts when nothing may be written any more: what has not begun does not begin
   * @param onStalled called once if the work lasts long
   */
  run<T>(piece: VolumePiece, work: VolumeWork<T>, lost?: AbortSignal, onStalled?: () => void): Promise<T>
  /** How many pieces have lasted long by now, their wait included. */
  stalled(): number
}

/** So much waits that what comes now is tried again later. */
export class VolumeNotAnswering extends Error {
  override readonly name = 'VolumeNotAnswering'
}

/** With those at work fewer than the keys that may step aside: workers are never held up by the volume. */
const MAX_WAITING = 150
/** No work on a volume that answers lasts so long, but the removal of a very large clone. */
export const STALLED_MS = 10_000

export interface VolumeGateOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** Of Node's pool (lib/thread-pool.ts); absent: its default. */
  readonly threads?: number
}

export function createVolumeGate({ clock, logger, threads = threadPoolSize({}) }: VolumeGateOptions): VolumeGate {
  const places = Math.max(1, Math.floor((threads * 3) / 4))
  const refuse = () => new VolumeNotAnswering(`the data volume does not answer: ${MAX_WAITING} pieces of work wait`)
  const enter = createSemaphore(places, { maxWaiting: MAX_WAITING, refuse })
  const stalled = new Set<VolumePiece>()
  const tell = (piece: VolumePiece): void => {
    stalled.add(piece)
    if (stalled.size > 1) return
    logger.warn({ ...piece, seconds: STALLED_MS / 1000 }, 'the data volume does not answer; what needs no file goes on')
  }
  const forget = (piece: VolumePiece): void => {
    if (stalled.delete(piece) && stalled.size === 0) logger.info('the data volume answers again')
  }
  return {
    async run(given, work, lost, onStalled) {
      // An identity of its own: the same path may be worked on twice.
      const piece = { ...given }
      const disarm = clock.schedule(STALLED_MS, () => {
        tell(piece)
        onStalled?.()
      })
      try {
        const leave = await enter(lost, Math.min(places, CALLS_AT_ONCE[piece.kind]))
        try {
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

/** The context of one reconcile: while it waits for the volume, its worker is free and its object says so. */
export function stepAsideOnVolume(
  context: OperatorContext,
  stepAside: StepAside,
  lost: AbortSignal,
  findObject: () => KubeObject | undefined,
): OperatorContext {
  const { volume, events } = context
  const onVolume: OnVolume = (piece, work) => {
    const tell = (): void => {
      const object = findObject()
      if (object === undefined || lost.aborted) return
      const message = `the data volume does not answer (${piece.path}): this goes on by itself when it does`
      events.record(object, { type: 'Warning', reason: 'VolumeNotAnswering', message })
    }
    return stepAside(volume.run(piece, work, lost, tell))
  }
  return { ...context, onVolume }
}
