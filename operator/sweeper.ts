import type { Execution, Task } from '../core/crd/types.ts'
import { EXECUTIONS_PATH, SANDBOXES_PATH, sandboxOf } from '../core/execution/layout.ts'
import { isWork } from '../core/execution/state.ts'
import { deliveryName, executionName } from '../core/names.ts'
import { needsWorkspace } from '../core/task/workspaces.ts'
import type { Change } from '../kube/cache.ts'
import { orAborted } from '../lib/async.ts'
import { readBelonging, writeBelonging } from '../lib/belonging.ts'
import { delay } from '../lib/clock.ts'
import { describeLoss, isTooMuch } from '../core/execution/belonging.ts'
import { type HeldNotes, hold } from './belonging.ts'
import { findNamespaceUid } from '../kube/namespace.ts'
import type { OperatorContext } from './context.ts'
import type { Informers } from './informers.ts'
import {
  type OwnedFolder,
  type Sweep,
  type SweptNamespace,
  findUnowned,
  finishRemovals,
  listFolders,
  openLookup,
  sweepFolder,
} from './sweep.ts'

/** A namespace that is served, with its caches as what tells of changes. */
export interface WatchedNamespace extends SweptNamespace {
  readonly informers: Informers
}

export interface SweeperOptions extends Pick<OperatorContext, 'clock' | 'logger'>, Pick<HeldNotes, 'note' | 'events'> {
  readonly served: readonly WatchedNamespace[]
  /** Absolute. */
  readonly volumeRoot: string
}

/** Deletions often come together. */
const GATHER_MS = 1000
/** What was in use is looked at again after this at the latest. */
const BUSY_MS = 60_000
/** Every folder is looked at once an hour, in case a deletion was not heard of. */
const FULL_SWEEP_MS = 3_600_000
/** Whether a person has decided is looked at so often. */
const HELD_MS = 2000
/** For more folders than this the server is asked by lists, and each removal waits for its turn. */
const MANY = 20
const PACE_MS = 50

/**
 * Sweeps the volume (sweep.ts): all of it first, then what may have lost its owner; until `ended` aborts. For
 * the operator that leads, whose caches are filled.
 *
 * Of a deletion that the server tells, the folders go. What is merely found without an owner, or missing from a list, may
 * be a control plane that lost its objects: more than a share of all folders waits for a person.
 */
export async function runSweeper(options: SweeperOptions, ended: AbortSignal): Promise<void> {
  const { served, volumeRoot, clock, logger } = options
  const pending = new Map<string, OwnedFolder>()
  let wake = new AbortController()
  // An abort makes an exception each time, even where there is nothing left to abort.
  const stir = (): void => (wake.signal.aborted ? undefined : wake.abort())
  const hear = (folders: readonly OwnedFolder[]): void => {
    for (const folder of folders) pending.set(`${folder.parent}/${folder.name}`, folder)
    if (folders.length > 0) stir()
  }
  let fullAt = clock.now().getTime()
  let isHeld = false
  const listenTo = (informers: Informers) =>
    listen(informers, {
      hear,
      retry: () => pending.size > 0 && stir(),
      suspect() {
        fullAt = clock.now().getTime()
        stir()
      },
    })
  const deaf = served.flatMap(({ informers }) => listenTo(informers))
  const sweep = async (): Promise<void> => {
    const isMany = pending.size > MANY
    const how: Sweep = {
      served,
      ended,
      ...(isMany && { lookup: await openLookup({ served, ended }, [...pending.values()]) }),
    }
    for (const [key, folder] of pending) {
      if (ended.aborted) return
      const outcome = await orAborted(sweepFolder(how, folder), ended)
      if (outcome !== 'busy') pending.delete(key)
      if (outcome !== 'removed') continue
      logger.info({ folder: key }, 'a folder without an owner was removed')
      if (isMany) await delay(clock, PACE_MS, ended)
    }
  }
  const sweepAll = async (): Promise<void> => {
    await finishRemovals(volumeRoot)
    const folders = await listFolders(volumeRoot)
    const { gone, spent } = await findUnowned({ served, ended }, folders)
    hear(spent)
    isHeld = await isHeldBack(options, gone.length, folders.length)
    if (!isHeld) hear(gone)
    await sweep()
    if (!isHeld) await spendAdoptions(options)
  }
  try {
    while (!ended.aborted) {
      wake = new AbortController()
      try {
        if (clock.now().getTime() >= fullAt || (isHeld && (await isDecided(options)))) {
          fullAt = clock.now().getTime() + FULL_SWEEP_MS
          await orAborted(sweepAll(), ended)
        } else await sweep()
      } catch (error) {
        if (!ended.aborted) logger.warn({ error }, 'sweeping the data volume failed; it is tried again')
      }
      const nextMs = isHeld ? HELD_MS : pending.size > 0 ? BUSY_MS : FULL_SWEEP_MS
      await delay(clock, nextMs, AbortSignal.any([ended, wake.signal]))
      await delay(clock, GATHER_MS, ended)
    }
  } finally {
    for (const end of deaf) end()
  }
}

/** What of a full sweep has to wait for a person; the volume says so. */
async function isHeldBack(
  { served, volumeRoot, ...notes }: SweeperOptions,
  gone: number,
  folders: number,
): Promise<boolean> {
  const marks = await Promise.all(served.map(({ namespace }) => readBelonging(volumeRoot, namespace)))
  const allowed = marks.reduce((sum, { adopted }) => sum + (adopted?.unowned ?? 0), 0)
  const isHeld = isTooMuch(gone, folders, allowed)
  const text = describeLoss(gone, folders)
  for (const one of isHeld ? served : []) {
    const uid = (await findNamespaceUid(one.context, one.namespace)) ?? ''
    await hold(volumeRoot, one, { uid, unowned: gone, text }, notes)
  }
  if (!isHeld) notes.note(undefined)
  return isHeld
}

async function isDecided({ served, volumeRoot }: SweeperOptions): Promise<boolean> {
  const marks = await Promise.all(served.map(({ namespace }) => readBelonging(volumeRoot, namespace)))
  return marks.some(({ adopted }) => adopted !== undefined)
}

/** What a person let go is gone: the next loss waits again. */
async function spendAdoptions({ served, volumeRoot }: SweeperOptions): Promise<void> {
  for (const { namespace } of served) {
    const { uid, held, adopted } = await readBelonging(volumeRoot, namespace)
    if (held !== undefined || adopted !== undefined) await writeBelonging(volumeRoot, namespace, { uid })
  }
}

interface Ears {
  readonly hear: (folders: readonly OwnedFolder[]) => void
  readonly retry: () => unknown
  /** A list lacked what was there before. */
  readonly suspect: () => void
}

/** Tells which folders may have lost their owner, and when something that was in use may have ended. */
function listen(informers: Informers, { hear, retry, suspect }: Ears): (() => void)[] {
  const isInferred = (change: Change<Task | Execution>): boolean =>
    change.type === 'delete' && change.isInferred === true
  return [
    informers.tasks.onChange((change) => (isInferred(change) ? suspect() : hear(foldersOfTask(change)))),
    informers.executions.onChange((change) => (isInferred(change) ? suspect() : hear(foldersOfExecution(change)))),
    informers.jobs.onChange(({ type }) => type !== 'add' && retry()),
    informers.pods.onChange(({ type }) => type !== 'add' && retry()),
  ]
}

function foldersOfTask(change: Change<Task>): OwnedFolder[] {
  if (change.type === 'add') return []
  const { metadata, status } = change.previous
  const sandbox = { parent: SANDBOXES_PATH, name: metadata.name } as const
  if (change.type === 'update') {
    const isOver = needsWorkspace(change.previous) && !needsWorkspace(change.object)
    return isOver ? [sandbox] : []
  }
  const { executions = 0, deliveries = 0 } = status ?? {}
  const names = [
    ...Array.from({ length: executions }, (_, i) => executionName(metadata.name, i + 1)),
    ...Array.from({ length: deliveries }, (_, i) => deliveryName(metadata.name, i + 1)),
  ]
  return [sandbox, ...names.map((name) => ({ parent: EXECUTIONS_PATH, name }) as const)]
}

function foldersOfExecution(change: Change<Execution>): OwnedFolder[] {
  if (change.type !== 'delete') return []
  const { previous } = change
  const files = { parent: EXECUTIONS_PATH, name: previous.metadata.name } as const
  return isWork(previous) ? [files] : [files, { parent: SANDBOXES_PATH, name: sandboxOf(previous) }]
}
