import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseServer } from '../../../cli/client/choose-server.ts'
import {
  type Profile,
  type Profiles,
  loadProfiles,
  profilesPath,
  saveProfiles,
  withoutProfile,
  withProfile,
} from '../../../cli/client/profiles.ts'
import { openSession } from '../../../cli/client/session.ts'

const work: Profile = { name: 'work', server: 'https://work.example', token: 'of-work' }
const home: Profile = { name: 'home', server: 'https://home.example', token: 'of-home' }
const SAVED: Profiles = { current: 'work', profiles: [work, home] }

describe('the server of a command', () => {
  const choose = (flags: object, env: Record<string, string> = {}, wantsCluster = false, saved = SAVED) => {
    const choice = chooseServer({ flags, env, wantsCluster, load: () => saved })
    return choice.kind === 'cluster' ? 'cluster' : [choice.server, choice.saved?.token]
  }

  it('is that of a flag, then of a variable, then of a cluster, then of the current profile, then of this machine', () => {
    const env = { SLIPWAY_SERVER: 'http://of-env' }
    assert.deepEqual(choose({ server: 'http://of-flag' }, env, true), ['http://of-flag', undefined])
    assert.deepEqual(choose({ profile: 'home' }, env, true), ['https://home.example', 'of-home'])
    assert.deepEqual(choose({}, env, true), ['http://of-env', undefined])
    assert.deepEqual(choose({}, { SLIPWAY_PROFILE: 'home' }, true), ['https://home.example', 'of-home'])
    assert.equal(choose({}, {}, true), 'cluster')
    assert.deepEqual(choose({}), ['https://work.example', 'of-work'])
    assert.deepEqual(choose({}, {}, false, { profiles: [] }), ['http://127.0.0.1:8080', undefined])
  })

  it('gets the token saved for its origin, and none where two could be meant', () => {
    assert.deepEqual(choose({ server: 'https://home.example/x' }), ['https://home.example/x', 'of-home'])
    for (const server of ['http://home.example', 'https://home.example:444', 'https://home.example.org'])
      assert.deepEqual(choose({ server }), [server, undefined])
    const twice = { profiles: [home, { ...home, name: 'other', token: 'x' }] }
    assert.deepEqual(choose({ server: home.server }, {}, false, twice), [home.server, undefined])
  })

  it('is refused when it is named twice, or by a profile that is not there', () => {
    assert.throws(() => choose({ server: 'http://a', profile: 'home' }), /--server and --profile both name/)
    assert.throws(() => choose({}, { SLIPWAY_SERVER: 'http://a', SLIPWAY_PROFILE: 'home' }), /SLIPWAY_PROFILE both/)
    assert.throws(() => choose({ profile: 'nope' }), /no profile "nope"; there is work, home/)
  })
})

describe('saved profiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-profiles-'))
  const path = profilesPath({ XDG_CONFIG_HOME: join(folder, 'config') })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('come back from a file that nobody else can read, and are refused once others can', async () => {
    assert.deepEqual(loadProfiles(path), { profiles: [] })
    await saveProfiles(path, withProfile({ profiles: [] }, work))
    assert.deepEqual(loadProfiles(path), { current: 'work', profiles: [work] })
    assert.equal(statSync(path).mode & 0o777, 0o600)
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(path, mode)
      assert.throws(() => loadProfiles(path), /others on this machine may read or change it: chmod 600 /)
    }
  })

  it('have no current one after it is forgotten', () => {
    assert.deepEqual(withoutProfile(SAVED, 'work'), { profiles: [home] })
    assert.deepEqual(withoutProfile(SAVED, 'home'), { current: 'work', profiles: [work] })
  })

  it('lie below the home folder unless XDG_CONFIG_HOME is absolute', () => {
    const expected = '/home/me/.config/slipway/profiles.json'
    assert.equal(profilesPath({ HOME: '/home/me', XDG_CONFIG_HOME: 'relative' }), expected)
  })
})

describe('a saved token', () => {
  it('does not follow a redirect', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer(({ url, headers: { authorization } }, response) => {
      seen.push(`${url} ${authorization}`)
      response.writeHead(307, { Location: '/elsewhere', 'X-Request-Id': '1' }).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const address = server.address()
      assert.ok(typeof address === 'object' && address !== null)
      const url = `http://127.0.0.1:${address.port}`
      const open = (saved: Profile) =>
        openSession({ server: url, saved, form: 'table', env: { SLIPWAY_DATA_DIR: '/nowhere' } })
      await assert.rejects(
        (await open({ ...work, server: url })).api.listTasks(),
        /redirects to http:.*no token is sent/,
      )
      await assert.rejects((await open(work)).api.listTasks(), /redirects/)
      assert.deepEqual(seen, ['/api/tasks Bearer of-work', '/api/tasks undefined'])
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
