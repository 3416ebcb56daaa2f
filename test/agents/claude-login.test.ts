import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anthropicRefuses, KEY_REFUSED } from './refusals.ts'
import type { AgentRig } from './rig.ts'
import { startAgentRig } from './rig.ts'

const EXPIRED = anthropicRefuses(401, 'authentication_error', 'OAuth token has expired.')
const writes = { kind: 'use', tool: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } } as const

describe('the real claude with a key', function () {
  this.timeout(240_000)
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  it('that is refused is started once more, asked a few times in all, and says whose credentials to renew', async () => {
    rig.model.play([], KEY_REFUSED)
    await rig.submit('locked-out')
    const task = await rig.reaches('locked-out', 'FAILED')
    assert.equal(task['error_category'], 'auth')
    assert.match(String(task['error']), /Invalid API key.*: renew the credentials of agent claude \(an API key, or/)
    assert.equal(task['resume_after'], undefined)
    const [execution, ...more] = await rig.executions('locked-out')
    assert.deepEqual([execution?.['auth_retried'], more], [true, []])
    assert.ok(rig.model.asked.length <= 8, `asked ${rig.model.asked.length} times`)
  })

  it('that is refused, and renewed in its Secret meanwhile, does its work without anybody seeing a failure', async () => {
    const renewed = 'sk-renewed'
    const meanwhile = () => rig.storeSecret('slipway-login-claude', { ANTHROPIC_API_KEY: renewed })
    const old = { ...KEY_REFUSED, meanwhile }
    rig.model.play([old, ...Array.from({ length: 20 }, () => refuseAllBut(renewed))])
    await rig.submit('renewed')
    const task = await rig.reaches('renewed', 'READY')
    assert.equal(task['error'], undefined)
    const [execution, ...more] = await rig.executions('renewed')
    assert.deepEqual([execution?.['auth_retried'], execution?.['state'], more], [true, 'COMPLETED', []])
    assert.equal(rig.model.asked.at(-1)?.authorization, renewed)
  })

  /** The provider as it is: whoever shows the good key is answered. */
  function refuseAllBut(key: string) {
    return () => (rig.model.asked.at(-1)?.authorization === key ? writesOnce() : KEY_REFUSED)
  }

  const writesOnce = () =>
    JSON.stringify(rig.model.asked.at(-1)?.body).includes('tool_result')
      ? ({ kind: 'say', text: 'Written' } as const)
      : writes

  it('that is missing fails before any container starts, and is named', async () => {
    await rig.storeSecret('incomplete', { SOMETHING: 'else' })
    const env = [{ name: 'ANTHROPIC_API_KEY', key: 'key' }]
    await rig.addAgent('keyless', { credentials: { secret_name: 'incomplete', env } })
    rig.model.play([])
    await rig.submit('keyless', { agent: { type: 'keyless' } })
    const task = await rig.reaches('keyless', 'FAILED')
    assert.deepEqual([task['error_category'], task['error']], ['credentials', 'Secret incomplete lacks key'])
    const pods = await rig.server.kube.send('GET', '/api/v1/namespaces/default/pods')
    assert.ok(!pods.text.includes('keyless-1'), 'a pod was made')
    assert.deepEqual(rig.model.asked, [])
  })
})

describe('the real claude with the login of its owner', function () {
  this.timeout(240_000)
  let rig: AgentRig
  let home = ''
  const login = () => join(home, '.claude', '.credentials.json')

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'slipway-home-'))
    mkdirSync(join(home, '.claude'))
    // The address alone: with a key set, the login would not be looked at.
    rig = await startAgentRig('claude', () => ({ HOME: home }))
    const files = [{ path: '.claude/.credentials.json', host_path: login() }]
    const env = [{ name: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_BASE_URL' }]
    await rig.storeSecret('address', { ANTHROPIC_BASE_URL: rig.model.url })
    await rig.addAgent('owner', { credentials: { secret_name: 'address', env, files, write_back: true } })
  })
  after(async () => {
    await rig.stop()
    rmSync(home, { recursive: true })
  })

  it('names the missing file before any container starts', async () => {
    await rig.submit('logged-out')
    const task = await rig.reaches('logged-out', 'FAILED')
    assert.equal(task['error_category'], 'credentials')
    assert.equal(task['error'], `agent claude: file ${login()} cannot be read`)
  })

  it('whose token has expired, and is renewed by the owner meanwhile, does its work', async () => {
    writeLogin('token-old')
    const renew = { ...EXPIRED, meanwhile: () => writeLogin('token-new') }
    const answer = () => (rig.model.asked.at(-1)?.authorization === 'Bearer token-new' ? done : EXPIRED)
    rig.model.play([renew, ...Array.from({ length: 20 }, () => answer)])
    await rig.submit('expired', { agent: { type: 'owner' } })
    const task = await rig.reaches('expired', 'READY')
    assert.deepEqual([task['error'], task['summary']], [undefined, 'Let in'])
    const [execution] = await rig.executions('expired')
    assert.equal(execution?.['auth_retried'], true)
    assert.equal(rig.model.asked.at(-1)?.authorization, 'Bearer token-new')
    assert.match(readFileSync(login(), 'utf8'), /token-new/)
  })

  const done = { kind: 'say', text: 'Let in' } as const

  /** Without a token to refresh it with: that would ask the real provider. */
  function writeLogin(accessToken: string): void {
    const expiresAt = Date.now() + 3_600_000
    const scopes = ['user:inference', 'user:profile']
    const claudeAiOauth = { accessToken, refreshToken: '', expiresAt, scopes, subscriptionType: 'pro' }
    writeFileSync(login(), JSON.stringify({ claudeAiOauth }))
  }
})
