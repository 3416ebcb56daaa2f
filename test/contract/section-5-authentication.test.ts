/** Section 5, on a server with a token and one without. */
import assert from 'node:assert/strict'
import { createECDH, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { type Rig, startRig } from '../api-server/rig.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { makeInstallation } from '../system/installation.ts'
import { row } from './contract.ts'
import { aCheckRun } from './events.ts'

const TOKEN = 'token-of-the-tests'
const SECRET = 'secret-of-the-tests'
const bearer = { Authorization: `Bearer ${TOKEN}` }

describe('the contract, section 5', () => {
  let guarded: Rig
  let open: Rig
  before(async () => {
    guarded = await startRig({ token: TOKEN, webhookSecret: SECRET })
    open = await startRig()
  })
  after(async () => {
    await guarded.stop()
    await open.stop()
  })

  /** 101 when the connection is taken, else the status that refuses it. */
  async function connects(api: Rig, query = '', options: { headers?: Record<string, string>; protocol?: string } = {}) {
    const { headers = {}, protocol } = options
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws${query}`, protocol ?? [], { headers })
    socket.on('error', () => undefined)
    const status = await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode)),
    ])
    socket.terminate()
    return status
  }

  row('5.token', 'requests need the token where one is set, and none where none is', async () => {
    assert.equal((await guarded.get('/api/tasks')).status, 401)
    assert.equal((await guarded.get('/api/tasks', bearer)).status, 200)
    assert.equal((await guarded.post('/api/tasks', { name: 'x' })).status, 401)
    assert.equal((await guarded.post('/api/tasks', { name: 'x' }, bearer)).status, 201)
    assert.equal((await open.get('/api/tasks')).status, 200)
  })

  row('5.token', 'WebSockets too, as header, subprotocol or parameter; refused before the upgrade', async () => {
    assert.equal(await connects(guarded), 401)
    assert.equal(await connects(guarded, '?token=wrong'), 401)
    assert.equal(await connects(guarded, '', { headers: bearer }), 101)
    assert.equal(await connects(guarded, '', { protocol: `bearer.${TOKEN}` }), 101)
    assert.equal(await connects(guarded, `?token=${TOKEN}`), 101)
    assert.equal(await connects(open), 101)
  })

  row('5.webhook', 'the signature of the raw body is checked; a wrong or missing one is 401', async () => {
    await guarded.post(
      '/api/projects',
      { id: 'shop', name: 'Shop', remote_url: 'https://github.com/acme/shop.git' },
      bearer,
    )
    const body = JSON.stringify(aCheckRun('failure'))
    const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const deliver = (headers: Record<string, string>) =>
      guarded.post('/api/webhooks/vcshost', body, { 'X-GitHub-Event': 'check_run', ...headers })
    for (const headers of [{}, bearer, { 'X-Hub-Signature-256': sign('other') }, { 'X-Hub-Signature-256': 'sha256=' }])
      assert.equal((await deliver(headers)).status, 401)
    const { status, body: answer, text } = await deliver({ 'X-Hub-Signature-256': sign(SECRET) })
    assert.equal(status, 201, text)
    assert.equal(typeof at(answer, 'task_id'), 'string')
  })

  row('5.webhook', 'without a secret the token is needed where one is set', async () => {
    const api = await startRig({ token: TOKEN })
    const deliver = (headers = {}) =>
      api.post('/api/webhooks/vcshost', aCheckRun('success'), { 'X-GitHub-Event': 'check_run', ...headers })
    assert.deepEqual([(await deliver()).status, (await deliver(bearer)).status], [401, 204])
    await api.stop()
  })

  row(
    '5.vapid',
    'the key made at the first start is in the configuration file, readable by its owner alone, and stays',
    async function () {
      const installation = makeInstallation()
      try {
        const key = async () =>
          (await (await installation.start()).call('GET', '/api/push/vapid-key')).body['public_key']
        const first = await key()
        const file = join(installation.dataDir, 'config.yaml')
        const [, secret = ''] = /^vapidPrivateKey: (\S+)$/m.exec(readFileSync(file, 'utf8')) ?? []
        const ecdh = createECDH('prime256v1')
        ecdh.setPrivateKey(Buffer.from(secret, 'base64url'))
        assert.equal(ecdh.getPublicKey('base64url'), first)
        assert.equal(statSync(file).mode & 0o777, 0o600)
        assert.equal(await key(), first)
      } finally {
        await installation.dispose()
      }
    },
  )

  row('5.status', 'a missing or wrong token is 401 with WWW-Authenticate, a missing scope 403 naming it', async () => {
    const api = await startRig({ tokens: [{ name: 'board', token: 'token-of-board', scopes: ['read'] }] })
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: 'Basic x' }]) {
      const { status, headers: answer, body } = await api.get('/api/tasks', headers)
      assert.deepEqual([status, answer.get('www-authenticate')?.split(/[ ,]/)[0]], [401, 'Bearer'])
      assert.equal(typeof at(body, 'error'), 'string')
    }
    const board = { Authorization: 'Bearer token-of-board' }
    assert.equal((await api.get('/api/tasks', board)).status, 200)
    for (const [method, path, scope] of [
      ['POST', '/api/tasks', 'decide'],
      ['DELETE', '/api/tasks/x', 'admin'],
      ['POST', '/api/scripts/x', 'admin'],
      ['POST', '/api/projects', 'admin'],
      ['POST', '/api/agents', 'admin'],
    ] as const) {
      const { status, body } = await api.request(method, path, {}, board)
      assert.deepEqual([status, textAt(body, 'error').includes(scope)], [403, true], `${method} ${path}`)
    }
    await api.stop()
  })

  row('5.status', 'OPTIONS, the service worker and the probes need none', async () => {
    assert.equal((await guarded.request('OPTIONS', '/api/tasks')).status, 204)
    for (const path of ['/api/push/sw.js', '/healthz', '/readyz']) assert.equal((await guarded.get(path)).status, 200)
  })
})
