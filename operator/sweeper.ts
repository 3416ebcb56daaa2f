import type { Execution, Task } from '../core/crd/types.ts'
import { EXECUTIONS_PATH, SANDBOXES_PATH, sandboxOf } from '../core/execution/layout.ts'
import { isWork } from '../core/execution/state.ts'
import { deliveryName, executionName } from '../core/names.ts'
import { stateOf } from '../core/task/decide.ts'
import type { Change } from '../kube/cache.ts'
import { orAborted, whenAborted } from '../lib/async.ts'
import { delay } from '../lib/clock.ts'
import type { OperatorContext } from './context.ts'
import type { Informers } from './informers.ts'
import type { OwnedFolder, SweptNamespace } from './sweep.ts'
import { listFolders, sweepFolder } from './sweep.ts'

/** A namespace that is served, with its caches as what tells of changes. */
export interface WatchedNamespace extends SweptNamespace {
  readonly informers: Informers
}

export interface SweeperOptions extends Pick<OperatorContext, 'clock' | 'logger'> {
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

/**
 * Sweeps the volume (sweep.ts): all of it first, then what may have lost its owner; until `stop` or `lost` aborts. To be
 * run by the operator that leads.
 */
export async function runSweeper(options: SweeperOptions, stop: AbortSignal, lost?: AbortSignal): Promise<void> {
  const { served, volumeRoot, clock, logger } = options
  const ended = lost === undefined ? stop : AbortSignal.any([stop, lost])
  const pending = new Map<string, OwnedFolder>()
  let wake = new AbortController()
  // An abort makes an exception each time, even where there is nothing left to abort.
  const stir = (): void => (wake.signal.aborted ? undefined : wake.abort())
  const hear = (folders: readonly OwnedFolder[]): void => {
    for (const folder of folders) pending.set(`${folder.parent}/${folder.name}`, folder)
    if (folders.length > 0) stir()
  }
  const deaf = served.flatMap(({ informers }) => listen(informers, hear, () => pending.size > 0 && stir()))
  const sweep = async (): Promise<void> => {
    for (const [key, folder] of pending) {
      if (ended.aborted) return
      const outcome = await orAborted(sweepFolder(served, folder, ended), ended)
      if (outcome !== 'busy') pending.delete(key)
      if (outcome === 'removed') logger.info({ folder: key }, 'a folder without an owner was removed')
    }
  }
  const isSynced = Promise.all(served.flatMap(({ informers }) => Object.values(informers).map(({ synced }) => synced)))
  await Promise.race([isSynced, whenAborted(ended)])
  try {
    let fullAt = clock.now().getTime()
    while (!ended.aborted) {
      wake = new AbortController()
      try {
        if (clock.now().getTime() >= fullAt) {
          fullAt = clock.now().getTime() + FULL_SWEEP_MS
          hear(await orAborted(listFolders(volumeRoot), ended))
          wake = new AbortController()
        }
        await sweep()
      } catch (error) {
        if (!ended.aborted) logger.warn({ error }, 'sweeping the data volume failed; it is tried again')
      }
      await delay(clock, pending.size > 0 ? BUSY_MS : FULL_SWEEP_MS, AbortSignal.any([ended, wake.signal]))
      await delay(clock, GATHER_MS, ended)
    }
  } finally {
    for (const end of deaf) end()
  }
}

/** Tells which folders may have lost their owner, and when something that was in use may have ended. */
function listen(
  informers: Informers,
  hear: (folders: readonly OwnedFolder[]) => void,
  retry: () => unknown,
): (() => void)[] {
  return [
    informers.tasks.onChange((change) => hear(foldersOfTask(change))),
    informers.executions.onChange((change) => hear(foldersOfExecution(change))),
    informers.jobs.onChange(({ type }) => type !== 'add' && retry()),
    informers.pods.onChange(({ type }) => type !== 'add' && retry()),
  ]
}

function foldersOfTask(change: Change<Task>): OwnedFolder[] {
  if (change.type === 'add') return []
  const { metadata, status } = change.previous
  const sandbox = { parent: SANDBOXES_PATH, name: metadata.name } as const
  if (change.type === 'update') {
    const isOver = stateOf(change.object) === 'COMPLETED' && stateOf(change.previous) !== 'COMPLETED'
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
