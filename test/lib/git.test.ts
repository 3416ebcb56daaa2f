import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { STRICT_SSH } from '../../lib/git-session.ts'
import { git, GitFailed, GitTimedOut, gitText, withGitLimit } from '../../lib/git.ts'
import { readHead, readRef, UntrustedClone, vetObjects } from '../../lib/git-untrusted.ts'
import { parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'
import { gitIn } from '../helpers/repository.ts'

describe('git', () => {
  let root = ''
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'slipway-git-'))))
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('runs with four GiB of memory of its own, and so do its helpers', async () => {
    assert.equal(await gitText(['-c', 'alias.limit=!ulimit -d', 'limit']), String(4 * 1024 * 1024))
  })

  it('answers what git prints', async () => assert.match(await gitText(['--version']), /^git version /))

  it('fails with the exit code and what git said', async () => {
    await assert.rejects(git(['rev-parse', 'HEAD'], { cwd: root }), (error) => {
      assert.ok(error instanceof GitFailed)
      assert.equal(error.exitCode, 128)
      assert.match(error.stderr, /not a git repository/)
      return true
    })
  })

  it('says what ended it where it did not end by itself', async () => {
    const [killed, endless] = ['!kill -9 $PPID', '!yes'].map((alias) => ['-c', `alias.x=${alias}`, 'x'])
    await assert.rejects(git(killed ?? []), { name: 'GitFailed', message: /was ended by SIGKILL/ })
    await assert.rejects(git(endless ?? []), { name: 'GitFailed', message: /printed more than 64 MiB/ })
  })

  it('takes an exit code for an answer where told to', async () => {
    const { exitCode } = await git(['config', '--file', join(root, 'none'), 'a.b'], { answers: [1] })
    assert.equal(exitCode, 1)
  })

  it('sees no configuration but what the call gives it', async () => {
    const list = await gitText(['config', '--list', '--show-scope'], { cwd: root, config: [['user.name', 'given']] })
    assert.match(list, /^command\tuser\.name=given$/m)
    assert.ok(list.split('\n').every((line) => line.startsWith('command\t')))
  })

  for (const path of ['.:bin:USUAL', ':USUAL', 'USUAL:', './bin', ''])
    it(`finds no program in the working tree by a PATH such as ${JSON.stringify(path)}`, async () => {
      mkdirSync(join(root, 'bin'))
      for (const place of ['git', 'git-canary', 'bin/git', 'bin/git-canary'])
        writeFileSync(join(root, place), `#!/bin/sh\ntouch ${join(root, 'ran')}\n`, { mode: 0o755 })
      const env = { PATH: path.replace('USUAL', process.env['PATH'] ?? '/usr/bin:/bin') }
      await assert.rejects(git(['canary'], { cwd: root, env }), { name: 'GitFailed', message: /exit code 1$/ })
      assert.equal(existsSync(join(root, 'ran')), false)
    })

  it('ends git and its helpers when the signal aborts', async () => {
    const controller = new AbortController()
    const running = git(['-c', `alias.wait=!echo $$ > ${root}/pid; sleep 600`, 'wait'], { signal: controller.signal })
    const { until } = await import('../helpers/until.ts')
    await until('git has begun', () => isFilled(join(root, 'pid')))
    controller.abort(new Error('enough'))
    await assert.rejects(running, /enough/)
    const pid = execFileSync('cat', [join(root, 'pid')], { encoding: 'utf8' }).trim()
    assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' })
  })

  it('ends when the time is over, and says so', async () => {
    const fast: Clock = { now: systemClock.now, schedule: (_ms, callback) => systemClock.schedule(20, callback) }
    const run = (signal: AbortSignal) => git(['-c', 'alias.wait=!sleep 600', 'wait'], { signal })
    await assert.rejects(withGitLimit(600_000, new AbortController().signal, fast, run), (error) => {
      assert.ok(error instanceof GitTimedOut)
      assert.match(error.message, /10m/)
      return true
    })
  })

  it('gives up a server that sends next to nothing', async () => {
    assert.deepEqual(
      await Promise.all(['http.lowSpeedLimit', 'http.lowSpeedTime'].map((key) => gitText(['config', key]))),
      ['100', '120'],
    )
    assert.ok(STRICT_SSH.includes('ConnectTimeout=30') && STRICT_SSH.includes('ServerAliveInterval=30'))
  })

  it('survives a git that does not read its input', async () => {
    await assert.rejects(git(['no-such-command'], { input: Buffer.alloc(5_000_000) }), GitFailed)
  })

  describe('a URL', () => {
    const GOOD = [
      ['https://host/a.git', { clean: 'https://host/a.git', protocol: 'https', host: 'host' }],
      [
        'https://u%40x:p%2Fw@Host:8443/a',
        { clean: 'https://host:8443/a', protocol: 'https', host: 'host:8443', username: 'u@x', password: 'p/w' },
      ],
      ['https://token@host/a', { clean: 'https://host/a', protocol: 'https', host: 'host', username: 'token' }],
      ['http://127.0.0.1:1/a', { clean: 'http://127.0.0.1:1/a', protocol: 'http', host: '127.0.0.1:1' }],
      ['ssh://git@host:22/a', { clean: 'ssh://git@host:22/a', protocol: 'ssh', host: 'host:22' }],
      ['git@Host.example:team/a.git', { clean: 'git@Host.example:team/a.git', protocol: 'ssh', host: 'host.example' }],
      ['/srv/a.git', { clean: '/srv/a.git', protocol: 'file', host: '' }],
      ['file:///srv/a.git', { clean: 'file:///srv/a.git', protocol: 'file', host: '' }],
    ] as const
    for (const [text, expected] of GOOD) {
      it(`is read: ${text}`, () => assert.deepEqual(parseGitUrl(text), expected))
    }

    const BAD = [
      '',
      '-x',
      '--upload-pack=x',
      'ext::sh',
      'fd::17',
      'ftp://h/x',
      'git://h/x',
      'a/b',
      'https://',
      'x\ny:z',
      'ssh://u:p@h/x',
    ]
    for (const text of BAD) {
      it(`is refused: ${JSON.stringify(text)}`, () => assert.throws(() => parseGitUrl(text), UnusableGitUrl))
    }

    it('never keeps a password in its clean form, nor shows one in a refusal', () => {
      const password = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/)
      fc.assert(
        fc.property(fc.constantFrom('https', 'http', 'ssh', 'ftp'), password, (scheme, value) => {
          try {
            return !parseGitUrl(`${scheme}://u:${value}@host/x`).clean.includes(value)
          } catch (error) {
            return error instanceof UnusableGitUrl && !error.message.includes(value)
          }
        }),
      )
    })
  })

  describe('a clone read as files', () => {
    beforeEach(() => {
      gitIn(root, 'init', '--quiet', '--initial-branch=main')
      gitIn(root, 'commit', '--quiet', '--allow-empty', '--message', 'x')
    })

    it('tells HEAD of a branch, of a packed branch, and detached, as git does', async () => {
      const commit = gitIn(root, 'rev-parse', 'HEAD')
      assert.deepEqual(await readHead(root), { commit, ref: 'refs/heads/main' })
      gitIn(root, 'pack-refs', '--all')
      assert.deepEqual(await readHead(root), { commit, ref: 'refs/heads/main' })
      gitIn(root, 'checkout', '--quiet', '--detach')
      assert.deepEqual(await readHead(root), { commit })
    })

    it('prefers a loose reference to a packed one', async () => {
      gitIn(root, 'pack-refs', '--all')
      gitIn(root, 'commit', '--quiet', '--allow-empty', '--message', 'y')
      assert.equal((await readHead(root)).commit, gitIn(root, 'rev-parse', 'HEAD'))
    })

    it('tells a missing reference as undefined', async () =>
      assert.equal(await readRef(root, 'refs/heads/none'), undefined))

    it('refuses a branch without a commit', async () => {
      gitIn(root, 'checkout', '--quiet', '--orphan', 'other')
      await assert.rejects(readHead(root), UntrustedClone)
    })

    it('accepts the objects that git itself makes', async () => {
      gitIn(root, 'gc', '--quiet')
      assert.equal((await vetObjects(root, undefined)).own, join(root, '.git', 'objects'))
    })

    it('refuses alternates, also those for http', async () => {
      mkdirSync(join(root, '.git/objects/info'), { recursive: true })
      for (const name of ['alternates', 'http-alternates']) {
        writeFileSync(join(root, '.git/objects/info', name), '')
        await assert.rejects(vetObjects(root, undefined), /borrows objects/)
        rmSync(join(root, '.git/objects/info', name))
      }
    })
  })
})

function isFilled(path: string): boolean {
  try {
    return execFileSync('cat', [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) !== ''
  } catch {
    return false
  }
}
