import type { Change } from '../../kube/cache.ts'
import type { KubeObject } from '../../kube/types.ts'
import { isPresent } from '../cache/record-cache.ts'

/** An object that keeps what people decided about it, oldest first. */
interface Decided extends KubeObject {
  readonly status?: { readonly decisions?: readonly DecisionTaken[] }
}

interface DecisionTaken {
  readonly action: string
  readonly at: string
  readonly by?: string
}

/** Who decided, where the change holds a decision that was not there before. */
export function decidedBy(change: Change<Decided>): { readonly by?: string } {
  if (change.type !== 'update') return {}
  const last = change.object.status?.decisions?.at(-1)
  // What was hidden until now, a story while it was being approved, nobody was told of.
  const before = isPresent(change.previous) ? change.previous.status?.decisions?.at(-1) : undefined
  const isNew =
    last !== undefined && !(last.at === before?.at && last.action === before.action && last.by === before.by)
  return isNew && last.by !== undefined ? { by: last.by } : {}
}
