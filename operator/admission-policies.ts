/**
 * Whether the admission policies of a namespace are in force. The configuration says that they should be; whoever deletes
 * them, by a command that meant another release or on purpose, would otherwise leave an operator that records invented
 * names as proven. So the operator asks for something that only the policy `decisions` refuses, as a dry run.
 *
 * Source: docs/specification.md §4.32.
 */
import { POLICIES_MISSING } from '../core/decision.ts'
import { ANNOTATIONS } from '../core/names.ts'
import type { KubeClient, KubeObject } from '../kube/types.ts'
import { KubeError } from '../kube/types.ts'
import type { Clock } from '../lib/clock.ts'
import { delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { View } from './context.ts'

export interface PolicyWatch {
  /** Whether the last try was refused as it should be; false before the first. */
  areInForce(): boolean
  /** Whether the last try was let through; false before the first. */
  areMissing(): boolean
  /** Tries once. */
  look(): Promise<void>
  /** Tries now and then, until `ended` aborts. */
  run(ended: AbortSignal): Promise<void>
}

export interface PolicyWatchOptions {
  /** As the operator, whose rights of its own would let the request pass. */
  readonly client: Pick<KubeClient, 'mergePatch'>
  readonly namespace: string
  /** What may be decided on: the first object of them is tried. Where there is none, nobody decides. */
  readonly decided: readonly Pick<View<KubeObject>, 'list' | 'resource'>[]
  readonly clock: Clock
  readonly logger: Logger
}

const LOOK_AGAIN_MS = 60_000
/** While they are not known to be in force: an installation makes them after the operator. */
const LOOK_SOON_MS = 5_000

/** No kind has such an action. */
const PROBE = { metadata: { annotations: { [ANNOTATIONS.action]: 'are-policies-in-force' } } }
const REFUSAL = /ValidatingAdmissionPolicy '[^']*-decisions'/

/** Begins without knowing: nothing is asked for before {@link PolicyWatch.look}. */
export function watchPolicies({ client, namespace, decided, clock, logger }: PolicyWatchOptions): PolicyWatch {
  let found: boolean | undefined
  const note = (inForce: boolean): void => {
    if (!inForce && found !== false) logger.error({ namespace }, POLICIES_MISSING)
    if (inForce && found === false) logger.info({ namespace }, 'the admission policies are in force again')
    found = inForce
  }
  const look = async (): Promise<void> => {
    const view = decided.find(({ list }) => list(namespace).length > 0)
    const name = view?.list(namespace)[0]?.metadata.name
    // With the last object goes what the try is made on: then nothing is known any more.
    if (view === undefined || name === undefined) return void (found = undefined)
    try {
      await client.mergePatch(view.resource, { namespace, name }, PROBE, { dryRun: true })
      note(false)
    } catch (error) {
      if (error instanceof KubeError && REFUSAL.test(error.message)) note(true)
      else logger.warn({ namespace, error }, 'whether the admission policies are in force is not known')
    }
  }
  return {
    areInForce: () => found === true,
    areMissing: () => found === false,
    look,
    async run(ended) {
      while (!ended.aborted) {
        await delay(clock, found === true ? LOOK_AGAIN_MS : LOOK_SOON_MS, ended)
        if (!ended.aborted) await look()
      }
    },
  }
}
