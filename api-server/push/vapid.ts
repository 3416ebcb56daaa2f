/**
 * The key pair that push services know this installation by (RFC 8292). Browsers subscribe for one public key, so it
 * must outlive the process and be the same for all servers: made once, stored in the configuration file or, where
 * several servers share a cluster, in a Secret, by the first of them.
 */
import { createECDH } from 'node:crypto'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import type { Secret } from '../../kube/builtin.ts'
import { SECRETS } from '../../kube/resources.ts'
import { type KubeClient, isAlreadyExists, isConflict } from '../../kube/types.ts'
import { agreeOnSetting } from '../../lib/config-file.ts'

/** Both in base64url: 32 bytes, and an uncompressed P-256 point of 65 bytes. */
export interface VapidKeys {
  readonly privateKey: string
  readonly publicKey: string
}

/** Where the private key is kept. */
export type VapidHome =
  | { readonly kind: 'given'; readonly privateKey: string }
  | { readonly kind: 'file'; readonly path: string; readonly unique: string }
  | { readonly kind: 'secret'; readonly client: KubeClient; readonly namespace: string }

/** Name of the Secret. */
export const VAPID_SECRET = 'slipway-push-vapid'

/** Name of the key in the configuration file and in the Secret. */
const VAPID_SETTING = 'vapidPrivateKey'

/**
 * The stored key pair; made and stored when there is none yet.
 *
 * @throws Error when it can be neither read nor stored, or is no P-256 key
 */
export async function loadVapidKeys(home: VapidHome): Promise<VapidKeys> {
  const privateKey = await loadPrivateKey(home)
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  return { privateKey, publicKey: ecdh.getPublicKey().toString('base64url') }
}

/** As {@link loadVapidKeys}, once: later callers get the same pair. A failure is tried again by the next one. */
export function createVapidKeys(home: VapidHome): () => Promise<VapidKeys> {
  let loading: Promise<VapidKeys> | undefined
  return () => {
    loading ??= loadVapidKeys(home).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

function loadPrivateKey(home: VapidHome): string | Promise<string> {
  switch (home.kind) {
    case 'given':
      return home.privateKey
    case 'file':
      return agreeOnSetting(home.path, VAPID_SETTING, makePrivateKey, home.unique)
    case 'secret':
      return agreeOnSecret(home)
    default:
      return home satisfies never
  }
}

/** The first to write a key wins, be it into a Secret that the installation made empty, or into a new one. */
async function agreeOnSecret({ client, namespace }: VapidHome & { readonly kind: 'secret' }): Promise<string> {
  const key = { namespace, name: VAPID_SECRET }
  const found = await client.find(SECRETS, key)
  const stored = findKey(found)
  if (stored !== undefined) return stored
  const privateKey = makePrivateKey()
  const data = { ...found?.data, [VAPID_SETTING]: Buffer.from(privateKey).toString('base64') }
  const fresh: Secret = { metadata: { ...key, labels: { [LABELS.managedBy]: MANAGED_BY } }, type: 'Opaque' }
  try {
    if (found === undefined) await client.create(SECRETS, { ...fresh, data })
    else await client.replace(SECRETS, { ...found, data })
    return privateKey
  } catch (error) {
    if (!isAlreadyExists(error) && !isConflict(error)) throw error
  }
  const winner = findKey(await client.get(SECRETS, key))
  if (winner === undefined) throw new Error(`Secret ${VAPID_SECRET} keeps changing, and has no ${VAPID_SETTING}`)
  return winner
}

function findKey(secret: Secret | undefined): string | undefined {
  const value = secret?.data?.[VAPID_SETTING]
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8').trim()
}

/** Left-padded: node leaves out leading zero bytes, which one key in 256 has. */
function makePrivateKey(): string {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
}
