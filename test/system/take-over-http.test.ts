import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filesWith, watchCommandLines } from '../helpers/leaks.ts'
import { leaveOut } from '../helpers/leave-out.ts'
import { type LfsHost, oidOf, pointerTo, serveLfs } from '../helpers/lfs-server.ts'
import { type Remote, gitIn, makeRemote } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { type Installation, type Server, kindPath, makeInstallation, storeGitSecret } from './installation.ts'

const PASSWORD = 'marker-of-the-persons-password'

describe('the whole program, where a person takes over work of a private repository by http', function () {
  let installation: Installation
  let server: Server
  let remote: Remote
  let host: LfsHost
  let url: string
  let home: string
  let work: string

  before(async () => {
    installation = makeInstallation()
    const git = join(installation.folder, 'git')
    home = join(installation.folder, 'home')
    work = join(installation.folder, 'work')
    for (const folder of [git, home, work]) mkdirSync(folder)
    remote = makeRemote(git, {
      'README.md': '# Private\n',
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'sound.bin': pointerTo('loud'),
    })
    host = await serveLfs(git, 'bob', PASSWORD)
    host.objects.set(oidOf('loud'), Buffer.from('loud'))
    url = `http://${host.host}/remote.git`
    // As a program of the host does, which finds its token in the environment.
    const helper = '!f() { echo username=bob; echo "password=$PERSON_TOKEN"; }; f'
    writeFileSync(
      join(home, 'gitconfig'),
      `[credential "http://${host.host}"]\n\thelper = "${helper.replaceAll('"', '\\"')}"\n`,
    )
    server = await installation.start()
    await storeGitSecret(server, `http://${host.host}`, { username: 'bob', password: PASSWORD })
    const made = await server.kube.send('POST', kindPath('projects'), {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Project',
      metadata: { name: 'private' },
      spec: { title: 'Private', remoteUrl: url, git: { secretName: 'git' }, checkout: { lfs: 'Fetch' } },
    })
    assert.equal(made.status, 201, made.text)
  })
  after(async () => {
    await installation.dispose()
    await host.close()
  })

  const env = () => ({
    SLIPWAY_SERVER: server.program.url,
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    PERSON_TOKEN: PASSWORD,
  })
  const slipway = async (code: number, cwd: string, args: readonly string[], more = {}): Promise<string> => {
    const ended = await runSlipway([...args], { ...env(), ...more }, cwd)
    assert.equal(ended.code, code, ended.output)
    return ended.output
  }
  // The repository is served by this process, which must not wait.
  const bash = (cwd: string, line: string) =>
    promisify(execFile)('bash', ['-c', line], { cwd, env: { ...process.env, ...env(), ...IDENTITY }, timeout: 60_000 })
  const ready = async (id: string, script = 'echo one > one.txt') => {
    await server.create(id, script, { project: 'private' })
    await server.run(id)
    await server.reaches(id, 'READY')
  }
  const commit = (folder: string, file: string): string => {
    writeFileSync(join(folder, file), `${file}\n`)
    gitIn(folder, 'add', file)
    gitIn(folder, 'commit', '--quiet', '--message', `by hand: ${file}`)
    return gitIn(folder, 'rev-parse', 'HEAD')
  }

  it('fetches and pushes by the helper of the person, whose password stands in no argument, file or line', async () => {
    await ready('one')
    const watch = watchCommandLines(5)
    const output = await slipway(0, work, ['checkout', 'one'])
    const folder = join(work, 'one')
    assert.doesNotMatch(output, /out of reach|not committed/)
    assert.match(output, /1 file of Git LFS is a pointer: git -c lfs\.url=http:\S+\/remote\.git\/info\/lfs lfs pull/)
    assert.equal(readFileSync(join(folder, 'sound.bin'), 'utf8'), pointerTo('loud'))
    const head = commit(folder, 'two.txt')
    const back = await slipway(0, folder, ['handback', 'one', '-f'])
    const lines = watch.stop()
    assert.equal(remote.git('rev-parse', 'slipway/one'), head)
    await server.reaches('one', 'READY')
    assert.ok(
      lines.some((line) => line.includes('push')),
      'the arguments of git were seen',
    )
    assert.deepEqual(
      lines.filter((line) => line.includes(PASSWORD)),
      [],
    )
    assert.deepEqual([...filesWith(work, PASSWORD), ...filesWith(home, PASSWORD)], [])
    assert.doesNotMatch(output + back, new RegExp(PASSWORD))
  })

  it('without a login brings the work from the server, and hands back what was pushed from elsewhere', async () => {
    await ready('two')
    const out = { PERSON_TOKEN: '' }
    const output = await slipway(0, work, ['checkout', 'two'], out)
    assert.match(output, /the repository is out of reach, so the work comes from the server: fatal: /)
    const folder = join(work, 'two')
    const head = commit(folder, 'mine.txt')
    const refused = await slipway(2, folder, ['handback', 'two'], out)
    assert.match(refused, /git ls-remote failed: .*hand back with --no-push/s)
    gitIn(folder, 'push', '--quiet', remote.path, 'HEAD:slipway/two')
    await slipway(0, folder, ['handback', 'two', '--no-push'], out)
    const task = await server.reaches('two', 'READY')
    assert.match(JSON.stringify(task['head']), new RegExp(head))
  })

  it('pushes nothing to the default branch of the remote, and says how to hand back on a branch that has moved since', async () => {
    await ready('three')
    await slipway(0, work, ['checkout', 'three'])
    const folder = join(work, 'three')
    commit(folder, 'mine.txt')
    const before = remote.git('rev-parse', 'slipway/three')
    remote.git('symbolic-ref', 'HEAD', 'refs/heads/slipway/three')
    const onto = await slipway(2, folder, ['handback', 'three'])
    remote.git('symbolic-ref', 'HEAD', 'refs/heads/main')
    assert.match(onto, /slipway\/three is the default branch of http:\S+, which only an accept writes/)
    assert.equal(remote.git('rev-parse', 'slipway/three'), before)
    remote.commit('slipway/three', { 'theirs.txt': 'theirs\n' })
    const refused = await slipway(2, folder, ['handback', 'three'])
    const [, typed = ''] =
      /has moved since the checkout: (git fetch .* && git rebase FETCH_HEAD && git push .*) && slipway handback three --no-push/.exec(
        refused,
      ) ?? []
    assert.notEqual(typed, '', refused)
    await bash(folder, typed)
    await slipway(0, folder, ['handback', 'three', '--no-push'])
    const task = await server.reaches('three', 'READY')
    assert.match(JSON.stringify(task['head']), new RegExp(gitIn(folder, 'rev-parse', 'HEAD')))
    assert.equal(remote.git('show', 'slipway/three:theirs.txt'), 'theirs')
  })

  it('fetches content of Git LFS by the command that it names, and sends what a person adds', async function () {
    if (spawnSync('git', ['lfs', 'version']).status !== 0)
      leaveOut(this, 'git-lfs is not installed (apt-get install git-lfs)')
    await ready('four')
    const output = await slipway(0, work, ['checkout', 'four'])
    const folder = join(work, 'four')
    // What the agent has written there counts for nothing.
    writeFileSync(
      join(folder, '.lfsconfig'),
      '[lfs]\n\turl = http://127.0.0.1:1/evil\n\tpushurl = http://127.0.0.1:1/evil\n',
    )
    const [typed = ''] = /git -c lfs\.url=\S+ lfs pull/.exec(output) ?? []
    await bash(home, 'git lfs install --skip-repo')
    await bash(folder, typed)
    assert.equal(readFileSync(join(folder, 'sound.bin'), 'utf8'), 'loud')
    await bash(folder, 'printf louder > new.bin && git add . && git commit -qm "a sound"')
    await slipway(0, folder, ['handback', 'four'])
    await server.reaches('four', 'READY')
    assert.equal(host.objects.get(oidOf('louder'))?.toString(), 'louder')
    assert.equal(remote.git('show', 'slipway/four:new.bin'), pointerTo('louder').trim())
  })
})

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
