import assert from 'node:assert/strict'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('work whose base has moved on', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { a: '1\n', b: '1\n' })
  })
  afterEach(() => removeFolder(root))

  async function worked(script: string, spec: Partial<RunSpec> = {}): Promise<TestExecution> {
    const execution = makeExecution(root, remote, script, spec)
    assert.equal((await execution.step('prepare')).exitCode, 0)
    assert.equal((await execution.step('agent')).exitCode, 0)
    return execution
  }

  async function deliver(execution: TestExecution): Promise<void> {
    const end = await execution.step('deliver')
    assert.equal(end.exitCode, 0, end.stderr)
  }

  it('is pushed as it is where nothing has moved, and the result says so', async () => {
    const execution = await worked('echo 2 > a')
    await deliver(execution)
    assert.deepEqual(execution.result().rebase, { result: 'UpToDate', onto: remote.git('rev-parse', 'main') })
  })

  it('is rebased onto the default branch before its first push', async () => {
    const execution = await worked('echo 2 > a')
    const onto = remote.commit('main', { b: '2\n' })
    await deliver(execution)
    const { rebase, baseCommit, changes, commits } = execution.result()
    assert.deepEqual([rebase, baseCommit], [{ result: 'Rebased', onto }, onto])
    assert.deepEqual(changes, { files: 1, insertions: 1, deletions: 1 })
    assert.deepEqual(commits, [remote.git('rev-parse', 'slipway/demo')])
    assert.equal(remote.git('rev-parse', 'slipway/demo^'), onto)
  })

  it('is rebased onto the branch that the project names as its base', async () => {
    remote.commit('release', { r: '1' })
    const execution = await worked('echo 2 > a', { baseBranch: 'release' })
    remote.commit('main', { m: '1' })
    const onto = remote.commit('release', { r: '2' })
    await deliver(execution)
    assert.deepEqual(execution.result().rebase, { result: 'Rebased', onto })
  })

  it('on a branch that lacks what main has, starts from that branch and holds nothing of main', async () => {
    const feature = remote.commit('feature', { f: 'broken' })
    remote.commit('main', { a: 'new on main' })
    const execution = await worked(`git checkout -q ${feature} && echo fixed > f`, { baseBranch: 'feature' })
    await deliver(execution)
    assert.equal(execution.result().baseCommit, feature)
    assert.equal(remote.git('rev-parse', 'slipway/demo^'), feature)
    assert.equal(remote.git('show', 'slipway/demo:a'), '1')
  })

  it('is pushed as it is where it conflicts with its base, and the files are named', async () => {
    const execution = await worked('echo mine > a; echo mine > b; echo mine > c')
    const head = gitIn(execution.clone, 'rev-parse', 'HEAD')
    const onto = remote.commit('main', { a: 'theirs\n', b: 'theirs\n' })
    await deliver(execution)
    const { result, files } = execution.result().rebase ?? {}
    assert.deepEqual([result, files, execution.result().rebase?.onto], ['Conflict', ['a', 'b'], onto])
    assert.equal(remote.git('rev-parse', 'slipway/demo'), head)
  })

  it('is left alone when it holds a merge, and the result says so', async () => {
    const commit = 'git -c user.name=A -c user.email=a@x'
    const execution = await worked(
      `git checkout -q -b s; echo s > s; git add s; ${commit} commit -qm s; git checkout -q -; echo t > t; git add t; ${commit} commit -qm t; ${commit} merge -q --no-edit s`,
    )
    const head = gitIn(execution.clone, 'rev-parse', 'HEAD')
    remote.commit('main', { b: '2\n' })
    await deliver(execution)
    assert.equal(execution.result().rebase?.result, 'Behind')
    assert.match(execution.result().rebase?.message ?? '', /main has moved on.* merge commit/)
    assert.equal(remote.git('rev-parse', 'slipway/demo'), head)
  })

  it('is never rewritten once an earlier attempt has pushed it: the result says that it is behind', async () => {
    const first = remote.commit('slipway/demo', { c: 'earlier' })
    const execution = await worked('echo 2 > a')
    const onto = remote.commit('main', { b: '2\n' })
    await deliver(execution)
    assert.deepEqual([execution.result().rebase?.result, execution.result().rebase?.onto], ['Behind', onto])
    assert.match(execution.result().rebase?.message ?? '', /was pushed before/)
    assert.equal(remote.git('rev-parse', 'slipway/demo^'), first)
  })

  it("of a story is compared with the story's branch alone", async () => {
    const story = remote.commit('story/s', { c: 'earlier' })
    const execution = await worked('echo 2 > a', { branch: 'story/s' })
    remote.commit('main', { b: '2\n' })
    await deliver(execution)
    assert.deepEqual(execution.result().rebase, { result: 'UpToDate', onto: story })
  })

  it('counts as delivered when deliver is repeated after its push', async () => {
    const execution = await worked('echo 2 > a')
    remote.commit('main', { b: '2\n' })
    await deliver(execution)
    const pushed = remote.git('rev-parse', 'slipway/demo')
    const end = await execution.step('deliver', { jobNumber: 2, deliverOnly: true })
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(remote.git('rev-parse', 'slipway/demo'), pushed)
    assert.equal(execution.result().pushed, true)
  })
})
