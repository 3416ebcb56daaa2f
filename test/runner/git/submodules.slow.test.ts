import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { runPaths } from '../../../runner/context.ts'
import { prepare } from '../../../runner/steps/prepare.ts'
import { type GitOverHttp, serveGitOverHttp } from '../../helpers/git-over-http.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { checksOf } from '../checks/given.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('submodules of a clone', () => {
  let root = ''
  let app: Remote
  let lib: Remote
  let base: Remote
  let own: GitOverHttp
  let others: GitOverHttp

  beforeEach(async () => {
    root = makeFolder()
    app = makeRemote(join(root, 'app'), { 'app.txt': 'app\n' })
    lib = makeRemote(join(root, 'lib'), { 'lib.txt': 'one\n' })
    base = makeRemote(join(root, 'base'), { 'base.txt': 'base\n' })
    own = await serveGitOverHttp(root, 'bob', 'hunter22')
    others = await serveGitOverHttp(root, 'eve', 'other')
    mkdirSync(join(root, 'login'))
    writeFileSync(join(root, 'login', 'username'), 'bob')
    writeFileSync(join(root, 'login', 'password'), 'hunter22')
  })
  afterEach(async () => {
    await Promise.all([own.close(), others.close()])
    removeFolder(root)
  })

  interface Link {
    readonly path: string
    readonly url: string
    readonly commit: string
    readonly name?: string
  }

  /** Commits .gitmodules and gitlinks onto main as `git submodule add` would, and pushes that; names are written as they are. */
  function link(remote: Remote, links: readonly Link[], branch = 'main'): string {
    const work = join(root, 'work')
    gitIn(root, 'clone', '--quiet', remote.path, work)
    const text = links.map(
      ({ name, path, url }) => `[submodule "${name ?? path}"]\n\tpath = "${path}"\n\turl = "${url}"\n`,
    )
    writeFileSync(join(work, '.gitmodules'), text.join(''))
    gitIn(work, 'add', '--all')
    for (const { path, commit } of links)
      gitIn(work, 'update-index', '--add', '--cacheinfo', `160000,${commit},${path}`)
    gitIn(work, 'commit', '--quiet', '--message', 'links')
    gitIn(work, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
    rmSync(work, { recursive: true })
    return remote.git('rev-parse', branch)
  }

  const at = (name: string, { host } = own): string => `http://${host}/${name}/remote.git`

  function clone(checkout: RunSpec['checkout'], script = 'true', env: Readonly<Record<string, string>> = {}) {
    const login = { gitCredentialsDir: join(root, 'login'), gitHost: own.host }
    const spec = { ...login, ...(checkout === undefined ? {} : { checkout }) }
    return makeExecution(root, { path: at('app') }, script, spec, env)
  }

  for (const submodules of ['Shallow', 'Full'] as const)
    it(`are checked out recursively at the recorded commits (${submodules}), and status and delivery know nothing of it`, async () => {
      const inner = base.git('rev-parse', 'main')
      const recorded = link(lib, [{ path: 'deep/base', url: '../../base/remote.git', commit: inner }])
      lib.commit('main', { 'lib.txt': 'later\n' })
      link(app, [{ path: 'third party/lib', name: 'lib', url: at('lib'), commit: recorded }])
      const execution = clone(
        { submodules },
        'git status --short; git submodule status --recursive; cat "third party/lib/deep/base/base.txt"; echo 2 >> app.txt',
      )
      const end = await execution.all()
      assert.equal(end.exitCode, 0, end.stderr)
      const folder = join(execution.clone, 'third party', 'lib')
      assert.equal(readFileSync(join(folder, 'lib.txt'), 'utf8'), 'one\n')
      assert.match(
        execution.read('agent/stdout.log'),
        new RegExp(`^ ${recorded} third party/lib.*\n ${inner} third party/lib/deep/base.*\nbase\n$`),
      )
      assert.equal(app.git('diff', '--name-only', 'main', 'slipway/demo'), 'app.txt')
      assert.equal(execution.result().undelivered, undefined)
      assert.equal(gitIn(folder, 'rev-list', '--count', 'HEAD'), submodules === 'Shallow' ? '1' : '2')
      assert.equal(gitIn(execution.clone, 'submodule', 'update', '--init', '--recursive', '--no-fetch'), '')
      assert.doesNotMatch(readFileSync(join(execution.clone, '.git', 'config'), 'utf8'), /hunter22/)
    })

  it('stay empty without the setting', async () => {
    link(app, [{ path: 'lib', url: at('lib'), commit: lib.git('rev-parse', 'main') }])
    const execution = clone(undefined)
    assert.equal((await execution.step('prepare')).exitCode, 0)
    assert.deepEqual(readdirSync(join(execution.clone, 'lib')), [])
  })

  it('that work adds are fetched without the credentials for its checks, so that an agent chooses no repository to read', async () => {
    const commit = lib.git('rev-parse', 'main')
    link(app, [{ path: 'lib', url: '../../lib/remote.git', commit }])
    const add = [
      `git config -f .gitmodules submodule.base.path base; git config -f .gitmodules submodule.base.url ${at('base')}`,
      `git update-index --add --cacheinfo 160000,${base.git('rev-parse', 'main')},base; git add .gitmodules; mkdir base`,
      'git commit --quiet -m base',
    ]
    const spec: Partial<RunSpec> = {
      gitCredentialsDir: join(root, 'login'),
      gitHost: own.host,
      checkout: { submodules: 'Full' },
      checks: checksOf({ test: 'ls lib base' }),
    }
    const execution = makeExecution(root, { path: at('app') }, add.join('\n'), spec)
    for (const step of ['prepare', 'agent'] as const) assert.equal((await execution.step(step)).exitCode, 0)
    const { exitCode, stderr } = await execution.step('stage')
    assert.equal(exitCode, 0)
    assert.match(stderr, /submodule base stays empty: .* needs a password/)
    await execution.check('test')
    assert.equal(execution.read('rounds/1/test/output.log'), 'base:\n\nlib:\nlib.txt\n')
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(execution.result().bulk, undefined)
  })

  for (const isShared of [false, true])
    it(`that only a pushed branch has are fetched without the credentials, ${isShared ? 'also where it is a story’s' : 'by prepare too'}`, async () => {
      const [commit, other] = [lib.git('rev-parse', 'main'), base.git('rev-parse', 'main')]
      const inner = link(lib, [{ path: 'base', url: at('base'), commit: other }], 'slipway/other')
      const merged = { path: 'lib', url: at('lib'), commit }
      link(app, [merged])
      const named = { path: 'named', url: at('base'), commit: other }
      link(app, [{ ...merged, commit: inner }, named], 'slipway/demo')
      const spec = { checkout: { submodules: 'Full' }, checks: checksOf({ test: 'ls lib named' }), isShared } as const
      const login = { gitCredentialsDir: join(root, 'login'), gitHost: own.host }
      const execution = makeExecution(root, { path: at('app') }, 'echo 2 >> app.txt', { ...login, ...spec })
      const { exitCode, stderr } = await execution.step('prepare')
      assert.equal(exitCode, 0, stderr)
      assert.match(
        stderr,
        /submodule named stays empty: it is fetched without credentials, because .*: .* needs a password/,
      )
      // Of a merged repository an agent may still record any commit, also one that an agent has pushed there.
      assert.match(stderr, /submodule lib\/base stays empty: .* password/)
      assert.deepEqual(readdirSync(join(execution.clone, 'lib', 'base')), [])
      assert.ok(existsSync(join(execution.clone, 'lib', 'lib.txt')))
      for (const step of ['agent', 'stage'] as const) assert.equal((await execution.step(step)).exitCode, 0)
      await execution.check('test')
      assert.match(execution.read('rounds/1/test/output.log'), /^lib:\n(\S+\n)*lib\.txt\n\nnamed:\n$/)
    })

  it('that a pushed branch takes from another merged repository choose no further one with the credentials', async () => {
    const secret = makeRemote(join(root, 'base', 'secret'), { 'secret.txt': 'secret\n' })
    const deep = { path: 'deep', url: '../secret/remote.git', commit: secret.git('rev-parse', 'main') }
    const commit = link(lib, [deep])
    gitIn(lib.path, 'push', '--quiet', base.path, `${commit}:refs/heads/fork`)
    const [one, other] = [
      { path: 'lib', url: at('lib'), commit },
      { path: 'base', url: at('base'), commit: base.git('rev-parse', 'main') },
    ]
    link(app, [one, other])
    link(app, [{ ...one, url: at('base') }, other], 'slipway/demo')
    const execution = clone({ submodules: 'Full' })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.ok(existsSync(join(execution.clone, 'lib', 'lib.txt')))
    assert.match(stderr, /submodule lib\/deep stays empty: .* password/)
    assert.deepEqual(readdirSync(join(execution.clone, 'lib', 'deep')), [])
  })

  it('that the default branch of the project has are fetched with the credentials, where the remote’s HEAD names another', async () => {
    link(app, [{ path: 'lib', url: at('lib'), commit: lib.git('rev-parse', 'main') }], 'develop')
    const login = { gitCredentialsDir: join(root, 'login'), gitHost: own.host }
    const spec = {
      ...login,
      checkout: { submodules: 'Full' },
      baseBranch: 'develop',
      defaultBranch: 'develop',
    } as const
    const execution = makeExecution(root, { path: at('app') }, 'true', spec)
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.ok(existsSync(join(execution.clone, 'lib', 'lib.txt')))
  })

  it('of another host are fetched without the credentials', async () => {
    const commit = lib.git('rev-parse', 'main')
    const elsewhere = `http://localhost:${others.host.split(':')[1]}/lib/remote.git`
    link(app, [
      { path: 'there', url: elsewhere, commit },
      { path: 'here', url: at('lib'), commit },
    ])
    const execution = clone({ submodules: 'Full' })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0)
    assert.match(
      stderr,
      /submodule there stays empty: repository http:\/\/localhost:\d+\/lib\/remote\.git needs a password/,
    )
    assert.deepEqual(readdirSync(join(execution.clone, 'there')), [])
    assert.ok(existsSync(join(execution.clone, 'here', 'lib.txt')))
    assert.equal(gitIn(execution.clone, 'status', '--short'), '')
  })

  it('outside of the folders that the project names stay empty', async () => {
    const commit = lib.git('rev-parse', 'main')
    link(app, [
      { path: 'a/lib', url: at('lib'), commit },
      { path: 'b/lib', url: at('lib'), commit },
    ])
    const execution = clone({ submodules: 'Full', sparse: ['b'] })
    assert.equal((await execution.step('prepare')).exitCode, 0)
    assert.ok(existsSync(join(execution.clone, 'b', 'lib', 'lib.txt')))
    assert.ok(!existsSync(join(execution.clone, 'a')))
  })

  it('whose commit nobody has stay empty, and the rest of the repository is worked in', async () => {
    link(app, [{ path: 'lib', url: at('lib'), commit: '1'.repeat(40) }])
    const execution = clone({ submodules: 'Shallow' }, 'echo 2 >> app.txt')
    const end = await execution.all()
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(app.git('diff', '--name-only', 'main', 'slipway/demo'), 'app.txt')
    assert.deepEqual(readdirSync(join(execution.clone, 'lib')), [])
    assert.ok(!existsSync(join(execution.clone, '.git', 'modules', 'lib')))
  })

  const hostile: readonly (readonly [path: string, change: Partial<Link>, reason: RegExp])[] = [
    ['above', { name: '../../hooks' }, /its name in \.gitmodules has an empty part, \. or \.\./],
    ['absolute', { name: '/tmp/x' }, /its name in \.gitmodules has an empty part/],
    ['in-git', { name: 'a/.GIT/hooks' }, /its name in \.gitmodules has a part \.git/],
    ['option', { name: '--template=x' }, /its name in \.gitmodules begins with -/],
    ['long', { name: 'x'.repeat(300) }, /its name in \.gitmodules is longer than 250 bytes/],
    ['url-option', { url: '-u./payload' }, /.*it has none of the forms/],
    ['helper', { url: 'ext::sh -c touch% /tmp/owned' }, /.*it has none of the forms/],
    ['local', { url: '/etc' }, /its URL is a path of this machine/],
    ['file', { url: 'file:///etc' }, /its URL is a path of this machine/],
    ['up', { url: '../../../../x' }, /.*leads above the repository's host/],
  ]
  it('with a name or URL that could do harm stay empty, and the log says why', async () => {
    const commit = lib.git('rev-parse', 'main')
    link(
      app,
      hostile.map(([path, change]) => ({ path, url: at('lib'), commit, ...change })),
    )
    const execution = clone({ submodules: 'Full' })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    for (const [path, , reason] of hostile) {
      assert.match(stderr, new RegExp(`submodule ${path} stays empty: ${reason.source}`))
      assert.deepEqual(readdirSync(join(execution.clone, path)), [])
    }
    assert.ok(!existsSync(join(execution.clone, '.git', 'modules')))
    assert.equal(gitIn(execution.clone, 'status', '--short'), '')
  })

  it('of a host that cannot be reached wait for it once, and those of other hosts are there', async () => {
    const commit = lib.git('rev-parse', 'main')
    link(app, [
      { path: 'a', url: 'http://localhost:9/a', commit },
      { path: 'b', url: 'http://localhost:9/b', commit },
      { path: 'c', url: at('lib'), commit },
    ])
    const execution = clone({ submodules: 'Shallow' })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.match(stderr, /submodule a stays empty: the host of http:\/\/localhost:9\/a cannot be reached/)
    assert.match(stderr, /submodule b stays empty: its host localhost:9 could not be reached before/)
    assert.equal(readFileSync(join(execution.clone, 'c', 'lib.txt'), 'utf8'), 'one\n')
  })

  it('end the step when the disk is full, with what to do about it', async () => {
    const commit = lib.git('rev-parse', 'main')
    link(app, [{ path: 'lib', url: at('lib'), commit }])
    const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
    const full = `case "$GIT_DIR $*" in *modules/lib*fetch*) echo 'fatal: write error: No space left on device' >&2; exit 128; esac`
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin', 'git'), `#!/bin/sh\n${full}\nexec ${git} "$@"\n`, { mode: 0o755 })
    const execution = clone({ submodules: 'Full' }, 'true', { PATH: `${join(root, 'bin')}:${process.env['PATH']}` })
    assert.equal((await execution.step('prepare')).exitCode, 1)
    assert.match(
      execution.result().error?.message ?? '',
      /^no space is left on the data volume: make room on it; then run the task again\n.*No space left on device/,
    )
  })

  it('that never come are named after half of the time that is left, and the others are there', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/a`
    const commit = lib.git('rev-parse', 'main')
    link(app, [
      { path: 'a', url, commit },
      { path: 'c', url: at('lib'), commit },
    ])
    /** The limit of the first submodule is over as soon as its host has been asked. */
    const clock: Clock = {
      now: () => new Date(0),
      schedule(ms, run) {
        if (ms !== 300_000) return systemClock.schedule(ms, run)
        silent.once('connection', run)
        return () => void silent.off('connection', run)
      },
    }
    const execution = clone({ submodules: 'Full' })
    const run = { ...execution.spec, timeoutSeconds: 3600 }
    const said: string[] = []
    const context = {
      run,
      paths: runPaths(run),
      clock,
      tmp: root,
      env: {},
      say: (line: string) => void said.push(line),
    }
    try {
      assert.equal(await prepare({ ...context, signal: new AbortController().signal }), 0, said.join('\n'))
    } finally {
      silent.close()
    }
    assert.deepEqual(
      said.filter((line) => line.startsWith('submodule ')),
      [`submodule a stays empty: git fetch did not finish within 5m at ${url}, half of the time that was left`],
    )
    assert.deepEqual(readdirSync(join(execution.clone, 'a')), [])
    assert.equal(readFileSync(join(execution.clone, 'c', 'lib.txt'), 'utf8'), 'one\n')
  })

  it('whose paths lead out of the repository stay empty, and the others are there', async () => {
    const commit = lib.git('rev-parse', 'main')
    const work = join(root, 'paths')
    gitIn(root, 'clone', '--quiet', app.path, work)
    const paths = ['../out', '/etc', 'lib', 'x'.repeat(200_000)]
    const text = paths.map((path, n) => `[submodule "s${n}"]\n\tpath = ${path}\n\turl = ${at('lib')}\n`).join('')
    writeFileSync(join(work, '.gitmodules'), text)
    gitIn(work, 'add', '--all')
    gitIn(work, 'update-index', '--add', '--cacheinfo', `160000,${commit},lib`)
    gitIn(work, 'commit', '--quiet', '--message', 'paths')
    gitIn(work, 'push', '--quiet', 'origin', 'HEAD:main')
    const execution = clone({ submodules: 'Full' })
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.match(stderr, /submodule \.\.\/out stays empty: its path has an empty part, \. or \.\./)
    assert.match(stderr, /submodule x{250} stays empty: its path is longer than 250 bytes/)
    assert.equal(readFileSync(join(execution.clone, 'lib', 'lib.txt'), 'utf8'), 'one\n')
  })

  it('whose repositories would lie in one another do not get there', async () => {
    const commit = lib.git('rev-parse', 'main')
    link(app, [
      { path: 'lib', name: 'lib', url: at('lib'), commit },
      { path: 'evil', name: 'LIB/hooks', url: at('base'), commit: base.git('rev-parse', 'main') },
    ])
    const execution = clone({ submodules: 'Full' })
    const { stderr } = await execution.step('prepare')
    assert.match(stderr, /submodule evil stays empty: its name in \.gitmodules is inside that of lib/)
    assert.ok(existsSync(join(execution.clone, 'lib', 'lib.txt')))
    assert.ok(!existsSync(join(execution.clone, '.git', 'modules', 'lib', 'hooks')))
  })
})
