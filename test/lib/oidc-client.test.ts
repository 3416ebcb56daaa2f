import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type OidcClientOptions, createOidcClient, makeChecks } from '../../lib/oidc-client.ts'
import { ProviderUnavailable, SignInRefused } from '../../lib/oidc-errors.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { startConnectProxy } from '../helpers/connect-proxy.ts'

const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
const redirectUri = 'http://127.0.0.1:1/api/session/oidc/callback'

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

/** A provider that says in its id tokens whatever a test wants. */
describe('what an id token must say', () => {
  let server: Server
  let issuer = ''
  let answer: { readonly status: number; readonly body: object }
  before(async () => {
    server = createServer((request, response) => {
      const bodies: Record<string, object> = {
        '/.well-known/openid-configuration': {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
        },
        '/jwks': { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] },
      }
      const body = bodies[request.url ?? '']
      response.writeHead(body === undefined ? answer.status : 200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body ?? answer.body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  const finish = async (changes: object, key = own.privateKey) => {
    const checks = makeChecks()
    const seconds = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'slipway', sub: 'lea', nonce: checks.nonce, iat: seconds, exp: seconds + 600 }
    const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode({ ...claims, ...changes })}`
    const id_token = `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
    answer = { status: 200, body: { access_token: 'a', token_type: 'Bearer', id_token } }
    return makeClient().finish(new URL(`${redirectUri}?code=c&state=${checks.state}`), checks)
  }
  const makeClient = (more: Partial<OidcClientOptions> = {}) =>
    createOidcClient({
      issuer,
      clientId: 'slipway',
      clientSecret: 'a-secret',
      redirectUri,
      scopes: [],
      now: () => new Date(),
      ...more,
    })

  it('is got by the proxy that alone leads to a provider, with the certificates that are named', async () => {
    const pair = aCertificate('idp.invalid')
    const about = { issuer: 'https://idp.invalid', authorization_endpoint: 'https://idp.invalid/auth' }
    const provider = createTlsServer({ cert: pair.certificate, key: pair.key }, (_, response) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(about)),
    ).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const proxy = await startConnectProxy({ 'idp.invalid:443': (provider.address() as AddressInfo).port })
    try {
      const client = makeClient({ issuer: about.issuer, ca: pair.certificate, proxies: { https_proxy: proxy.url } })
      assert.equal((await client.authorizationUrl(makeChecks())).origin, about.issuer)
    } finally {
      await proxy.close()
      provider.closeAllConnections()
      provider.close()
    }
  })

  it('is believed when all is right', async () => {
    assert.equal((await finish({}))['sub'], 'lea')
  })

  const wrong: Record<string, object> = {
    'another audience': { aud: 'another' },
    'another audience besides, and not that it was issued to us': { aud: ['slipway', 'another'], azp: 'another' },
    'another nonce': { nonce: 'another' },
    'no nonce': { nonce: undefined },
    'another issuer': { iss: 'https://evil.example' },
    'an end that is past': { exp: 1000 },
  }
  for (const [what, changes] of Object.entries(wrong)) {
    it(`is refused with ${what}`, () => assert.rejects(finish(changes), SignInRefused))
  }

  it('is refused with the signature of another key', () =>
    assert.rejects(finish({}, foreign.privateKey), (error) => error instanceof Error && error.name !== 'TypeError'))

  it('is the provider’s fault when it fails, or does not know us', async () => {
    const checks = makeChecks()
    const url = new URL(`${redirectUri}?code=c&state=${checks.state}`)
    answer = { status: 401, body: { error: 'invalid_client' } }
    await assert.rejects(makeClient().finish(url, checks), ProviderUnavailable)
    answer = { status: 500, body: { error: 'server_error' } }
    await assert.rejects(makeClient().finish(url, checks), ProviderUnavailable)
  })
})
