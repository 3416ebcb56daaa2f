import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { PROGRAM } from '../helpers/slipway.ts'
import { type Server, makeInstallation } from './installation.ts'

const VALUE = 'glpat-of-ada'

describe('slipway secret', function () {
  const installation = makeInstallation()
  let server: Server
  before(async () => void (server = await installation.start()))
  after(() => installation.dispose())

  /** With `input` on stdin. */
  const slipway = (args: readonly string[], input = ''): Promise<{ code: unknown; output: string }> =>
    new Promise((resolve) => {
      const { KUBECONFIG: _, ...inherited } = process.env
      const env = { ...inherited, SLIPWAY_DATA_DIR: installation.dataDir }
      const done = (error: { code?: unknown } | null, stdout: string, stderr: string): void =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr })
      const child = execFile(process.execPath, [PROGRAM, 'secret', ...args], { env, cwd: installation.folder }, done)
      child.stdin?.end(input)
    })
  const read = async (name: string) => {
    const { body } = await server.kube.send('GET', `/api/v1/namespaces/default/secrets/${name}`)
    const texts = Object.entries(asRecord(body['data'])).map(([key, value]) => [
      key,
      Buffer.from(String(value), 'base64').toString(),
    ])
    const { labels, annotations } = asRecord(body['metadata'])
    return { type: body['type'], labels, annotations, data: Object.fromEntries(texts) as unknown }
  }

  it('keeps a token for git with type, label and host, changes it, and never shows it', async () => {
    const args = ['git', 'shop-git', '--host', 'Git.example.com', '--username', 'ada']
    for (const value of [VALUE, `${VALUE}-renewed`]) {
      const { code, output } = await slipway(args, `${value}\n`)
      assert.equal(code, 0, output)
      assert.match(output, /^secret\/shop-git in namespace default of https:.*\ngit sends it to git\.example\.com and/)
      assert.ok(!output.includes(VALUE))
      assert.deepEqual(await read('shop-git'), {
        type: 'kubernetes.io/basic-auth',
        labels: { 'slipway.dev/usable-by': 'git' },
        annotations: { 'slipway.dev/git-host': 'git.example.com' },
        data: { username: 'ada', password: value },
      })
    }
  })

  it('keeps an ssh key with the hosts that it trusts', async () => {
    const [key, hosts] = [join(installation.folder, 'key'), join(installation.folder, 'known_hosts')]
    writeFileSync(key, '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n')
    writeFileSync(hosts, 'git.example.com ssh-ed25519 AAAA\n')
    const args = ['git', 'shop-key', '--host', 'git.example.com', '--ssh-key', key]
    const alone = await slipway(args)
    assert.equal(alone.code, 2)
    assert.match(alone.output, /--ssh-key and --known-hosts go together/)
    assert.equal((await slipway([...args, '--known-hosts', hosts])).code, 0)
    const { type, data } = await read('shop-key')
    assert.deepEqual([type, Object.keys(asRecord(data))], ['kubernetes.io/ssh-auth', ['ssh-privatekey', 'known_hosts']])
    const swapped = await slipway([...args.slice(0, -1), hosts, '--known-hosts', key])
    assert.deepEqual([swapped.code, /holds no private key/.test(swapped.output)], [2, true])
  })

  it('adds a key to the Secret of an agent, and takes nothing from anybody else', async () => {
    assert.equal((await slipway(['agent', 'login', '--key', 'API_KEY'], 'one')).code, 0)
    const { output } = await slipway(['agent', 'login', '--key', 'OTHER_KEY'], 'two')
    assert.match(output, /secretName: login, env: \[\{name: OTHER_KEY, key: OTHER_KEY\}\]/)
    const kept = await read('login')
    assert.deepEqual(
      [kept.labels, kept.data],
      [{ 'slipway.dev/usable-by': 'agent' }, { API_KEY: 'one', OTHER_KEY: 'two' }],
    )
    const taken = await slipway(['git', 'login', '--host', 'git.example.com'], 'three')
    assert.equal(taken.code, 2)
    assert.match(taken.output, /Secret login exists and is for something else/)
    assert.deepEqual(await read('login'), kept)
  })

  it('keeps a token for the setups of projects, which a project names', async () => {
    const { code, output } = await slipway(['setup', 'registry', '--key', 'NPM_TOKEN'], `${VALUE}\n`)
    assert.equal(code, 0, output)
    assert.match(output, /env: \[\{name: NPM_TOKEN, secret_key: \{name: registry, key: NPM_TOKEN\}\}\]/)
    assert.ok(!output.includes(VALUE))
    const { labels, data } = await read('registry')
    assert.deepEqual([labels, data], [{ 'slipway.dev/usable-by': 'setup' }, { NPM_TOKEN: VALUE }])
  })

  it('says what is missing, and the way out', async () => {
    for (const [args, expected] of [
      [['git', 'a'], /--host is missing/],
      [['git', 'a', '--host', 'https://git.example.com/shop.git'], /--host is a name such as/],
      [['git', 'a', '--host', 'git.example.com'], /no value was given/],
      [['agent', 'a', '--key', 'a b'], /--key names the key/],
      [['agent', 'a', '--host', 'x'], /--host is for secret git/],
      [['setup', 'a'], /secret setup: --key names the key/],
      [['ssh', 'a'], /git, agent or setup/],
    ] as const) {
      const { code, output } = await slipway(args)
      assert.equal(code, 2, output)
      assert.match(output, expected)
    }
  })
})
