import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from '../helpers/slipway.ts'
import { makeInstallation } from './installation.ts'

const TOKEN = 'a-token-of-alice'

describe('logging in from the command line', () => {
  const tokens = JSON.stringify([{ name: 'alice', token: TOKEN, scopes: ['read', 'decide'] }])
  const installation = makeInstallation({ SLIPWAY_TOKENS: tokens })
  const file = join(installation.folder, 'config', 'slipway', 'profiles.json')
  let url = ''
  before(async () => void (url = (await installation.start()).program.url))
  after(() => installation.dispose())

  /** With `input` on stdin. */
  const slipway = (args: readonly string[], input = '', token?: string): Promise<{ code: unknown; output: string }> =>
    new Promise((resolve) => {
      const { SLIPWAY_TOKEN: _, SLIPWAY_SERVER: __, ...inherited } = process.env
      const given = token === undefined ? {} : { SLIPWAY_TOKEN: token }
      const env = { ...inherited, ...given, XDG_CONFIG_HOME: join(installation.folder, 'config') }
      const child = execFile(
        process.execPath,
        [PROGRAM, ...args],
        { env, cwd: installation.folder },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      )
      child.stdin?.end(input)
    })

  it('saves no token that the server does not know', async () => {
    const { code, output } = await slipway(['login', url], 'wrong-token\n')
    assert.equal(code, 1, output)
    assert.match(output, /does not know this token; nothing was saved/)
    assert.ok(!existsSync(file))
    assert.equal((await slipway(['login', url], '\n')).code, 2)
  })

  it('says whose the token is, uses it from then on, and never shows it', async () => {
    const said = await slipway(['login', url, '--profile', 'mine'], `${TOKEN}\n`)
    assert.equal(said.code, 0, said.output)
    assert.match(said.output, /as alice, who may: read, decide\nsaved as profile mine/)
    assert.match(readFileSync(file, 'utf8'), new RegExp(TOKEN))
    const tasks = await slipway(['tasks'])
    assert.match(tasks.output, /^No tasks\./)
    const listed = await slipway(['profiles'])
    assert.match(listed.output, /^mine +http:\S+ +yes$/m)
    const json = await slipway(['profiles', '-o', 'json'])
    for (const { output } of [said, tasks, listed, json]) assert.ok(!output.includes(TOKEN))
  })

  it('says when the environment has another token, which is used', async () => {
    const other = await slipway(['tasks'], '', 'another-token')
    assert.equal(other.code, 1)
    assert.match(other.output, /SLIPWAY_TOKEN is used, not the token of profile mine: unset SLIPWAY_TOKEN/)
    assert.ok(!other.output.includes(TOKEN) && !other.output.includes('another-token'))
    assert.doesNotMatch((await slipway(['tasks'], '', TOKEN)).output, /SLIPWAY_TOKEN/)
  })

  it('asks for a token again after the logout', async () => {
    assert.equal((await slipway(['logout'])).code, 0)
    assert.ok(!readFileSync(file, 'utf8').includes(TOKEN))
    const { code, output } = await slipway(['tasks', '--server', url])
    assert.equal(code, 1)
    assert.match(output, /asks for a token: .*slipway login http:/)
  })
})
