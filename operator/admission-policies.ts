/**
 * Whether the admission policies of a namespace are in force. The configuration says that they should be; whoever deletes
 * them, by a command that meant another release or on purpose, would otherwise leave an operator that records invented
 * names as proven. So the operator tries, as a dry run, what the policies `decisions` and `edits` must refuse. The other
 * policies let an operator through, or are about objects that it may not write.
 *
 * Source: docs/specification.md §4.32.
 */
import { EDITS_MISSING, POLICIES_MISSING } from '../core/decision.ts'
import { ANNOTATIONS } from '../core/names.ts'
import { type KubeClient, type KubeObject, KubeError } from '../kube/types.ts'
import { type Clock, delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { View } from './context.ts'

export interface PolicyWatch {
  /** Whether the last try of a decision was refused, as it should be; false before the first. */
  areInForce(): boolean
  /** Which policy is missing, and what that means; undefined if none is, and before the first try. */
  missing(): string | undefined
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

const NOBODYS = 'are-policies-in-force'
/** No kind has such an action, and the operator may not set such a label. */
const PROBES = [
  {
    body: { metadata: { annotations: { [ANNOTATIONS.action]: NOBODYS } } },
    refusal: /ValidatingAdmissionPolicy '[^']*-decisions'/,
    missing: POLICIES_MISSING,
  },
  {
    body: { metadata: { labels: { [`slipway.dev/${NOBODYS}`]: 'true' } } },
    refusal: /ValidatingAdmissionPolicy '[^']*-edits'/,
    missing: EDITS_MISSING,
  },
] as const
type Probe = (typeof PROBES)[number]

/** Begins without knowing: nothing is asked for before {@link PolicyWatch.look}. */
export function watchPolicies({ client, namespace, decided, clock, logger }: PolicyWatchOptions): PolicyWatch {
  const found = new Map<Probe, boolean>()
  const note = (probe: Probe, inForce: boolean): void => {
    if (!inForce && found.get(probe) !== false) logger.error({ namespace }, probe.missing)
    if (inForce && found.get(probe) === false) logger.info({ namespace }, 'the admission policies are in force again')
    found.set(probe, inForce)
  }
  const areInForce = () => found.get(PROBES[0]) === true
  const look = async (): Promise<void> => {
    const view = decided.find(({ list }) => list(namespace).length > 0)
    const name = view?.list(namespace)[0]?.metadata.name
    // With the last object goes what the try is made on: then nothing is known any more.
    if (view === undefined || name === undefined) return found.clear()
    for (const probe of PROBES) {
      try {
        await client.mergePatch(view.resource, { namespace, name }, probe.body, { dryRun: true })
        note(probe, false)
      } catch (error) {
        if (error instanceof KubeError && probe.refusal.test(error.message)) note(probe, true)
        else logger.warn({ namespace, error }, 'whether the admission policies are in force is not known')
      }
    }
  }
  return {
    areInForce,
    missing: () => PROBES.find((probe) => found.get(probe) === false)?.missing,
    look,
    async run(ended) {
      while (!ended.aborted) {
        await delay(clock, areInForce() ? LOOK_AGAIN_MS : LOOK_SOON_MS, ended)
        if (!ended.aborted) await look()
      }
    },
  }
}
