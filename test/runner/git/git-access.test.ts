import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { git, GitFailed, gitText } from '../../../lib/git.ts'
import { openGitAccess } from '../../../runner/git/access.ts'
import { formatGitFailureMessage } from '../../../lib/git-failure-message.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('git credentials', () => {
  describe('on disk', () => {
    let root = ''
    beforeEach(() => (root = makeFolder()))
    afterEach(() => removeFolder(root))

    const access = (change: Partial<RunSpec>) => {
      const { spec } = makeExecution(root, { path: '/srv/x.git' }, 'true')
      return openGitAccess({ run: { ...spec, ...change }, tmp: root, env: {} })
    }

    it('in a URL are taken out of what is printed, also a token that stands as user name', async () => {
      const named = await access({ repositoryUrl: 'https://bob:hunter22@git.example.com/x' })
      assert.equal(named.redact('bob hunter22'), 'bob [redacted]')
      const token = await access({ repositoryUrl: 'https://ghp_0123456789@git.example.com/x' })
      assert.equal(token.redact('wrong: ghp_0123456789'), 'wrong: [redacted]')
    })

    it('of ssh reach git as a private copy of the key, with strict checking of the host', async () => {
      const remote = makeRemote(root, { a: '1' })
      mkdirSync(join(root, "it's secret"))
      writeFileSync(join(root, "it's secret", 'ssh-privatekey'), 'key')
      writeFileSync(join(root, "it's secret", 'known_hosts'), 'host ssh-ed25519 AAAA')
      chmodSync(join(root, "it's secret", 'ssh-privatekey'), 0o440)
      const { options } = await access({
        repositoryUrl: `git@host:${remote.path}`,
        gitCredentialsDir: join(root, "it's secret"),
        gitHost: 'host',
      })
      assert.equal(statSync(join(root, 'ssh-key')).mode & 0o777, 0o600)
      // A stand-in for ssh: notes how it was called, then runs the last argument as the far side would.
      mkdirSync(join(root, 'bin'))
      writeFileSync(
        join(root, 'bin', 'ssh'),
        `#!/bin/bash\nprintf '%s\\n' "$@" > ${root}/called\nexec bash -c "\${@: -1}"\n`,
      )
      chmodSync(join(root, 'bin', 'ssh'), 0o755)
      const env = { ...options.env, PATH: `${join(root, 'bin')}:${process.env['PATH']}` }
      const listed = await gitText(['ls-remote', '--', `git@host:${remote.path}`, 'HEAD'], { ...options, env })
      assert.equal(listed.split('\t')[0], remote.git('rev-parse', 'main'))
      const called = readFileSync(join(root, 'called'), 'utf8').split('\n')
      const wanted = [
        'StrictHostKeyChecking=yes',
        `UserKnownHostsFile=${root}/it's secret/known_hosts`,
        `${root}/ssh-key`,
      ]
      for (const argument of wanted) assert.ok(called.includes(argument), called.join(' '))
    })

    it("read the user's own configuration only where the run names their home", async () => {
      writeFileSync(join(root, '.gitconfig'), '[user]\n\tname = me\n')
      const own = await access({ gitHome: root })
      assert.equal(await gitText(['config', 'user.name'], own.options), 'me')
      const { options } = await access({})
      assert.equal((await git(['config', 'user.name'], { ...options, answers: [1] })).exitCode, 1)
    })
  })
})

describe('what people are told about a git failure', () => {
  const url = 'https://host/x.git'
  const CASES = [
    ["fatal: could not read Username for 'https://host': terminal prompts disabled", /needs a password/],
    [
      'remote: Invalid username or password.\nfatal: Authentication failed for https://host',
      /refuses the user or pass/,
    ],
    ["fatal: unable to access 'https://host/': The requested URL returned error: 403", /may not push to/],
    ['ERROR: The key you are authenticating with has been marked as read only.', /may not push to/],
    ['git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.', /refuses the key/],
    [
      'Load key "/tmp/key": error in libcrypto\ngit@host: Permission denied (publickey).',
      /whole private key without a passphrase/,
    ],
    ["remote: Repository not found.\nfatal: repository 'https://host/x.git/' not found", /does not exist/],
    ["fatal: '/srv/x' does not appear to be a git repository", /does not exist/],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', /is not known.*known_hosts/],
    [
      '@@@@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n@@@@@@@\nHost key verification failed.',
      /another key.*known_hosts/,
    ],
    ["fatal: unable to access 'https://host/': Could not resolve host: host", /cannot be reached/],
    ["fatal: unable to access 'https://host/': Could not resolve proxy: proxy.example", /the proxy on the way/],
    ["fatal: unable to access 'https://host/': Received HTTP code 407 from proxy after CONNECT", /HTTPS_PROXY and NO_/],
    [' ! [remote rejected] a -> b (pre-receive hook declined)', /refused the push/],
    [' ! [rejected]        a -> b (fetch first)', /has moved on/],
    ["fatal: unable to access 'https://host/': The requested URL returned error: 503", /fails or is overloaded/],
    ['fetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF', /connection .* broke/],
    ['error: something never seen before', /^git push: error: something never seen before$/],
  ] as const
  for (const [stderr, expected] of CASES) {
    it(`judges: ${stderr.split('\n')[0]}`, () => {
      const message = formatGitFailureMessage(new GitFailed('push', 128, stderr), url, (text) => text)
      assert.match(message, expected)
      assert.ok(message.includes(stderr.trim().split('\n').at(-1) ?? ''), "git's own words are missing")
    })
  }

  it('say what to do afterwards, if it is known what is to be done first', () => {
    const tell = (stderr: string) =>
      formatGitFailureMessage(new GitFailed('push', 1, stderr), url, (text) => text, 'resume the task')
    assert.match(tell('fatal: Authentication failed'), /^[^\n]*; then resume the task\nfatal/)
    assert.doesNotMatch(tell('error: something never seen before'), /resume/)
  })

  it('never exceeds what a result may hold, and loses the secrets', () => {
    const stderr = `${'x'.repeat(10_000)} https://u:secret@host/`
    const message = formatGitFailureMessage(new GitFailed('push', 1, stderr), url, (text) =>
      text.replaceAll('secret', '…'),
    )
    assert.ok(message.length <= 4096)
    assert.ok(!message.includes('secret'))
  })
})
