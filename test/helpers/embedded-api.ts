import { randomBytes } from 'node:crypto'
import { makeObjectApi } from '../../embedded/api.ts'
import { BUILT_IN_KINDS } from '../../embedded/builtin/kinds.ts'
import { NAMESPACES } from '../../embedded/builtin/namespace.ts'
import type { ObjectApi } from '../../embedded/objects.ts'
import { makeRegistry } from '../../embedded/registry.ts'
import { openMemoryEngine } from './memory-engine.ts'
import { openStore } from '../../embedded/storage/store.ts'
import { makeVerbs } from '../../embedded/verbs.ts'
import type { Clock } from '../../lib/clock.ts'

/** The embedded server's own verbs on a store in memory, with a namespace `default`; nothing runs beside it. */
export async function makeMemoryApi(clock: Clock): Promise<ObjectApi> {
  const store = openStore(openMemoryEngine())
  const registry = makeRegistry(BUILT_IN_KINDS)
  const api = makeObjectApi(store, registry, makeVerbs({ store, clock, randomBytes, namespaces: NAMESPACES }))
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }
  await api.create({ group: '', version: 'v1', plural: 'namespaces' }, namespace)
  return api
}
