import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { homePath } from '../../core/execution/layout.ts'
import { isRenewal, takeBackCredentials } from '../../operator/write-back.ts'
import { type World, openWorld } from './world.ts'

describe('a credential file that came back from an agent', () => {
  const stored = '{"claudeAiOauth":{"accessToken":"old","scopes":["a"],"plan":null}}'
  const cases: [string, string, boolean][] = [
    ['with a new token is a renewal', '{"claudeAiOauth":{"accessToken":"new","scopes":["a"],"plan":null}}', true],
    [
      'with another plain value is a renewal',
      '{"claudeAiOauth":{"accessToken":"new","scopes":[],"plan":"p","n":1}}',
      true,
    ],
    ['unchanged is none', stored, false],
    ['with other members is none', '{"claudeAiOauth":{"accessToken":"new","scopes":[],"plan":null},"hooks":{}}', false],
    [
      'with a new object inside is none',
      '{"claudeAiOauth":{"accessToken":"new","scopes":[],"plan":null,"mcp":{}}}',
      false,
    ],
    [
      'with a value of another type is none',
      '{"claudeAiOauth":{"accessToken":{"a":1},"scopes":[],"plan":null}}',
      false,
    ],
    ['without its members is none', '{}', false],
    ['that is no JSON object is none', '["claudeAiOauth"]', false],
    ['cut half way is none', '{"claudeAiOauth":{"acc', false],
    ['nested without end is none', `{"claudeAiOauth":${'{"a":'.repeat(9999)}1${'}'.repeat(9999)}}`, false],
  ]
  for (const [title, text, expected] of cases) it(title, () => assert.equal(isRenewal(stored, text), expected))
})

describe('credential files at the end of an execution', () => {
  const PATH = '.claude/.credentials.json'
  const OLD = '{"token":"old"}'
  const since = '2026-01-01T00:00:00Z'
  let world: World
  let owner = ''
  let login = ''
  beforeEach(async () => {
    world = await openWorld()
    owner = mkdtempSync(join(tmpdir(), 'slipway-owner-'))
    login = join(owner, 'credentials.json')
    writeFileSync(login, OLD)
    utimesSync(login, new Date('2025-12-31'), new Date('2025-12-31'))
  })
  afterEach(async () => {
    rmSync(owner, { recursive: true, force: true })
    await world.close()
  })
  const home = () => join(world.volumeRoot, homePath('task-a'))
  const leave = (text: string): void => {
    mkdirSync(dirname(join(home(), PATH)), { recursive: true })
    writeFileSync(join(home(), PATH), text)
  }
  const take = (hostPath = login, writeBack = true) => {
    const credentials = { files: [{ path: PATH, hostPath }], writeBack }
    const agent = {
      metadata: { name: 'claude', namespace: 'default' },
      spec: { adapter: 'claude', credentials },
    } as const
    return takeBackCredentials(world.context, {
      agent: { apiVersion: 'slipway.dev/v1alpha1', kind: 'Agent', ...agent },
      sandbox: 'task-a',
      since,
    })
  }

  it('are stored where they came from when they were renewed, and not left in the home', async () => {
    leave('{"token":"new"}')
    await take()
    assert.equal(readFileSync(login, 'utf8'), '{"token":"new"}')
    assert.deepEqual([statSync(login).mode & 0o777, existsSync(join(home(), PATH))], [0o600, false])
  })

  it('are only removed from the home of an agent that gives nothing back', async () => {
    leave('{"token":"new"}')
    await take(login, false)
    assert.deepEqual([readFileSync(login, 'utf8'), existsSync(join(home(), PATH))], [OLD, false])
  })

  it('do not undo a login that a person renewed while the agent ran', async () => {
    leave('{"token":"of the run"}')
    writeFileSync(login, '{"token":"of the person"}')
    await take()
    assert.equal(readFileSync(login, 'utf8'), '{"token":"of the person"}')
  })

  it('are not taken through a link that the agent made of them or of a folder above', async () => {
    mkdirSync(home(), { recursive: true })
    writeFileSync(join(owner, '.credentials.json'), '{"token":"of somebody else"}')
    symlinkSync(owner, join(home(), '.claude'))
    await take()
    assert.deepEqual([readFileSync(login, 'utf8'), existsSync(join(owner, '.credentials.json'))], [OLD, true])
  })

  it('that cannot be stored do not keep the execution from its end', async () => {
    leave('{"token":"new"}')
    // A name that cannot be written aside: the new content gets a longer one.
    const long = join(owner, 'n'.repeat(250))
    writeFileSync(long, OLD)
    utimesSync(long, new Date('2025-12-31'), new Date('2025-12-31'))
    await take(long)
    assert.equal(readFileSync(long, 'utf8'), OLD)
  })
})
