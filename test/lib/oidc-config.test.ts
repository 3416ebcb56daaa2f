import assert from 'node:assert/strict'
import { findOidcProblem } from '../../lib/oidc-config.ts'

const oidc = {
  issuer: 'https://login.example',
  clientId: 'slipway',
  clientSecretFile: '/secret',
  roles: [{ user: 'a', scopes: ['read' as const] }],
}
const publicUrl = 'https://slipway.example'

describe('the settings of OpenID Connect', () => {
  it('may be left out, and may be on loopback without TLS', () => {
    assert.equal(findOidcProblem({ identity: {} }), undefined)
    assert.equal(findOidcProblem({ publicUrl, identity: { oidc } }), undefined)
    const local = { ...oidc, issuer: 'http://127.0.0.1:5556/dex' }
    assert.equal(findOidcProblem({ publicUrl: 'http://localhost:8080', identity: { oidc: local } }), undefined)
  })

  const { clientSecretFile: _, ...without } = oidc
  const group = [{ group: 'a', scopes: ['read' as const] }]
  const wrong: readonly (readonly [begin: string, around: Parameters<typeof findOidcProblem>[0]])[] = [
    ['publicUrl: is needed', { identity: { oidc } }],
    ['publicUrl: must begin with https://', { publicUrl: 'http://slipway.example', identity: { oidc } }],
    [
      'identity.oidc.issuer: must begin with https://',
      { publicUrl, identity: { oidc: { ...oidc, issuer: 'http://x.example' } } },
    ],
    [
      'identity.oidc.issuer: must have no query',
      { publicUrl, identity: { oidc: { ...oidc, issuer: 'https://x.example/?a' } } },
    ],
    ['identity.oidc.sessionKeyFile: is needed', { publicUrl, identity: { oidc: without } }],
    ['identity.oidc.roles: name at least one', { publicUrl, identity: { oidc: { ...oidc, roles: [] } } }],
    ['identity.oidc.roles: with identity.kubernetes', { publicUrl, identity: { oidc, kubernetes: {} } }],
    [
      'identity.oidc.roles[0]: give either',
      { publicUrl, identity: { oidc: { ...oidc, roles: [{ scopes: ['read'] }] } } },
    ],
    ['identity.oidc.roles[0].group: needs', { publicUrl, identity: { oidc: { ...oidc, roles: group } } }],
  ]
  for (const [begin, around] of wrong) {
    it(`are refused: ${begin}`, () => {
      const problem = findOidcProblem(around)
      assert.ok(problem?.startsWith(begin), problem)
    })
  }
})
