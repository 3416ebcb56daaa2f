import { keyPrefix } from './kind.ts'
import type { Kind } from './kind.ts'
import { readState } from './read.ts'
import type { Selection } from './selection.ts'
import type { Change, Store } from './storage/backend.ts'

/**
 * Watches are cursors over the store's bounded history.
 *
 * Nothing is queued per watcher: each one reads on from where it is, when it can. So a slow one costs no memory; if
 * it falls behind the history it is told that its version is too old (410) and lists again.
 */

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  /** The object; for DELETED as it was last, with the revision of its end. */
  readonly json: string
}

export interface WatchStart {
  readonly namespace: string | undefined
  readonly selection: Selection
  /** Changes after this revision. */
  readonly after: number
  /** First the state at `after`, as ADDED events. */
  readonly withState: boolean
}

export type WatchBatch =
  | { readonly kind: 'events'; readonly events: readonly WatchEvent[]; readonly revision: number }
  /** The state has been told; changes follow. */
  | { readonly kind: 'synced'; readonly revision: number }

/**
 * Batches of events until `signal` aborts. `revision` of a batch is how far the watch has come, events or not.
 *
 * @throws RevisionCompacted when the watch has fallen behind the history
 */
export async function* watchKind(
  store: Store,
  kind: Kind,
  start: WatchStart,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch, void, void> {
  const { namespace, selection } = start
  if (start.withState) {
    for (const chunk of readState(store, kind, { namespace, selection, revision: start.after })) {
      const events = chunk.map(({ revision, value }): WatchEvent => ({ type: 'ADDED', revision, json: value }))
      yield { kind: 'events', events, revision: start.after }
      if (signal.aborted) return
    }
    yield { kind: 'synced', revision: start.after }
  }
  const prefix = keyPrefix(kind, kind.namespaced ? namespace : undefined)
  let revision = start.after
  while (!signal.aborted) {
    if (store.revision <= revision) {
      await moved(store, signal)
      continue
    }
    const changes = store.changesAfter(revision)
    revision = store.revision
    const events = changes
      .filter(({ key }) => key.startsWith(prefix))
      .map((change) => toEvent(change, selection))
      .filter((event) => event !== undefined)
    yield { kind: 'events', events, revision }
  }
}

/** Resolves with the next durable change, or when `signal` aborts. */
function moved(store: Store, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = store.onChange(done)
    signal.addEventListener('abort', done)
  })
}

/** What a change means to somebody who sees only the selected objects; undefined when nothing. */
export function toEvent(change: Change, selection: Selection): WatchEvent | undefined {
  const { previous, revision } = change
  const wasSeen = previous !== undefined && selection.matchesJson(previous.value)
  const isSeen = change.type === 'put' && selection.matchesJson(change.value)
  if (isSeen) return { type: wasSeen ? 'MODIFIED' : 'ADDED', revision, json: change.value }
  if (!wasSeen) return undefined
  // Who leaves the selection is shown as it was when it was still in, but with the new version.
  const json = change.type === 'remove' ? change.value : withRevision(previous.value, revision)
  return { type: 'DELETED', revision, json }
}

function withRevision(json: string, revision: number): string {
  const object: { metadata: { resourceVersion?: string } } = JSON.parse(json)
  object.metadata.resourceVersion = String(revision)
  return JSON.stringify(object)
}
