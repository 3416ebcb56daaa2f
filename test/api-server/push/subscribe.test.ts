import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { MAX_SUBSCRIPTIONS, SUBSCRIPTIONS_SECRET } from '../../../api-server/push/subscriptions.ts'
import { SECRETS } from '../../../kube/resources.ts'
import { at } from '../../helpers/kube-http.ts'
import { aBrowser } from '../../helpers/push-service.ts'
import { type Rig, startRig } from '../rig.ts'

const ENDPOINT = 'https://push.example/send/abc'

describe('subscribing to push notifications', () => {
  let api: Rig

  beforeEach(async () => {
    api = await startRig()
  })

  afterEach(() => api.stop())

  const secret = () => api.client.find(SECRETS, { namespace: api.namespace, name: SUBSCRIPTIONS_SECRET })
  const stored = async (): Promise<Record<string, unknown>[]> =>
    Object.values((await secret())?.data ?? {}).map((text) => JSON.parse(Buffer.from(text, 'base64').toString()))

  it('answers 201 with the endpoint and no key', async () => {
    const { status, body } = await api.post('/api/push/subscribe', aBrowser(ENDPOINT).subscription)
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(Object(body)), ['endpoint', 'created_at'])
    assert.equal(at(body, 'endpoint'), ENDPOINT)
  })

  it('takes members that browsers may add, and a padded key', async () => {
    const { subscription } = aBrowser(ENDPOINT)
    const keys = { p256dh: `${subscription.keys.p256dh}=`, auth: `${subscription.keys.auth}==`, more: 1 }
    const { status } = await api.post('/api/push/subscribe', { ...subscription, keys, contentEncoding: 'x' })
    assert.equal(status, 201)
    assert.equal((await stored())[0]?.['p256dh'], subscription.keys.p256dh)
  })

  it('again with the same endpoint replaces the keys and keeps the age', async () => {
    const first = await api.post('/api/push/subscribe', aBrowser(ENDPOINT).subscription)
    const { subscription } = aBrowser(ENDPOINT)
    const second = await api.post('/api/push/subscribe', subscription)
    assert.equal(second.status, 201)
    const [only, ...others] = await stored()
    assert.deepEqual(others, [])
    assert.equal(only?.['auth'], subscription.keys.auth)
    assert.equal(only['createdAt'], at(first.body, 'created_at'))
  })

  it('keeps every one of many that subscribe at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => api.post('/api/push/subscribe', aBrowser(`${ENDPOINT}/${i}`).subscription)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal((await stored()).length, 8)
  })

  it('ends with a DELETE of the endpoint: 204, also when it is not there', async () => {
    await api.post('/api/push/subscribe', aBrowser(ENDPOINT).subscription)
    for (const _ of ['first', 'again']) {
      const { status, text } = await api.request('DELETE', '/api/push/subscribe', { endpoint: ENDPOINT })
      assert.deepEqual([status, text], [204, ''])
    }
    assert.deepEqual(await stored(), [])
  })

  it('is 400 without an endpoint to remove', async () => {
    const { status, body } = await api.request('DELETE', '/api/push/subscribe', {})
    assert.deepEqual([status, body], [400, { error: 'endpoint: is required' }])
  })

  const { subscription } = aBrowser(ENDPOINT)
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
  const compressed = createECDH('prime256v1')
  compressed.generateKeys()
  const withKeys = (keys: object) => ({ ...subscription, keys: { ...subscription.keys, ...keys } })
  const refused: readonly [what: string, body: unknown, error: RegExp][] = [
    ['plain http', { ...subscription, endpoint: 'http://push.example/a' }, /"endpoint: must be an https URL/],
    ['another scheme', { ...subscription, endpoint: 'file:///etc/passwd' }, /"endpoint: must be an https URL/],
    [
      'what is no URL',
      { ...subscription, endpoint: 'push.example' },
      /"endpoint: must be an absolute URL.*push.example/,
    ],
    [
      'credentials',
      { ...subscription, endpoint: 'https://a:b@push.example/' },
      /"endpoint: must not carry credentials/,
    ],
    ['loopback', { ...subscription, endpoint: 'https://127.0.0.1/' }, /"endpoint: must not be at a private address/],
    ['loopback in disguise', { ...subscription, endpoint: 'https://0177.1/' }, /private address/],
    ['localhost', { ...subscription, endpoint: 'https://localhost:8443/' }, /private address/],
    ['a metadata service', { ...subscription, endpoint: 'https://169.254.169.254/' }, /private address/],
    ['IPv6 loopback', { ...subscription, endpoint: 'https://[::1]/' }, /private address/],
    ['a long endpoint', { ...subscription, endpoint: `https://push.example/${'a'.repeat(2000)}` }, /"endpoint: /],
    ['no keys', { endpoint: ENDPOINT }, /"keys: is required/],
    ['a short p256dh', withKeys({ p256dh: 'AAAA' }), /"keys.p256dh: must be a P-256 public key of 65 bytes/],
    ['a point off the curve', withKeys({ p256dh: offCurve }), /"keys.p256dh: /],
    ['a compressed point', withKeys({ p256dh: compressed.getPublicKey('base64url', 'compressed') }), /"keys.p256dh: /],
    ['a short auth', withKeys({ auth: 'AAAA' }), /"keys.auth: must be 16 bytes/],
    ['auth that is no base64url', withKeys({ auth: 'a/b+' }), /"keys.auth: /],
  ]
  it('is 400 naming what cannot be used, and stores nothing', async () => {
    for (const [what, body, error] of refused) {
      const answer = await api.post('/api/push/subscribe', body)
      assert.equal(answer.status, 400, what)
      assert.match(answer.text, error, what)
    }
    assert.equal(await secret(), undefined)
  })

  it(`is 409 beyond ${MAX_SUBSCRIPTIONS} browsers, and still renews one of them`, async () => {
    const entry = { endpoint: ENDPOINT, p256dh: 'a', auth: 'a', createdAt: '2026-01-01T00:00:00Z' }
    await api.post('/api/push/subscribe', subscription)
    const found = await secret()
    assert.ok(found)
    const filler = Buffer.from(JSON.stringify(entry)).toString('base64')
    const others = Array.from({ length: MAX_SUBSCRIPTIONS - 1 }, (_, i) => [`other-${i}`, filler])
    await api.client.replace(SECRETS, { ...found, data: { ...found.data, ...Object.fromEntries(others) } })
    const one = await api.post('/api/push/subscribe', aBrowser(`${ENDPOINT}/more`).subscription)
    assert.deepEqual([one.status, one.text.includes('500 browsers')], [409, true])
    assert.equal((await api.post('/api/push/subscribe', aBrowser(ENDPOINT).subscription)).status, 201)
  })
})

describe('what a browser fetches before it subscribes', () => {
  let api: Rig

  before(async () => {
    api = await startRig({ token: 'a-token-of-ours' })
  })

  after(() => api.stop())

  it('the service worker: a script that may control the whole origin, without a token and never kept by proxies', async () => {
    const { status, headers, text } = await api.get('/api/push/sw.js')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/javascript\b/)
    assert.equal(headers.get('service-worker-allowed'), '/')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.match(text, /addEventListener\('push'/)
  })

  it('the public key: a point of P-256, the same each time, and only with the token', async () => {
    const headers = { Authorization: 'Bearer a-token-of-ours' }
    const first = at((await api.get('/api/push/vapid-key', headers)).body, 'public_key')
    assert.ok(typeof first === 'string')
    const point = Buffer.from(first, 'base64url')
    assert.deepEqual([point.length, point[0]], [65, 4])
    assert.equal(at((await api.get('/api/push/vapid-key', headers)).body, 'public_key'), first)
    assert.equal((await api.get('/api/push/vapid-key')).status, 401)
  })
})
