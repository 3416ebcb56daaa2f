/**
 * Keeps an operator from a data volume that is not its own (core/execution/belonging.ts), and from removing what has
 * lost its objects: both wait for an import or for `slipway adopt`.
 */
import { type Belonging, describeForeign, isOurs } from '../core/execution/belonging.ts'
import { findNamespaceUid } from '../kube/namespace.ts'
import { openArchive } from '../lib/archive/archive.ts'
import { whenAborted } from '../lib/async.ts'
import { readBelonging, writeBelonging } from '../lib/belonging.ts'
import { delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { OperatorContext } from './context.ts'
import type { Informers } from './informers.ts'
import { type SweptNamespace, findUnowned, listFolders } from './sweep.ts'

const LOOK_MS = 2000

/** What says that something waits for a person: /readyz, an Event, the log. */
export interface HeldNotes {
  /** @param text undefined once nothing waits */
  note(text: string | undefined): void
  readonly events: OperatorContext['events']
  readonly logger: Logger
}

/** Tells once what was found; where the volume says the same already, only in words of this process. */
export async function hold(
  root: string,
  { namespace, context }: SweptNamespace,
  held: NonNullable<Belonging['held']>,
  { note, events, logger }: HeldNotes,
): Promise<void> {
  await writeBelonging(root, namespace, { ...(await readBelonging(root, namespace)), adopted: undefined, held })
  note(held.text)
  logger.warn({ namespace, volume: root }, held.text)
  const about = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: context.settings.volumeClaim, namespace },
  }
  events.record(about, { type: 'Warning', reason: 'VolumeHeld', message: held.text })
}

/**
 * Waits until all caches are filled, and the volume is known to be of the namespaces that are served; to be called by the
 * operator that leads.
 */
export async function untilOurs(
  served: readonly (SweptNamespace & { readonly informers: Informers })[],
  notes: HeldNotes,
  ended: AbortSignal,
): Promise<void> {
  const isSynced = Promise.all(served.flatMap(({ informers }) => Object.values(informers).map(({ synced }) => synced)))
  await Promise.race([isSynced, whenAborted(ended)])
  for (const one of served) {
    for (let isFirst = true; !ended.aborted; isFirst = false) {
      try {
        if (await isOwn(one, isFirst, notes, ended)) break
      } catch (error) {
        if (!ended.aborted)
          notes.logger.warn(
            { namespace: one.namespace, error },
            'whose the data volume is cannot be found out; it is tried again',
          )
      }
      await delay(one.context.clock, LOOK_MS, ended)
    }
  }
  notes.note(undefined)
}

/** @param looks false: only whether somebody has decided meanwhile */
async function isOwn(one: SweptNamespace, looks: boolean, notes: HeldNotes, ended: AbortSignal): Promise<boolean> {
  const { namespace, context } = one
  const root = context.settings.volumeRoot
  const uid = await findNamespaceUid(context, namespace)
  const belonging = await readBelonging(root, namespace)
  if (uid === undefined || belonging.uid === uid) return true
  if (belonging.adopted?.uid !== uid) {
    if (!looks) return false
    const folders = await listFolders(root)
    const { gone } = await findUnowned({ served: [one], ended }, folders)
    const isEmpty = folders.length === 0 && (await openArchive(root).months(namespace)).length === 0
    if (!(belonging.uid === undefined ? isOurs(gone.length, folders.length) : isEmpty)) {
      const text = describeForeign(namespace, belonging.uid, gone.length, folders.length)
      await hold(root, one, { uid, unowned: gone.length, text }, notes)
      return false
    }
  }
  ended.throwIfAborted()
  await writeBelonging(root, namespace, { uid, adopted: belonging.adopted })
  return true
}
