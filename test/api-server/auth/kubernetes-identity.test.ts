import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { EVENTS } from '../../../kube/resources.ts'
import { at } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { send } from '../http/raw-http.ts'
import { type Rig, startRig } from '../rig.ts'
import { answering, kubeIdentities } from './kube-identities.ts'

const AUTHOR = ['get tasks', 'list tasks', 'create tasks', 'update tasks']
const TOKENS = [{ name: 'carol', token: 'token-of-carol', scopes: ['read', 'decide', 'admin'] }] as const
const json = { 'Content-Type': 'application/json' }

function bearer(token: string): { Authorization: string } {
  return { Authorization: `Bearer ${token}` }
}

describe('a caller with a Kubernetes token', () => {
  const identities = kubeIdentities()
  let api: Rig
  before(async () => {
    api = await startRig({ tokens: TOKENS, identity: { kubernetes: { audience: 'slipway' } } }, async ({ client }) => ({
      ...answering(client, identities),
      close: async () => undefined,
    }))
    for (const name of ['alice', 'bob', 'carol', 'nobody'])
      identities.users.set(`kube-${name}`, { user: { username: name, uid: '1' }, audiences: ['slipway'] })
    identities.rights.set('alice', ['*'])
    identities.rights.set('bob', AUTHOR)
    await api.post('/api/tasks', { id: 'one', name: 'x' }, bearer('token-of-carol'))
  })
  after(() => api.stop())
  afterEach(() => delete identities.failure)

  it('is known by the name of the user, in decisions, Events and live messages', async () => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`, { headers: bearer('kube-alice') })
    const messages: { type: string; by?: string }[] = []
    socket.on('message', (text) => messages.push(JSON.parse((text as Buffer).toString())))
    await once(socket, 'open')
    await api.post('/api/tasks', { id: 'decided', name: 'x' }, bearer('kube-alice'))
    assert.equal((await api.post('/api/tasks/decided/run', undefined, bearer('kube-alice'))).status, 202)
    await until('it is told', () => messages.some(({ by }) => by === 'alice'))
    socket.terminate()
    const { body } = await api.get('/api/tasks/decided', bearer('kube-alice'))
    assert.equal(at(body, 'decisions.0.by'), 'alice')
    await until('an Event says so', async () => {
      const { items } = await api.client.list(EVENTS, { namespace: api.namespace })
      return items.some(({ message }) => message === 'task queued for execution by alice')
    })
  })

  it('is refused with 403 that names the right, and the role that is missing', async () => {
    const { status, body, headers } = await api.post('/api/tasks/one/accept', undefined, bearer('kube-bob'))
    assert.equal(status, 403)
    assert.equal(headers.get('slipway-error'), 'right_missing')
    assert.deepEqual(body, {
      error: `user bob may not accept tasks.slipway.dev in namespace ${api.namespace}: bind a role that has the verb accept`,
    })
  })

  const cases: readonly (readonly [user: string, method: string, path: string, body: unknown, status: number])[] = [
    ['bob', 'GET', '/api/tasks', undefined, 200],
    ['bob', 'GET', '/api/tasks/one', undefined, 200],
    ['bob', 'POST', '/api/tasks', { name: 'x' }, 201],
    ['bob', 'PUT', '/api/tasks/one', { name: 'y' }, 200],
    ['bob', 'DELETE', '/api/tasks/one', undefined, 403],
    ['bob', 'POST', '/api/tasks/one/run', undefined, 403],
    ['bob', 'POST', '/api/tasks/one/reject', { comment: 'no' }, 403],
    ['bob', 'GET', '/api/stories', undefined, 403],
    ['bob', 'POST', '/api/stories/approve', undefined, 403],
    ['bob', 'POST', '/api/scripts/start-next-task', undefined, 403],
    ['bob', 'POST', '/api/pool/agents/script/undrain', undefined, 403],
    ['bob', 'GET', '/api/drops', undefined, 403],
    ['bob', 'GET', '/api/ws', undefined, 403],
    ['bob', 'POST', '/api/webhooks/vcshost', { zen: 'x' }, 204],
    ['nobody', 'GET', '/api/tasks', undefined, 403],
    ['nobody', 'GET', '/api/stats', undefined, 403],
    ['nobody', 'GET', '/api/version', undefined, 200],
    ['nobody', 'POST', '/api/push/subscribe', { endpoint: 'x' }, 403],
    ['nobody', 'POST', '/api/webhooks/vcshost', { zen: 'x' }, 403],
    ['alice', 'POST', '/api/scripts/start-next-task', undefined, 200],
    ['alice', 'POST', '/api/pool/agents/script/undrain', undefined, 200],
    ['alice', 'GET', '/api/drops', undefined, 200],
  ]
  for (const [user, method, path, body, status] of cases) {
    it(`${user} gets ${status} for ${method} ${path}`, async () => {
      const headers = { ...bearer(`kube-${user}`), ...(path.endsWith('vcshost') && { 'X-GitHub-Event': 'ping' }) }
      const answer =
        path === '/api/ws' ? await handshake(headers) : (await api.request(method, path, body, headers)).status
      assert.equal(answer, status)
    })
  }

  async function handshake(headers: Record<string, string>, query = '', protocols: string[] = []): Promise<number> {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws${query}`, protocols, { headers })
    socket.on('error', () => undefined)
    const status = await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode)),
    ])
    socket.terminate()
    return status
  }

  it('sees the actions of records only with the rights to take them', async () => {
    await api.post('/api/tasks', { id: 'waiting', name: 'x' }, bearer('token-of-carol'))
    const actionsFor = async (user: string) =>
      at((await api.get('/api/tasks/waiting', bearer(`kube-${user}`))).body, 'actions')
    assert.deepEqual([await actionsFor('bob'), await actionsFor('alice')], [[], ['run', 'cancel']])
  })

  it('is told by the session what a page may offer, in scopes', async () => {
    const scopesFor = async (user: string) => at((await api.get('/api/session', bearer(`kube-${user}`))).body, 'scopes')
    assert.deepEqual(await scopesFor('alice'), ['read', 'decide', 'admin'])
    assert.deepEqual(await scopesFor('bob'), ['read', 'decide'])
    assert.deepEqual(await scopesFor('nobody'), [])
  })

  it('is not taken for the token of the same name: no session, no scopes', async () => {
    const headers = bearer('kube-carol')
    const begun = await api.post('/api/session', undefined, headers)
    assert.deepEqual([begun.status, begun.headers.get('set-cookie')], [400, null])
    assert.equal((await api.get('/api/tasks', headers)).status, 403)
    assert.equal((await api.get('/api/tasks', bearer('token-of-carol'))).status, 200)
  })

  it('may send the token to a WebSocket in a header, not in the address', async () => {
    assert.equal(await handshake(bearer('kube-alice')), 101)
    assert.equal(await handshake({}, '', ['bearer.kube-alice']), 101)
    assert.equal(await handshake({}, '?token=kube-alice'), 401)
    assert.equal(await handshake({}, '?token=token-of-carol'), 101)
  })

  it('may not send the token to a stream in the address', async () => {
    const path = `${api.url}/api/tasks/one/logs/stream?token=`
    assert.equal((await send(`${path}kube-alice`, {})).status, 401)
  })

  const tricks: Record<string, Record<string, string>> = {
    'the token without a scheme': { Authorization: 'kube-alice' },
    'another scheme': { Authorization: 'Basic kube-alice' },
    'a second token behind it': { Authorization: 'Bearer kube-alice kube-bob' },
    'the words of an authenticating proxy': { 'X-Remote-User': 'alice', 'X-Forwarded-User': 'alice' },
    'the words of an impersonation': { 'Impersonate-User': 'alice', 'Impersonate-Group': 'system:masters' },
    'a cookie that holds the token': { Cookie: 'slipway-session=kube-alice' },
    'a cookie that names the user': { Cookie: 'slipway-session=v1.alice.99999999999999.AAAA' },
  }
  for (const [trick, headers] of Object.entries(tricks)) {
    it(`is not let in by ${trick}`, async () => {
      assert.equal((await send(`${api.url}/api/tasks`, headers)).status, 401)
    })
  }

  it('is not what impersonation in its own request says', async () => {
    const headers = { ...bearer('kube-bob'), ...json, 'Impersonate-User': 'alice' }
    assert.equal((await send(`${api.url}/api/tasks/one`, headers, 'DELETE')).status, 403)
  })

  it('needs no Origin, because no browser sends the token by itself, and a foreign page cannot use a session of ours', async () => {
    const foreign = { Origin: 'https://evil.example' }
    assert.equal((await send(`${api.url}/api/tasks`, { ...bearer('kube-bob'), ...foreign })).status, 200)
    const begun = await api.post('/api/session', { token: 'token-of-carol' }, { Origin: api.url })
    const Cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
    const refused = await send(`${api.url}/api/tasks`, { ...json, ...foreign, Cookie }, 'POST', '{"name":"x"}')
    assert.equal(refused.status, 403)
  })

  it('keeps a right for seconds after it was taken away, and no longer', async () => {
    identities.users.set('kube-dave', { user: { username: 'dave' }, audiences: ['slipway'] })
    identities.rights.set('dave', ['list tasks'])
    assert.equal((await api.get('/api/tasks', bearer('kube-dave'))).status, 200)
    identities.rights.set('dave', [])
    await until('the right is gone', async () => (await api.get('/api/tasks', bearer('kube-dave'))).status === 403)
  })

  it('is told 503, not 403, when the control plane cannot be asked', async () => {
    identities.users.set('kube-erin', { user: { username: 'erin' }, audiences: ['slipway'] })
    assert.equal((await api.get('/api/session', bearer('kube-erin'))).status, 200)
    identities.failure = new Error('connect ECONNREFUSED 10.0.0.1:443')
    const known = await api.get('/api/drops', bearer('kube-erin'))
    const unknown = await api.get('/api/tasks', bearer('kube-frank'))
    assert.deepEqual([known.status, unknown.status], [503, 503])
    assert.ok(!known.text.includes('10.0.0.1'), 'the address of the control plane is no caller’s business')
  })
})

describe('a server without identity', () => {
  it('asks the control plane about no token', async () => {
    const identities = kubeIdentities()
    identities.users.set('kube-alice', { user: { username: 'alice' }, audiences: ['slipway'] })
    const api = await startRig({ tokens: TOKENS }, async ({ client }) => ({
      ...answering(client, identities),
      close: async () => undefined,
    }))
    assert.equal((await api.get('/api/tasks', bearer('kube-alice'))).status, 401)
    assert.deepEqual(identities.asked, [])
    await api.stop()
  })
})
