import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesWith, watchCommandLines } from '../helpers/leaks.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation } from '../system/installation.ts'
import { type GitServer, type Login, startHttpServer, startSshServer } from './git-server.ts'
import { buildImage } from './image.ts'

/** Of an ed25519 key that nobody has. */
const OTHER_KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIB0Tz5f0R1pJmS5eJ3b9hC2D0q8mTn6Wq7QyVbS0u7xk'
const SECRETS = '/api/v1/namespaces/default/secrets'
const RESUME = /^[^\n]*; then resume the task/

/** What known_hosts of a Secret can lack. */
const SSH_HOSTS = [
  {
    what: 'that known_hosts lacks',
    change: (known: string) => known.replace(/^\S+/, 'git.example.com'),
    expected: /is not known: put its key .*known_hosts of the project's git Secret/,
  },
  {
    what: 'whose key is not the one in known_hosts',
    change: (known: string) => known.replace(/\S+\s*$/, `${OTHER_KEY}\n`),
    expected: /has another key than its line in known_hosts/,
  },
] as const

describe('git servers in containers', function () {
  let image: string
  let installation: Installation
  let server: Server
  let home: string
  let remote: GitServer

  before(async () => {
    image = await buildImage('git-server')
    // Not the home of whoever runs this, whose git may have a login.
    home = mkdtempSync(join(tmpdir(), 'slipway-home-'))
    installation = makeInstallation({ SLIPWAY_LOG_LEVEL: 'debug', HOME: home })
    server = await installation.start()
  })
  after(async () => {
    await installation.dispose()
    rmSync(home, { recursive: true })
  })

  /** Makes a project with a Secret of the same name; its repository is named after what is before the `-`. */
  async function register(id: string, login: Login, more: object = {}): Promise<void> {
    await store('POST', SECRETS, id, login)
    const git = { secret_name: id }
    const project = { id, name: id, remote_url: remote.urlOf(repositoryOf(id)), git, ...more }
    const made = await server.call('POST', '/api/projects', project)
    assert.equal(made.status, 201, made.text)
  }
  const repositoryOf = (id: string): string => id.replace(/-.*/, '')

  async function store(method: string, path: string, name: string, login: Login): Promise<void> {
    const labels = { 'slipway.dev/usable-by': 'git' }
    const metadata = { name, labels, annotations: { 'slipway.dev/git-host': remote.host } }
    const { status, text } = await server.kube.send(method, path, { metadata, ...login })
    assert.ok(status < 300, text)
  }

  async function start(id: string, script: string, fields: object = {}): Promise<void> {
    await server.create(id, script, { project: id, ...fields })
    await server.run(id)
  }

  async function failureOf(id: string, login: Login, script = 'true'): Promise<string> {
    await register(id, login)
    await start(id, script)
    const { error, error_category } = await server.reaches(id, 'FAILED')
    assert.equal(error_category, 'git')
    return String(error)
  }

  async function resume(id: string): Promise<void> {
    const reply = await server.call('POST', `/api/tasks/${id}/resume`)
    assert.equal(reply.status, 202, reply.text)
    await server.reaches(id, 'READY')
  }

  const drop = (name: string): string => join(installation.dataDir, 'volume', 'drops', name)

  const KINDS = [
    { over: 'http', id: 'web', launch: startHttpServer, refuses: /refuses the user or password/, ends: '403' },
    { over: 'ssh', id: 'shell', launch: startSshServer, refuses: /refuses the key/, ends: 'marked as read only' },
  ] as const
  for (const { over, id, launch, refuses, ends } of KINDS)
    describe(`over ${over}`, () => {
      let commandLines: readonly string[] = []
      before(async () => {
        remote = await launch(image)
        await remote.makeRepository(id)
      })
      after(() => remote.stop())

      if (launch === startHttpServer)
        it('is used with the login that the owner’s own git has, where there is no Secret for its host', async () => {
          const { stringData: login } = remote.login()
          const { href, host } = new URL(remote.urlOf(id))
          const [config, stored] = [join(home, '.gitconfig'), join(home, '.git-credentials')]
          writeFileSync(stored, `http://${login['username']}:${login['password']}@${host}\n`, { mode: 0o600 })
          writeFileSync(config, '[credential]\n\thelper = store\n')
          const { body } = await server.call('POST', '/api/projects/try', { remote_url: href })
          assert.deepEqual([body['outcome'], body['tried_as'], body['default_branch']], ['reachable', 'owner', 'main'])
          await server.create('own', 'echo own > own.txt', { repository_url: href })
          await server.run('own')
          await server.reaches('own', 'READY')
          assert.equal(await remote.git(id, 'show', 'slipway/own:own.txt'), 'own')
          for (const file of [config, stored]) rmSync(file)
        })

      it('is cloned and pushed to with the Secret of its project', async () => {
        const watch = watchCommandLines(10)
        try {
          await register(`${id}-works`, remote.login())
          await start(`${id}-works`, 'cat .git/config; env; echo new > new.txt')
          await server.reaches(`${id}-works`, 'READY')
        } finally {
          commandLines = watch.stop()
        }
        assert.equal(await remote.git(id, 'show', `slipway/${id}-works:new.txt`), 'new')
      })

      it('cannot be tried without a login before a project is made; a Secret is left to the first task', async () => {
        const body = { remote_url: remote.urlOf(id) }
        const { body: nobody } = await server.call('POST', '/api/projects/try', body)
        assert.deepEqual([nobody['outcome'], nobody['usable']], ['unreachable', false])
        const git = { secret_name: `${id}-works` }
        const { body: secret } = await server.call('POST', '/api/projects/try', { ...body, git })
        assert.deepEqual([secret['outcome'], secret['usable']], ['unknown', true])
        for (const { reason } of [nobody, secret]) assert.match(String(reason), /Secret/)
        assert.match(String(secret['reason']), /the first task tries it with Secret/)
      })

      it('fails a task with a wrong login and says what to do', async () => {
        const message = await failureOf(`${id}-wrong`, remote.wrong)
        assert.match(message, refuses)
        assert.match(message, /git\.secretName.*; then run the task again\n/)
      })

      it('fails a task whose login may only read, and pushes its work with another', async () => {
        const message = await failureOf(`${id}-reader`, remote.reader, 'echo late > late.txt')
        assert.match(message, /may not push to/)
        assert.ok(message.includes(ends), message)
        assert.match(message, RESUME)
        await store('PUT', `${SECRETS}/${id}-reader`, `${id}-reader`, remote.login())
        await resume(`${id}-reader`)
        assert.equal(await remote.git(id, 'show', `slipway/${id}-reader:late.txt`), 'late')
      })

      it('fails a task whose push a hook refuses, in its words, and pushes the same work later', async () => {
        await remote.setHook(id, 'echo only on Tuesdays >&2; exit 1')
        const message = await failureOf(`${id}-hook`, remote.login(), `echo ran >> "$SERVICE_DROP_DIR/${id}"; echo > a`)
        assert.match(message, /refused the push[^]*only on Tuesdays/)
        assert.match(message, RESUME)
        assert.equal(await remote.git(id, 'branch', '--list', `slipway/${id}-hook`), '')
        await remote.setHook(id, 'exit 0')
        await resume(`${id}-hook`)
        assert.match(await remote.git(id, 'show', '--stat', `slipway/${id}-hook`), / a /)
        assert.equal(readFileSync(drop(id), 'utf8'), 'ran\n', 'the script ran again')
      })

      it('fails a task of a story whose branch is protected there, and leaves the branch alone', async () => {
        const name = `${id}-protected`
        await remote.git(id, 'branch', 'release', 'main')
        const rule = 'echo "GH006: Protected branch update failed for $ref." >&2; exit 1'
        await remote.setHook(id, `while read old new ref; do case $ref in */release) ${rule};; esac; done`)
        await register(name, remote.login())
        const story = { id: name, name: 'Release', branch_name: 'release', project_id: name }
        const made = await server.call('POST', '/api/stories', story)
        assert.equal(made.status, 201, made.text)
        await start(name, 'echo > b', { story_id: name })
        const { error } = await server.reaches(name, 'FAILED')
        assert.match(String(error), /refused the push[^]*Protected branch/)
        assert.equal(await remote.git(id, 'rev-parse', 'release'), await remote.git(id, 'rev-parse', 'main'))
        await remote.setHook(id, 'exit 0')
      })

      it('keeps the work of a task whose login ends meanwhile, and pushes that commit with a new Secret', async () => {
        const name = `${id}-ends`
        await register(name, remote.login())
        const wait = `until [ -e "$SERVICE_DROP_DIR/${name}.go" ]; do sleep 0.05; done`
        const commit = 'git add .; git -c user.name=A -c user.email=a@b commit -qm Work; git rev-parse HEAD'
        await start(name, `touch "$SERVICE_DROP_DIR/${name}"; ${wait}; echo > kept.txt; ${commit}`)
        await until('the agent works', () => existsSync(drop(name)))
        await remote.renewLogin()
        writeFileSync(drop(`${name}.go`), '')
        const { error } = await server.reaches(name, 'FAILED')
        assert.match(String(error), refuses)
        assert.match(String(error), RESUME)
        await store('PUT', `${SECRETS}/${name}`, name, remote.login())
        await resume(name)
        const printed = readFileSync(installation.executionFile(`${name}-1`, 'agent/stdout.log'), 'utf8')
        assert.equal(printed.trim(), await remote.git(id, 'rev-parse', `slipway/${name}`))
      })

      it('is cloned when it is large, and takes a large push', async () => {
        await remote.makeRepository(`${id}large`, '16M')
        await register(`${id}large`, remote.login())
        await start(`${id}large`, 'head -c 4M /dev/urandom > new.bin')
        await server.reaches(`${id}large`, 'READY')
        assert.equal(await remote.git(`${id}large`, 'cat-file', '-s', `slipway/${id}large:new.bin`), `${4 << 20}`)
      })

      if (launch === startSshServer)
        for (const { what, change, expected } of SSH_HOSTS)
          it(`fails a task of a host ${what}`, async () => {
            const login = remote.login()
            const known = String(login.stringData['known_hosts'])
            const stringData = { ...login.stringData, known_hosts: change(known) }
            const message = await failureOf(`${id}-${what.length}`, { ...login, stringData })
            assert.match(message, expected)
          })

      if (launch === startSshServer)
        it('takes a key that has lost its last line feed', async () => {
          const login = remote.login()
          const key = String(login.stringData['ssh-privatekey']).trimEnd()
          await register(`${id}-trimmed`, { ...login, stringData: { ...login.stringData, 'ssh-privatekey': key } })
          await start(`${id}-trimmed`, 'true')
          await server.reaches(`${id}-trimmed`, 'READY')
        })

      it('shows its secrets in no argument, log, status, answer or file', async () => {
        const paths = ['tasks', 'executions', 'projects'].map((plural) => kindPath(plural))
        const builtIn = ['pods', 'events'].map((plural) => `/api/v1/namespaces/default/${plural}`)
        const objects = await Promise.all([...paths, ...builtIn].map((path) => server.kube.send('GET', path)))
        const answers = await Promise.all(['/api/tasks', '/api/executions'].map((path) => server.call('GET', path)))
        const shown = [...objects, ...answers].map(({ text }) => text)
        const places = [...shown, server.program.output(), commandLines.join('\n')]
        assert.ok(commandLines.join().includes(remote.urlOf(id)), 'saw no git')
        for (const secret of remote.secrets()) {
          for (const text of places) assert.ok(!text.includes(secret), secret)
          assert.deepEqual(filesWith(join(installation.dataDir, 'volume'), secret), [])
        }
      })
    })
})
