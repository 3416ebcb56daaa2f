import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { findOwnIdentity } from '../../../lib/git-session.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const COMMIT = 'echo x >> b; git add b; git commit -q -m x'

describe('the identity of git in the sandbox of an agent', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: '1\n' })
  })
  afterEach(() => removeFolder(root))

  /** Authors of the commits that a script makes, the newest first. */
  async function authorsOf(script: string, change: Partial<RunSpec> = {}): Promise<string[]> {
    const execution = makeExecution(root, remote, `set -e\n${script}`, change)
    assert.equal(
      (await execution.all()).exitCode,
      0,
      execution.exists('agent/stderr.log') ? execution.read('agent/stderr.log') : '',
    )
    return remote.git('log', '--format=%an <%ae>', 'main..slipway/demo').split('\n')
  }

  it("is Slipway's, that of the project or agent, or one that the agent sets itself", async () => {
    const gitIdentity = { name: 'Bot "x" \\ y', email: 'bot@example.com' }
    assert.deepEqual(await authorsOf(COMMIT), ['Slipway <slipway@localhost>'])
    remote.git('branch', '-D', 'slipway/demo')
    const own = 'git config user.name Own; git config user.email own@example.com'
    const global = 'git config --global user.name Home; git config --global user.email home@example.com'
    // A test suite often has a home of its own.
    const elsewhere = `(export HOME=$(mktemp -d); ${COMMIT})`
    assert.deepEqual(
      await authorsOf(`${COMMIT}; ${elsewhere}; ${global}; ${COMMIT}; ${own}; ${COMMIT}`, {
        gitIdentity,
        execution: 'demo-2',
      }),
      [
        'Own <own@example.com>',
        'Home <home@example.com>',
        'Bot "x" \\ y <bot@example.com>',
        'Bot "x" \\ y <bot@example.com>',
      ],
    )
  })

  it('is that of the commit of what an agent leaves, too', async () => {
    const gitIdentity = { name: 'Bot', email: 'bot@example.com' }
    assert.deepEqual(await authorsOf('echo x > b', { gitIdentity }), ['Bot <bot@example.com>'])
  })

  it("is found in a person's own git, with what that includes, if it has a name and an address", async () => {
    const identity = () => findOwnIdentity({ home: root, env: {} })
    assert.equal(await identity(), undefined)
    writeFileSync(join(root, '.gitconfig'), '[include]\n\tpath = more\n[user]\n\tname = Ada\n')
    assert.equal(await identity(), undefined)
    writeFileSync(join(root, 'more'), '[user]\n\temail = ada@example.com\n')
    assert.deepEqual(await identity(), { name: 'Ada', email: 'ada@example.com' })
    writeFileSync(join(root, '.gitconfig'), '[user\n')
    assert.equal(await identity(), undefined)
  })
})
