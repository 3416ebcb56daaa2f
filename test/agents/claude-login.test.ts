import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { itLogsIn, itWaitsForProviders } from './logins.ts'
import { CLAUDE } from './programs.ts'
import { anthropicRefuses } from './refusals.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

const EXPIRED = anthropicRefuses(401, 'authentication_error', 'OAuth token has expired.')

describe('the real claude with a key', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('claude')))
  after(() => rig.stop())

  itLogsIn(CLAUDE, () => rig)
  itWaitsForProviders(CLAUDE, () => rig)
})

describe('the real claude with the login of its owner', function () {
  let rig: AgentRig
  let home = ''
  const login = () => join(home, '.claude', '.credentials.json')

  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'slipway-home-'))
    mkdirSync(join(home, '.claude'))
    // An address is no login: the one in the owner's home is used at it.
    rig = await startAgentRig('claude', (url) => ({ HOME: home, ANTHROPIC_BASE_URL: url }))
  })
  after(async () => {
    await rig.stop()
    rmSync(home, { recursive: true })
  })

  it('names the missing file before any container starts', async () => {
    await rig.submit('logged-out')
    const task = await rig.reaches('logged-out', 'FAILED')
    assert.equal(task['error_category'], 'credentials')
    assert.equal(
      task['error'],
      `agent claude: file ${login()} cannot be read: set ANTHROPIC_API_KEY and start Slipway again, or run claude and then /login`,
    )
  })

  it('whose token has expired, and is renewed by the owner meanwhile, does its work', async () => {
    writeLogin('token-old')
    const renew = { ...EXPIRED, meanwhile: () => writeLogin('token-new') }
    const answer = () => (rig.model.asked.at(-1)?.authorization === 'Bearer token-new' ? done : EXPIRED)
    rig.model.play([renew, ...Array.from({ length: 20 }, () => answer)])
    await rig.submit('expired')
    const task = await rig.reaches('expired', 'READY')
    assert.deepEqual([task['error'], task['summary']], [undefined, 'Let in'])
    const [execution] = await rig.executions('expired')
    assert.equal(execution?.['auth_retried'], true)
    assert.equal(rig.model.asked.at(-1)?.authorization, 'Bearer token-new')
    assert.match(readFileSync(login(), 'utf8'), /token-new/)
  })

  it('whose token is refused in mid-work goes on in its session with the new one, and is paid once', async () => {
    writeLogin('token-old')
    const refused = { ...EXPIRED, meanwhile: () => writeLogin('token-new') }
    const answer = () => (rig.model.asked.at(-1)?.authorization === 'Bearer token-new' ? done : EXPIRED)
    rig.model.play([CLAUDE.writes, refused, ...Array.from({ length: 20 }, () => answer)])
    await rig.submit('midway')
    await rig.reaches('midway', 'READY')
    const [execution, ...more] = await rig.executions('midway')
    assert.deepEqual([execution?.['auth_retried'], execution?.['state'], more], [true, 'COMPLETED', []])
    // Two answers of 100 tokens read and 20 written, one in each Job; what was refused is not charged.
    const { input, output } = asRecord(execution?.['tokens'])
    assert.deepEqual([input, output], [200, 40])
    const sessions = new Set(rig.conversation('midway-1').flatMap(({ session_id }) => session_id ?? []))
    assert.deepEqual([...sessions], [execution?.['session_id']])
    const last = JSON.stringify(rig.model.asked.at(-1)?.body)
    assert.match(last, /Do midway/)
    assert.match(last, /You were interrupted/)
    assert.equal(rig.remote.git('show', 'slipway/midway:hello.txt'), 'hello')
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
