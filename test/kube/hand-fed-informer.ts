import type { ConfigMap } from '../../kube/builtin.ts'
import { type Change, createCache } from '../../kube/cache.ts'
import type { Informer } from '../../kube/informer.ts'
import { CONFIG_MAPS } from '../../kube/resources.ts'

/** An informer whose news the test brings. */
export function handFedInformer(synced: Promise<boolean> = Promise.resolve(true)) {
  const cache = createCache<ConfigMap>({})
  const handlers = new Set<(change: Change<ConfigMap>) => void>()
  const informer: Informer<ConfigMap> = {
    ...cache,
    resource: CONFIG_MAPS,
    run: () => Promise.resolve(),
    synced,
    hasSynced: () => true,
    isStale: () => false,
    lastContact: () => undefined,
    lastError: () => undefined,
    onChange(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
    observe: () => undefined,
    observeDeleted: () => undefined,
  }
  const put = (object: ConfigMap): void =>
    cache.put(object).forEach((change) => handlers.forEach((handler) => handler(change)))
  return { informer, put }
}
