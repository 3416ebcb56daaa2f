import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a delivery brings the commit that was reviewed and no other', () => {
  let root = ''
  let remote: Remote
  let reviewed = ''
  let main = ''
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: 'a', b: 'b' })
    main = remote.git('rev-parse', 'main')
    reviewed = remote.commit('slipway/demo', { mine: '1' })
  })
  afterEach(() => removeFolder(root))

  async function merge(commit: string | undefined): Promise<{ result: ExecutionResult; execution: TestExecution }> {
    const delivery = { kind: 'Merge', branch: 'slipway/demo', ...(commit === undefined ? {} : { commit }) } as const
    const execution = makeExecution(root, remote, '', { execution: 'demo-d1', delivery, baseCommit: main })
    await execution.step('deliver')
    return { result: execution.result(), execution }
  }

  it('and nothing where somebody has pushed since: the words name both commits and the way out', async () => {
    const pushed = remote.commit('slipway/demo', { theirs: '1' })
    const { result } = await merge(reviewed)
    const { outcome, error, head, commits } = result
    assert.deepEqual([outcome, error?.category, head, commits], ['failed', 'git', pushed, [pushed, reviewed]])
    const named = `is at ${pushed.slice(0, 12)}, but ${reviewed.slice(0, 12)} was reviewed`
    assert.match(error?.message ?? '', new RegExp(`${named}.*diff of execution demo-d1.* accept it again, or reject`))
    assert.equal(remote.git('rev-parse', 'main'), main)
  })

  it('leaves the diff of all that the branch would bring now, without what its base has got meanwhile', async () => {
    remote.commit('slipway/demo', { theirs: '1' })
    remote.commit('main', { later: '1' })
    const { result, execution } = await merge(reviewed)
    assert.deepEqual(result.changes, { files: 2, insertions: 2, deletions: 0 })
    const diff = execution.read('changes.diff')
    assert.ok(diff.includes('b/mine') && diff.includes('b/theirs') && !diff.includes('b/later'), diff)
  })

  it('and delivers what it then found, once that is accepted', async () => {
    remote.commit('slipway/demo', { theirs: '1' })
    const { head } = (await merge(reviewed)).result
    const execution = makeExecution(root, remote, '', {
      execution: 'demo-d2',
      delivery: { kind: 'Merge', branch: 'slipway/demo', commit: head ?? '' },
      baseCommit: main,
    })
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(remote.git('rev-parse', 'main'), head)
  })

  it('also where the branch was rewritten and lost it', async () => {
    remote.git('update-ref', '-d', 'refs/heads/slipway/demo')
    const rewritten = remote.commit('slipway/demo', { other: '1' })
    assert.equal((await merge(reviewed)).result.head, rewritten)
    assert.equal(remote.git('rev-parse', 'main'), main)
  })

  it('nor where the two histories have nothing in common, which nobody can merge', async () => {
    const tree = remote.git('rev-parse', 'main^{tree}')
    const orphan = remote.git('commit-tree', tree, '-m', 'orphan')
    remote.git('update-ref', 'refs/heads/slipway/demo', orphan)
    const { outcome, error } = (await merge(reviewed)).result
    assert.deepEqual([outcome, remote.git('rev-parse', 'main')], ['failed', main])
    assert.match(error?.message ?? '', /has no commit in common with the default branch/)
  })

  it('asks for it where it is not recorded', async () => {
    const { outcome, head, error } = (await merge(undefined)).result
    assert.deepEqual([outcome, head], ['failed', reviewed])
    assert.match(error?.message ?? '', /which commit was reviewed is not recorded/)
  })

  it('even where the branch moves while it is merged', async () => {
    const theirs = remote.commit('theirs', { theirs: '1' })
    remote.commit('main', { later: '1' })
    const hook = join(remote.path, 'hooks', 'update')
    mkdirSync(join(remote.path, 'hooks'), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/slipway/demo ${theirs}\n`)
    chmodSync(hook, 0o755)
    assert.equal((await merge(reviewed)).result.outcome, 'succeeded')
    assert.equal(remote.git('show', 'main:mine'), '1')
    assert.throws(() => remote.git('show', 'main:theirs'))
  })

  it('and is done where it was merged before, whatever became of the branch since', async () => {
    remote.git('update-ref', 'refs/heads/main', reviewed)
    remote.commit('slipway/demo', { theirs: '1' })
    assert.equal((await merge(reviewed)).result.delivered?.commit, reviewed)
    remote.git('update-ref', '-d', 'refs/heads/slipway/demo')
    const execution = makeExecution(root, remote, '', {
      execution: 'demo-d2',
      delivery: { kind: 'Merge', branch: 'slipway/demo', commit: reviewed },
    })
    assert.equal((await execution.step('deliver')).exitCode, 0)
  })

  it('refuses anything but a full hash', async () => {
    const execution = makeExecution(root, remote, '', {
      delivery: { kind: 'Merge', branch: 'slipway/demo', commit: '--all' },
    })
    const { exitCode, stderr } = await execution.step('deliver')
    assert.notEqual(exitCode, 0)
    assert.match(stderr, /delivery\.commit must be the full hash of a commit/)
  })
})
