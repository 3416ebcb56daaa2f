import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

/** The last byte of it in UTF-8 is one that a trim of latin1 takes for a blank. */
const NAME = 'größe/機能/voilà'
/** A name that is no UTF-8, as a shell writes it. */
const BYTES = String.raw`$(printf 'caf\351')`
const COMMIT = 'git -c user.name=Ada -c user.email=ada@example.com commit -q'

describe('branch names of any bytes', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: '1\n' })
  })
  afterEach(() => removeFolder(root))

  it("goes on from a story's branch and pushes to it", async () => {
    const theirs = remote.commit(NAME, { b: 'theirs\n' })
    const execution = makeExecution(root, remote, 'cat b > c', { branch: NAME })
    assert.equal((await execution.all()).exitCode, 0)
    const { branch, head } = execution.result()
    assert.deepEqual([branch, head], [NAME, remote.git('rev-parse', NAME)])
    assert.equal(remote.git('rev-parse', `${NAME}^`), theirs)
  })

  for (const [whose, change] of [
    ['remote', {}],
    ['project', { baseBranch: NAME }],
  ] as const)
    it(`starts from the default branch of the ${whose}`, async () => {
      const start = remote.commit(NAME, { b: 'theirs\n' })
      if (whose === 'remote') remote.git('symbolic-ref', 'HEAD', `refs/heads/${NAME}`)
      const execution = makeExecution(root, remote, 'cat b > c', change)
      assert.equal((await execution.all()).exitCode, 0)
      const { defaultBranch } = JSON.parse(execution.read('prepared.json')) as { defaultBranch: string }
      assert.equal(defaultBranch, whose === 'remote' ? NAME : 'main')
      assert.equal(execution.result().baseCommit, start)
    })

  for (const pack of [':', 'git pack-refs --all'])
    for (const [bytes, name] of [
      ['UTF-8', NAME],
      ['no UTF-8', BYTES],
    ])
      it(`delivers from a branch whose name is ${bytes}, to which the agent switched, then ${pack}`, async () => {
        const script = `git checkout -q -b "${name}"; ${pack}; echo x > b; git add b; ${COMMIT} -m x`
        const execution = makeExecution(root, remote, script)
        assert.equal((await execution.all()).exitCode, 0)
        assert.equal(remote.git('show', 'slipway/demo:b'), 'x')
      })

  it('works where the name of the default branch is no UTF-8', async () => {
    const script = `git branch "${BYTES}" main; git symbolic-ref HEAD "refs/heads/${BYTES}"`
    execFileSync('bash', ['-c', script], { cwd: remote.path })
    const execution = makeExecution(root, remote, 'echo x > b')
    assert.equal((await execution.all()).exitCode, 0)
    assert.equal(execution.result().baseCommit, remote.git('rev-parse', 'main'))
    assert.equal(remote.git('show', 'slipway/demo:b'), 'x')
  })

  it('says that a name is too long for a file, before the agent starts', async () => {
    const execution = makeExecution(root, remote, 'true', { branch: 'ü'.repeat(200) })
    assert.equal((await execution.step('prepare')).exitCode, 1)
    const { error } = execution.result()
    assert.equal(error?.category, 'git')
    assert.match(error?.message ?? '', /name that is too long .* more than 250 bytes/)
  })

  for (const [obstacle, branch] of [
    ['slipway', 'slipway/demo'],
    ['slipway/demo/more', 'slipway/demo'],
    ['feat', 'feat/sub'],
  ] as const) {
    it(`says before the agent starts that ${obstacle} is in the way of ${branch}`, async () => {
      remote.commit(obstacle, { b: 'x' })
      const execution = makeExecution(root, remote, 'true', { branch })
      assert.equal((await execution.step('prepare')).exitCode, 1)
      assert.deepEqual(
        [execution.result().error?.category, execution.result().error?.message.split(':')[0]],
        ['git', `branch ${obstacle} on ${remote.path} is in the way of ${branch}`],
      )
    })

    it(`says at once that ${obstacle}, pushed meanwhile, is in the way of ${branch}`, async () => {
      const execution = makeExecution(root, remote, 'echo x > b', { branch })
      assert.equal((await execution.step('prepare')).exitCode, 0)
      assert.equal((await execution.step('agent')).exitCode, 0)
      remote.commit(obstacle, { b: 'x' })
      assert.equal((await execution.step('deliver')).exitCode, 1)
      assert.match(execution.result().error?.message ?? '', / is in the way of /)
    })
  }
})
