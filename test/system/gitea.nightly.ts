/**
 * The whole program with a real Gitea: what its CI says of work that waits, a task taken over by hand, a pull request, files in
 * Git LFS. `.ci/nightly gitea` starts it, and names it by GITEA_URL and the token of its user rig-alice.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation, storeGitSecret } from './installation.ts'

const [GITEA, TOKEN] = [demanded('GITEA_URL'), demanded('GITEA_TOKEN_ALICE')]
const USER = 'rig-alice'
const SOUND = 'a sound that git does not hold\n'

function demanded(name: string): string {
  const value = process.env[name]
  assert.ok(value !== undefined && value !== '', `${name} is not set: .ci/nightly gitea runs this`)
  return value
}

/** Asks Gitea as a person would. */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { Authorization: `token ${TOKEN}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${GITEA}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

describe('the whole program, with a real Gitea', function () {
  this.timeout(300_000)
  const repository = `shop-${randomBytes(4).toString('hex')}`
  const url = `${GITEA}/${USER}/${repository}.git`
  let installation: Installation
  let server: Server
  let home: string
  let work: string

  /** A person's git and slipway: the token comes from a helper, as a program of the host gives it. */
  const env = () => ({
    SLIPWAY_SERVER: server.program.url,
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    PERSON_TOKEN: TOKEN,
  })
  const git = (folder: string, ...args: string[]): string =>
    execFileSync('git', args, {
      cwd: folder,
      env: { ...process.env, ...env() },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const slipway = async (folder: string, ...args: string[]): Promise<string> => {
    const ended = await runSlipway(args, env(), folder)
    assert.equal(ended.code, 0, ended.output)
    return ended.output
  }
  const ready = async (id: string, script: string): Promise<string> => {
    await server.create(id, script, { project: 'shop' })
    await server.run(id)
    return headOf(await server.reaches(id, 'READY'))
  }
  const headOf = (task: Readonly<Record<string, unknown>>): string => String(asRecord(task['head'])['commit'])
  const report = (commit: string, context: string, state: string): Promise<unknown> =>
    ask('POST', `/repos/${USER}/${repository}/statuses/${commit}`, {
      context,
      state,
      target_url: `https://ci.example/${context}`,
    })
  const ciIs = async (id: string, commit: string, state: string): Promise<Readonly<Record<string, unknown>>> => {
    let ci: Readonly<Record<string, unknown>> = {}
    await until(
      () => `the CI of ${id} is ${state}: ${JSON.stringify(ci)}`,
      async () => {
        ci = asRecord((await server.task(id))['ci'])
        return ci['commit'] === commit && ci['state'] === state
      },
    )
    return ci
  }

  before(async () => {
    installation = makeInstallation()
    home = join(installation.folder, 'home')
    work = join(installation.folder, 'work')
    for (const folder of [home, work]) mkdirSync(folder)
    const helper = `!f() { echo username=${USER}; echo \\"password=$PERSON_TOKEN\\"; }; f`
    const person = '[user]\n\tname = Alice\n\temail = alice@example.invalid\n'
    writeFileSync(join(home, 'gitconfig'), `[credential "${GITEA}"]\n\thelper = "${helper}"\n${person}`)
    await ask('POST', '/user/repos', { name: repository, private: true, default_branch: 'main' })
    server = await installation.start()
    const first = join(installation.folder, 'first')
    mkdirSync(first)
    git(first, 'init', '--quiet', '--initial-branch=main')
    git(first, 'lfs', 'install', '--local')
    writeFileSync(join(first, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n')
    writeFileSync(join(first, 'sound.bin'), SOUND)
    git(first, 'add', '.')
    git(first, 'commit', '--quiet', '--message', 'first')
    git(first, 'push', '--quiet', url, 'main')
    await storeGitSecret(server, GITEA, { username: USER, password: TOKEN })
    const made = await server.kube.send('POST', kindPath('projects'), {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Project',
      metadata: { name: 'shop' },
      spec: {
        title: 'Shop',
        remoteUrl: url,
        git: { secretName: 'git' },
        host: { type: 'Gitea' },
        checkout: { lfs: 'Fetch' },
        onAccept: 'PullRequest',
      },
    })
    assert.equal(made.status, 201, made.text)
  })
  after(() => installation.dispose())

  it('shows what its CI says, is taken over by hand, and ends as a merged pull request', async () => {
    const agents = await ready('one', 'echo one > one.txt')
    for (const [context, state] of [
      ['unit', 'failure'],
      ['build', 'success'],
      ['slow', 'pending'],
    ] as const)
      await report(agents, context, state)
    const { total } = await ciIs('one', agents, 'failed')
    assert.equal(total, 3)
    assert.match(await slipway(work, 'show', 'one'), /CI unit failed: https:\/\/ci\.example\/unit/)

    await slipway(work, 'checkout', 'one')
    const folder = join(work, 'one')
    for (const file of ['two.txt', 'three.txt']) {
      writeFileSync(join(folder, file), file)
      git(folder, 'add', file)
      git(folder, 'commit', '--quiet', '--message', `by hand: ${file}`)
    }
    await slipway(folder, 'handback', 'one')
    const mine = headOf(await server.reaches('one', 'READY'))
    assert.equal(mine, git(folder, 'rev-parse', 'HEAD'))

    await server.call('POST', '/api/tasks/one/accept', {})
    await server.reaches('one', 'COMPLETED')
    const delivery = async () => asRecord((await server.task('one'))['delivery'])
    await until('the pull request is there', async () => (await delivery())['state'] === 'delivered')
    const path = new URL(String((await delivery())['url'])).pathname
    const pull = asRecord(await ask('GET', `/repos/${USER}/${repository}${path.slice(path.indexOf('/pulls/'))}`))
    assert.deepEqual([asRecord(pull['head'])['sha'], asRecord(pull['base'])['ref']], [mine, 'main'])
    await report(mine, 'unit', 'success')
    await ciIs('one', mine, 'passed')
    await ask('POST', `/repos/${USER}/${repository}${path.slice(path.indexOf('/pulls/'))}/merge`, { Do: 'merge' })
    assert.match(git(work, 'ls-remote', url, 'refs/heads/main'), /\trefs\/heads\/main$/)
  })

  it('brings the content of Git LFS to the agent, and sends what the agent adds to Gitea alone', async () => {
    const script = [
      'cat sound.bin > heard.txt',
      'printf "[lfs]\\n\\turl = http://127.0.0.1:9/evil\\n" > .lfsconfig',
      'git lfs install --local > /dev/null',
      'echo a louder one > louder.bin',
      'git add . && git -c user.name=a -c user.email=a@example.invalid commit --quiet --message sounds',
    ].join('\n')
    await ready('sounds', script)
    const clone = join(installation.folder, 'clone')
    const uri = `${url}/info/lfs`
    git(work, 'clone', '--quiet', '--branch', 'slipway/sounds', url, clone)
    git(clone, 'lfs', 'install', '--local')
    git(clone, '-c', `lfs.url=${uri}`, 'lfs', 'pull')
    const read = (file: string): string => readFileSync(join(clone, file), 'utf8')
    assert.deepEqual(['heard.txt', 'sound.bin', 'louder.bin'].map(read), [SOUND, SOUND, 'a louder one\n'])
  })
})
