import assert from 'node:assert/strict'
import { at, configOf, find, list, needHelm, render } from './render.ts'

describe('the chart with sign-in by OpenID Connect', function () {
  before(function () {
    needHelm(this)
  })
  const settings = { groupsClaim: 'groups', roles: [{ group: 'dev', scopes: ['read', 'decide'] }] }
  const oidc = { issuer: 'https://id.example', clientId: 'slipway', clientSecret: { name: 'client' }, settings }
  const apiServer = { publicUrl: 'https://slipway.example' }

  it('is configured by files that the API server mounts, and asks for no other token', async () => {
    const caBundle = { configMap: 'ca' }
    const objects = await render({ apiServer, identity: { oidc: { ...oidc, sessionKey: { name: 'key' }, caBundle } } })
    const folder = '/var/run/slipway/oidc'
    assert.deepEqual(at(configOf(objects), 'identity', 'oidc'), {
      issuer: 'https://id.example',
      clientId: 'slipway',
      clientSecretFile: `${folder}/client-secret`,
      sessionKeyFile: `${folder}/session-key`,
      caBundle: `${folder}/ca.crt`,
      ...settings,
    })
    const pod = at(find(objects, 'Deployment', 'slipway-api-server'), 'spec', 'template', 'spec')
    const volume = list(pod, 'volumes').find((one) => at(one, 'name') === 'oidc')
    const files = list(at(volume, 'projected'), 'sources').map((source) => {
      const from = at(source, 'secret') === undefined ? at(source, 'configMap') : at(source, 'secret')
      return [at(from, 'name'), at(list(from, 'items')[0], 'path')]
    })
    assert.deepEqual(files, [
      ['client', 'client-secret'],
      ['key', 'session-key'],
      ['ca', 'ca.crt'],
    ])
    const operator = at(find(objects, 'Deployment', 'slipway-operator'), 'spec', 'template', 'spec')
    assert.ok(!JSON.stringify(operator).includes(folder))
  })

  for (const [what, values, words] of [
    ['a client', { identity: { oidc: { ...oidc, clientId: '' } }, apiServer }, /identity\.oidc\.clientId: is needed/],
    ['an address over TLS', { identity: { oidc } }, /apiServer\.publicUrl: must begin with https:/],
    ['a secret', { identity: { oidc: { ...oidc, clientSecret: {} } }, apiServer }, /clientSecret\.name: is needed/],
    ['roles', { identity: { oidc: { ...oidc, settings: {} } }, apiServer }, /settings\.roles: name at least one/],
  ] as const)
    it(`needs ${what}`, async () => {
      await assert.rejects(render(values), words)
    })
})
