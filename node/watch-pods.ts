import type { Pod } from '../kube/builtin.ts'
import { type Informer, type InformerOptions, createInformer, withoutManagedFields } from '../kube/informer.ts'
import { PODS } from '../kube/resources.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { NodeClient } from './context.ts'

export interface WatchSettings {
  readonly client: NodeClient
  readonly clock: Clock
  readonly logger: Logger
  readonly randomBytes: (size: number) => Uint8Array
}

/** A cache of the pods that the selectors choose, which follows the API once it runs. */
export function watchPods(
  { client, clock, logger, randomBytes }: WatchSettings,
  selectors: Pick<InformerOptions<Pod>, 'namespace' | 'labelSelector' | 'fieldSelector'>,
): Informer<Pod> {
  const random = (): number => Buffer.from(randomBytes(4)).readUInt32LE() / 2 ** 32
  return createInformer({
    client,
    resource: PODS,
    ...selectors,
    transform: withoutManagedFields,
    clock,
    random,
    logger,
  })
}
