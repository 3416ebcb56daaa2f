import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../helpers/free-port.ts'
import { startApiServer } from '../../../api-server/main.ts'
import type { OidcSettings } from '../../../lib/oidc-config.ts'
import { systemClock } from '../../../lib/clock.ts'
import { at } from '../../helpers/kube-http.ts'
import { send } from '../http/raw-http.ts'
import { type Rig, startRig } from '../rig.ts'
import { answering, kubeIdentities } from './kube-identities.ts'
import {
  type TestProvider,
  CLIENT_ID,
  CLIENT_SECRET,
  CookieJar,
  signInAt,
  startProvider,
  visit,
} from './oidc-provider.ts'

const ROLES: OidcSettings['roles'] = [
  { group: 'team:leads', scopes: ['read', 'decide'] },
  { user: 'person:olga', scopes: ['read'] },
]

describe('sign-in with OpenID Connect', () => {
  let folder = ''
  let provider: TestProvider
  let api: Rig
  let origin = ''
  let callback = ''
  let settings: OidcSettings
  let passed = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + passed) }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-oidc-'))
    const clientSecretFile = join(folder, 'secret')
    await writeFile(clientSecretFile, `${CLIENT_SECRET}\n`, { mode: 0o600 })
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    callback = `${origin}/api/session/oidc/callback`
    provider = await startProvider({ redirectUri: callback })
    provider.claims.set('lea', { groups: ['leads', 'others'] })
    provider.claims.set('nobody', { groups: ['others'] })
    settings = {
      issuer: provider.issuer,
      clientId: CLIENT_ID,
      clientSecretFile,
      usernamePrefix: 'person:',
      groupsClaim: 'groups',
      groupsPrefix: 'team:',
      roles: ROLES,
    }
    api = await startRig({ port, publicUrl: origin, identity: { oidc: settings }, clock })
  })
  after(async () => {
    await api?.stop()
    await provider?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(() => (passed = 0))

  const reach = (jar: CookieJar, login: string, back = '/'): Promise<string> =>
    signInAt(jar, `${origin}/api/session/oidc?return=${encodeURIComponent(back)}`, login, callback)
  const signIn = async (login: string, back?: string) => {
    const jar = new CookieJar()
    const done = await visit(jar, await reach(jar, login, back))
    return { jar, done }
  }
  const session = (jar: CookieJar) => send(`${origin}/api/session`, { Cookie: jar.header(origin) })

  it('begins a session with the scopes of a group, under the prefixed name, and comes back to the page', async () => {
    const { jar, done } = await signIn('lea', '/tasks?state=READY')
    assert.deepEqual([done.status, done.headers.get('location')], [302, `${origin}/tasks?state=READY`])
    const { body } = await session(jar)
    assert.deepEqual([at(body, 'name'), at(body, 'scopes')], ['person:lea', ['read', 'decide']])
    const headers = { Cookie: jar.header(origin), Origin: origin, 'Content-Type': 'application/json' }
    const made = await send(`${origin}/api/tasks`, headers, 'POST', '{"id":"made","name":"x"}')
    assert.equal(made.status, 201)
    assert.equal((await send(`${origin}/api/tasks/made/run`, headers, 'POST')).status, 202)
    const task = await send(`${origin}/api/tasks/made`, headers)
    assert.equal(at(task.body, 'decisions.0.by'), 'person:lea')
    assert.equal((await send(`${origin}/api/tasks/made`, headers, 'DELETE')).status, 403)
  })

  it('gives a person named in a role its scopes alone', async () => {
    const { jar } = await signIn('olga')
    assert.deepEqual(at((await session(jar)).body, 'scopes'), ['read'])
  })

  it('changes things from our own page only', async () => {
    const { jar } = await signIn('lea')
    const Cookie = jar.header(origin)
    for (const foreign of [{}, { Origin: 'https://evil.example' }]) {
      const headers = { Cookie, 'Content-Type': 'application/json', ...foreign }
      assert.equal((await send(`${origin}/api/tasks`, headers, 'POST', '{"name":"x"}')).status, 403)
    }
  })

  it('sets a cookie that no script reads, no other site sends, and that tells nothing', async () => {
    const { done } = await signIn('lea')
    const set = done.headers.getSetCookie()
    assert.match(set[0] ?? '', /^slipway-sign-in=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.match(set[1] ?? '', /^slipway-session=o1\.[\w-]+; Max-Age=3\d{3}; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.ok(!Buffer.from(set[1] ?? '', 'base64url').includes('lea'))
  })

  it('tells a person without a role who they are and what is missing, with 403 and no session', async () => {
    const { jar, done } = await signIn('nobody')
    assert.equal(done.status, 403)
    assert.match(done.text, /as person:nobody\..*No role of identity\.oidc\.roles names you/s)
    assert.equal((await session(jar)).status, 401)
  })

  it('shows names as text, not as HTML', async () => {
    const { done } = await signIn('<script>alert(1)</script>')
    assert.equal(done.status, 403)
    assert.ok(!done.text.includes('<script>'))
  })

  it('tells whoever is not signed in where to', async () => {
    const { status, body } = await api.get('/api/session')
    assert.equal(status, 401)
    assert.deepEqual(at(body, 'sign_in'), {
      name: new URL(provider.issuer).host,
      url: `${origin}/api/session/oidc`,
    })
  })

  it('refuses an answer with another state, in the browser of somebody else, and a second time', async () => {
    const jar = new CookieJar()
    const answer = await reach(jar, 'lea')
    const wrong = new URL(answer)
    wrong.searchParams.set('state', 'another')
    const forged = new CookieJar()
    forged.keep(origin, [jar.header(origin).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
    assert.equal((await visit(new CookieJar(), answer)).status, 400, 'login CSRF: a browser that began nothing')
    const kept = jar.header(origin)
    const replay = new CookieJar()
    replay.keep(origin, [kept])
    assert.equal((await visit(jar, wrong.href)).status, 400)
    assert.equal(jar.header(origin), '', 'the flow is over')
    assert.equal((await visit(replay, answer)).status, 302)
    replay.keep(origin, [kept])
    const again = await visit(replay, answer)
    assert.equal(again.status, 400, 'a code that is used already')
    assert.deepEqual(
      again.headers.getSetCookie().filter((each) => each.startsWith('slipway-session')),
      [],
    )
  })

  it('refuses an answer that came too late, and one of another issuer', async () => {
    const jar = new CookieJar()
    const answer = await reach(jar, 'lea')
    const mixed = new URL(answer)
    mixed.searchParams.set('iss', 'https://evil.example')
    const copy = new CookieJar()
    copy.keep(origin, [jar.header(origin)])
    assert.equal((await visit(copy, mixed.href)).status, 400)
    passed = 10 * 60_000
    assert.equal((await visit(jar, answer)).status, 400)
  })

  it('does not take a flow for a session, nor a session of another key', async () => {
    const jar = new CookieJar()
    await visit(jar, `${origin}/api/session/oidc`)
    const [, flow = ''] = jar.header(origin).split('slipway-sign-in=')
    const { status } = await send(`${origin}/api/session`, { Cookie: `slipway-session=o1.${flow}` })
    assert.equal(status, 401)
    const { jar: known } = await signIn('lea')
    const other = join(folder, 'other-key')
    await writeFile(other, randomBytes(32).toString('hex'), { mode: 0o600 })
    const oidc = { ...settings, sessionKeyFile: other }
    const replica = await startApiServer({ ...api.options, port: 0, identity: { oidc } })
    assert.equal((await send(`${replica.url}/api/session`, { Cookie: known.header(origin) })).status, 401)
    await replica.stop()
  })

  it('counts at every replica, which ends also what another has begun', async () => {
    const jar = new CookieJar()
    const answer = await reach(jar, 'lea')
    const replica = await startApiServer({ ...api.options, port: 0 })
    const there = answer.replace(origin, replica.url)
    jar.keep(replica.url, [jar.header(origin)])
    assert.equal((await visit(jar, there)).status, 302)
    const { jar: known } = await signIn('lea')
    assert.equal((await send(`${replica.url}/api/session`, { Cookie: known.header(origin) })).status, 200)
    await replica.stop()
  })

  it('ends with the id token, or when the configuration says', async () => {
    const { jar } = await signIn('lea')
    passed = 3590_000
    assert.equal((await session(jar)).status, 200)
    passed = 3601_000
    assert.equal((await session(jar)).status, 401)
  })

  it('ends in the browser when it is deleted, and says where the provider ends its own', async () => {
    const { jar } = await signIn('lea')
    const { status, headers } = await send(
      `${origin}/api/session`,
      { Origin: origin, Cookie: jar.header(origin) },
      'DELETE',
    )
    assert.equal(status, 204)
    assert.match(headers['set-cookie']?.[0] ?? '', /^slipway-session=; Max-Age=0/)
    const there = new URL(String(headers['slipway-sign-out']))
    assert.equal(there.origin, provider.issuer)
    assert.equal(there.searchParams.get('post_logout_redirect_uri'), `${origin}/`)
    const without = await send(`${origin}/api/session`, { Origin: origin }, 'DELETE')
    assert.equal(without.headers['slipway-sign-out'], undefined)
  })

  const elsewhere = [
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'x',
    '/api/session',
  ]
  for (const path of elsewhere) {
    it(`leads nobody to ${JSON.stringify(path)}`, async () => {
      const { status } = await visit(new CookieJar(), `${origin}/api/session/oidc?return=${encodeURIComponent(path)}`)
      assert.equal(status, 400)
    })
  }

  it('is refused for an id token of another client', async () => {
    const jar = new CookieJar()
    const answer = await reach(jar, 'lea')
    const oidc = { ...settings, clientId: 'another' }
    const other = await startApiServer({ ...api.options, port: 0, identity: { oidc } })
    jar.keep(other.url, [jar.header(origin)])
    assert.equal((await visit(jar, answer.replace(origin, other.url))).status, 400)
    await other.stop()
  })

  it('starts without its provider, answers 503 in words, and asks again', async () => {
    const port = await freePort()
    const oidc = { ...settings, issuer: `http://127.0.0.1:${port}` }
    const alone = await startApiServer({ ...api.options, port: 0, identity: { oidc } })
    const refused = await visit(new CookieJar(), `${alone.url}/api/session/oidc`)
    assert.equal(refused.status, 503)
    assert.match(refused.text, /does not answer as it should/)
    const late = await startProvider({ redirectUri: callback, port })
    assert.equal((await visit(new CookieJar(), `${alone.url}/api/session/oidc`)).status, 302)
    await Promise.all([late.stop(), alone.stop()])
  })

  it('is unknown where it is not configured', async () => {
    const { oidc: _, ...identity } = { ...api.options.identity }
    const plain = await startApiServer({ ...api.options, port: 0, identity, token: 'token-of-all' })
    assert.equal((await visit(new CookieJar(), `${plain.url}/api/session/oidc`)).status, 404)
    assert.deepEqual(Object.keys(JSON.parse((await visit(new CookieJar(), `${plain.url}/api/session`)).text)), [
      'error',
    ])
    await plain.stop()
  })
})

describe('sign-in with OpenID Connect in a cluster', () => {
  it('asks Kubernetes what the user and the groups may do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-oidc-'))
    const clientSecretFile = join(folder, 'secret')
    await writeFile(clientSecretFile, CLIENT_SECRET, { mode: 0o600 })
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const callback = `${origin}/api/session/oidc/callback`
    const provider = await startProvider({ redirectUri: callback })
    provider.claims.set('kim', { groups: ['leads', 'system:masters'] })
    const identities = kubeIdentities()
    const user = `${provider.issuer}#kim`
    identities.rights.set(user, ['list tasks'])
    const asked: unknown[] = []
    const oidc = { issuer: provider.issuer, clientId: CLIENT_ID, clientSecretFile, groupsClaim: 'groups' }
    const identity = { kubernetes: { audience: 'slipway' }, oidc }
    const api = await startRig({ port, publicUrl: origin, identity }, async ({ client }) => {
      const inner = answering(client, identities)
      const create: typeof inner.create = (resource, object, ...more) => {
        if (resource.kind === 'LocalSubjectAccessReview') asked.push(object)
        return inner.create(resource, object, ...more)
      }
      return { ...inner, create, close: async () => undefined }
    })
    const jar = new CookieJar()
    const done = await visit(jar, await signInAt(jar, `${origin}/api/session/oidc`, 'kim', callback))
    assert.equal(done.status, 302, done.text)
    identities.rights.set(`${provider.issuer}#many`, ['list tasks'])
    const big = new CookieJar()
    const arrive = async (count: number) => {
      provider.claims.set('many', { groups: Array.from({ length: count }, () => randomBytes(16).toString('hex')) })
      return visit(big, await signInAt(big, `${origin}/api/session/oidc`, 'many', callback))
    }
    assert.equal((await arrive(20)).status, 302)
    const refused = await arrive(200)
    assert.equal(refused.status, 403)
    assert.match(refused.text, /too many groups/)
    const Cookie = jar.header(origin)
    assert.equal((await send(`${origin}/api/tasks`, { Cookie })).status, 200)
    assert.equal((await send(`${origin}/api/stories`, { Cookie })).status, 403)
    assert.deepEqual(at(JSON.parse(JSON.stringify(asked[0])), 'spec.groups'), ['leads', 'system:authenticated'])
    await api.stop()
    await provider.stop()
    await rm(folder, { recursive: true, force: true })
  })
})
