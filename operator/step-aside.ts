import type { StepAside } from '../kube/controller.ts'
import type { KubeObject } from '../kube/types.ts'
import type { OperatorContext } from './context.ts'
import type { OnVolume } from './volume-work.ts'

/**
 * For what is at work. A volume that answers takes a millisecond for a read and some for a folder; and while twenty
 * tasks wait for slow reads, two rounds of the workers, the next start is late by less than 50 ms.
 */
const WORK_MS = 20
/** For its turn: while the volume answers, the wait for it holds further keys back, rather than let all begin at once. */
const TURN_MS = 1000

/** The context of one reconcile: while it waits for the volume, its worker is free and its object says so. */
export function stepAsideOnVolume(
  context: OperatorContext,
  stepAside: StepAside,
  lost: AbortSignal,
  findObject: () => KubeObject | undefined,
): OperatorContext {
  const { volume, events } = context
  const onVolume: OnVolume = async (piece, work) => {
    const onStalled = (): void => {
      const object = findObject()
      if (object === undefined || lost.aborted) return
      const message = `the data volume does not answer (${piece.path}): this goes on by itself when it does`
      events.record(object, { type: 'Warning', reason: 'VolumeNotAnswering', message })
    }
    let onBegun: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (onBegun = resolve))
    const done = volume.run(piece, work, { lost, onBegun, onStalled })
    await stepAside(Promise.race([begun, done]), TURN_MS)
    return stepAside(done, WORK_MS)
  }
  return { ...context, onVolume }
}
