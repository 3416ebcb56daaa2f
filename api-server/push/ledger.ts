/**
 * What has been told, where every server can see it: one ConfigMap, changed by compare-and-swap.
 *
 * A notification is claimed before it is sent, and only who has claimed it sends it. So it is sent once, across
 * restarts, changes of the leader, and even two servers that both believe to lead; a server that is killed between
 * claim and delivery leaves it unsent (at most once).
 *
 * Kept are claims of the last day; of more than there is room for the oldest go, and what is as old counts as told.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { parseJson } from '../../core/json.ts'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import type { ConfigMap } from '../../kube/builtin.ts'
import { CONFIG_MAPS } from '../../kube/resources.ts'
import { type KubeClient, isAlreadyExists, isConflict } from '../../kube/types.ts'
import { compileCheck } from '../../lib/validate.ts'

/** One notification to claim. */
export interface Claim {
  readonly key: string
  /** Set: it is not news, but came about then; too old to be in the ledger it counts as told. */
  readonly since?: Date | undefined
}

export interface Ledger {
  /** Claims those that nobody has claimed before, and gives their keys. */
  claim(claims: readonly Claim[], now: Date): Promise<ReadonlySet<string>>
}

/** Name of the ConfigMap. */
const LEDGER_CONFIG_MAP = 'slipway-push-sent'

/** Older outcomes are not told any more. */
export const MAX_AGE_MS = 24 * 3_600_000
/** Longer than {@link MAX_AGE_MS}, for clocks that differ. */
const KEPT_MS = MAX_AGE_MS + 3_600_000
/** About 90 KB. */
const MAX_CLAIMS = 2000
const MAX_RACES = 20

const Content = Type.Object({
  /** What came about until then counts as told (milliseconds since 1970). */
  floor: Type.Number(),
  /** Digest of each claimed key, and when it was claimed (milliseconds since 1970); oldest first. */
  claims: Type.Array(Type.Object({ digest: Type.String(), at: Type.Number() })),
})

/** What the ConfigMap holds. */
export type LedgerContent = Static<typeof Content>

const EMPTY: LedgerContent = { floor: 0, claims: [] }
const check = compileCheck(Content)

/** The ledger of one namespace. */
export function createLedger(client: KubeClient, namespace: string): Ledger {
  const key = { namespace, name: LEDGER_CONFIG_MAP }
  const fresh: ConfigMap = { metadata: { ...key, labels: { [LABELS.managedBy]: MANAGED_BY } } }
  return {
    async claim(claims, now) {
      for (let race = 0; race < MAX_RACES; race += 1) {
        const found = await client.find(CONFIG_MAPS, key)
        const { content, won } = claimIn(readContent(found), claims, now)
        if (won.size === 0) return won
        const written = { ...(found ?? fresh), data: { ...found?.data, sent: JSON.stringify(content) } }
        try {
          await (found === undefined ? client.create(CONFIG_MAPS, written) : client.replace(CONFIG_MAPS, written))
          return won
        } catch (error) {
          if (!isConflict(error) && !isAlreadyExists(error)) throw error
        }
      }
      throw new Error(`ConfigMap ${LEDGER_CONFIG_MAP} keeps changing`)
    },
  }
}

/** Pure: which of `claims` are new, and the content with them. */
function claimIn(
  content: LedgerContent,
  claims: readonly Claim[],
  now: Date,
): { readonly content: LedgerContent; readonly won: ReadonlySet<string> } {
  const nowMs = now.getTime()
  const known = new Set(content.claims.map(({ digest }) => digest))
  const isNew = ({ key, since }: Claim): boolean =>
    !known.has(digestOf(key)) && (since === undefined || since.getTime() > content.floor)
  const won = new Set(claims.filter(isNew).map(({ key }) => key))
  const added = [...won].map((key) => ({ digest: digestOf(key), at: nowMs }))
  const kept = [...content.claims.filter(({ at }) => nowMs - at < KEPT_MS), ...added]
  const evicted = kept[kept.length - MAX_CLAIMS - 1]
  const floor = evicted === undefined ? content.floor : Math.max(content.floor, evicted.at)
  return { content: { floor, claims: kept.slice(-MAX_CLAIMS) }, won }
}

function readContent(found: ConfigMap | undefined): LedgerContent {
  const checked = check(parseJson(found?.data?.['sent'] ?? ''))
  return checked.ok ? checked.value : EMPTY
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 16)
}
