import { NAMESPACES } from './builtin/namespace.ts'
import { storeKey } from './kind.ts'
import type { Store } from './storage/backend.ts'
import type { Verbs } from './verbs.ts'

/** Those that every cluster has. */
const INITIAL = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

export async function ensureNamespaces(store: Store, verbs: Verbs): Promise<void> {
  const missing = INITIAL.filter((name) => store.latest(storeKey(NAMESPACES, { name })) === undefined)
  await Promise.all(missing.map((name) => verbs.create(NAMESPACES, undefined, { metadata: { name } })))
}
