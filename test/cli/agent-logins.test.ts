import assert from 'node:assert/strict'
import { ensureLogins } from '../../cli/agent-logins.ts'
import type { Agent } from '../../core/crd/types.ts'
import { AGENTS, SECRETS } from '../../kube/resources.ts'
import { anAgent } from '../helpers/build.ts'
import { type TestControlPlane, startTestControlPlane } from '../helpers/control-plane.ts'

const home = '/home/ann'
const claude = { namespace: 'default', name: 'claude' }
const login = { namespace: 'default', name: 'slipway-login-claude' }

describe('the credentials of the default agents', () => {
  let controlPlane: TestControlPlane

  beforeEach(async () => {
    controlPlane = await startTestControlPlane()
    await controlPlane.client.create(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
  })
  afterEach(() => controlPlane.stop())

  const read = (): Promise<Agent> => controlPlane.client.get(AGENTS, claude)
  const ensure = (env: Record<string, string> = {}): Promise<void> =>
    ensureLogins(controlPlane.client, 'default', { env, home })

  it('are the keys that are set where Slipway is started, in a Secret for agents only', async () => {
    await ensure({ ANTHROPIC_API_KEY: 'sk-1', OTHER: 'x' })
    const { credentials } = (await read()).spec
    const env = [{ name: 'ANTHROPIC_API_KEY', key: 'ANTHROPIC_API_KEY' }]
    assert.deepEqual(credentials, { secretName: login.name, env })
    const secret = await controlPlane.client.get(SECRETS, login)
    assert.deepEqual(secret.data, { ANTHROPIC_API_KEY: Buffer.from('sk-1').toString('base64') })
    assert.equal(secret.metadata.labels?.['slipway.dev/usable-by'], 'agent')
  })

  it('are the login in the owner’s home without keys, kept up to date; a key that is gone leaves no Secret', async () => {
    await ensure({ ANTHROPIC_API_KEY: 'sk-1' })
    await ensure()
    const file = { path: '.claude/.credentials.json', hostPath: '/home/ann/.claude/.credentials.json' }
    assert.deepEqual((await read()).spec.credentials, { files: [file], writeBack: true })
    assert.equal(await controlPlane.client.find(SECRETS, login), undefined)
  })

  it('are the login in the owner’s home where the address of a provider is set alone, which is kept beside it', async () => {
    await ensure({ ANTHROPIC_BASE_URL: 'http://gateway' })
    const file = { path: '.claude/.credentials.json', hostPath: '/home/ann/.claude/.credentials.json' }
    const env = [{ name: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_BASE_URL' }]
    assert.deepEqual((await read()).spec.credentials, { secretName: login.name, env, files: [file], writeBack: true })
    await ensure({ ANTHROPIC_BASE_URL: 'http://gateway', ANTHROPIC_AUTH_TOKEN: 'sk-1' })
    const both = ['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'].map((name) => ({ name, key: name }))
    assert.deepEqual((await read()).spec.credentials, { secretName: login.name, env: both })
  })

  it('follow a key that changed', async () => {
    await ensure({ ANTHROPIC_API_KEY: 'sk-1' })
    await ensure({ ANTHROPIC_API_KEY: 'sk-2' })
    const { data } = await controlPlane.client.get(SECRETS, login)
    assert.equal(data?.['ANTHROPIC_API_KEY'], Buffer.from('sk-2').toString('base64'))
  })

  it('stay as somebody wrote them', async () => {
    const agent = await read()
    const credentials = { secretName: 'mine', env: [{ name: 'ANTHROPIC_API_KEY', key: 'k' }] }
    await controlPlane.client.replace(AGENTS, { ...agent, spec: { ...agent.spec, credentials } })
    await ensure({ ANTHROPIC_API_KEY: 'sk-1' })
    assert.deepEqual((await read()).spec.credentials, credentials)
  })
})
