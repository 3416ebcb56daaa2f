import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type VapidHome, createVapidKeys, loadVapidKeys, VAPID_SECRET } from '../../../api-server/push/vapid.ts'
import { SECRETS } from '../../../kube/resources.ts'
import { KubeError } from '../../../kube/types.ts'
import { loadConfig } from '../../../lib/config.ts'
import { NAMESPACE } from '../../helpers/build.ts'
import { memoryKube } from '../../helpers/memory-kube.ts'

describe("the server's push key", () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-vapid-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  const inFile = (unique: string): VapidHome => ({ kind: 'file', path: join(folder, 'config.yaml'), unique })

  it('is made once in the configuration file, which stays one that loads and is for its owner only', async () => {
    const [a, b] = await Promise.all([loadVapidKeys(inFile('a')), loadVapidKeys(inFile('b'))])
    assert.deepEqual(a, b)
    const config = loadConfig({ flags: { dataDir: folder }, env: {} })
    assert.equal(config.vapidPrivateKey, a.privateKey)
    assert.equal((await stat(join(folder, 'config.yaml'))).mode & 0o777, 0o600)
    assert.doesNotMatch(await readFile(join(folder, 'config.yaml'), 'utf8'), new RegExp(a.publicKey))
  })

  it('is one pair: the public key belongs to the private one', async () => {
    const { privateKey, publicKey } = await loadVapidKeys(inFile('a'))
    const ecdh = createECDH('prime256v1')
    ecdh.setPrivateKey(privateKey, 'base64url')
    assert.equal(ecdh.getPublicKey('base64url'), publicKey)
    assert.deepEqual(await loadVapidKeys({ kind: 'given', privateKey }), { privateKey, publicKey })
  })

  it('is made once in a Secret, though two servers find none', async () => {
    const client = memoryKube()
    const home = { kind: 'secret', client, namespace: NAMESPACE } as const
    const [a, b] = await Promise.all([loadVapidKeys(home), loadVapidKeys(home)])
    assert.deepEqual(a, b)
    assert.equal(client.all(SECRETS).length, 1)
  })

  it('is written into the empty Secret of an installation by the first, and once', async () => {
    const client = memoryKube()
    client.put(SECRETS, { metadata: { namespace: NAMESPACE, name: VAPID_SECRET } })
    const home = { kind: 'secret', client, namespace: NAMESPACE } as const
    const [a, b] = await Promise.all([loadVapidKeys(home), loadVapidKeys(home)])
    assert.deepEqual(a, b)
    assert.deepEqual(await loadVapidKeys(home), a)
  })

  it('is asked for again after a failure', async () => {
    const client = memoryKube()
    client.onWrite = () => {
      throw new KubeError(403, 'Forbidden', 'no right')
    }
    const keys = createVapidKeys({ kind: 'secret', client, namespace: NAMESPACE })
    await assert.rejects(keys(), { message: 'no right' })
    client.onWrite = () => undefined
    assert.equal(await keys(), await keys())
  })
})
