import assert from 'node:assert/strict'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const ADA = 'git -c user.name=Ada -c user.email=ada@example.com'

describe('an agent that rewrites commits which its task has pushed', () => {
  let root = ''
  let remote: Remote
  let runs = 0
  beforeEach(() => {
    root = makeFolder()
    runs = 0
    remote = makeRemote(root, { a: 'a\n' })
  })
  afterEach(() => removeFolder(root))

  async function run(
    script: string,
    spec: Partial<RunSpec> = {},
    meanwhile = (): void => undefined,
  ): Promise<ExecutionResult> {
    const execution = makeExecution(root, remote, script, { execution: `demo-${++runs}`, ...spec })
    await execution.step('prepare')
    await execution.step('agent')
    meanwhile()
    await execution.step('deliver')
    return execution.result()
  }

  const REWRITES = {
    amends: `echo more > more; git add .; ${ADA} commit -q --amend -m amended`,
    squashes: `echo more > more; git add .; git reset -q --soft origin/main; ${ADA} commit -q -m squashed`,
    'rebases onto the default branch': `git fetch -q; ${ADA} rebase -q origin/main; echo more > more; git add .; ${ADA} commit -q -m more`,
  } as const
  for (const [how, script] of Object.entries(REWRITES)) {
    it(`and ${how} has the branch replaced, and all commits are the task's`, async () => {
      const first = await run('echo one > one')
      if (how.startsWith('rebases')) remote.commit('main', { later: '1' })
      const { outcome, error, head, foreignCommits, changes } = await run(script, {
        pushes: [{ head: first.head ?? '' }],
      })
      assert.deepEqual([outcome, error, head], ['succeeded', undefined, remote.git('rev-parse', 'slipway/demo')])
      assert.notEqual(head, first.head)
      assert.deepEqual([foreignCommits, changes?.files], [undefined, 2])
    })
  }

  it('and drops them all has the branch replaced too, so that nothing of them can be accepted', async () => {
    const first = await run('echo one > one')
    const second = await run('git reset -q --hard origin/main', { pushes: [{ head: first.head ?? '' }] })
    assert.deepEqual([second.outcome, second.head], ['succeeded', remote.git('rev-parse', 'main')])
    assert.equal(remote.git('rev-parse', 'slipway/demo'), second.head)
  })

  it('keeps what somebody else had pushed below them listed as theirs', async () => {
    const foreign = remote.commit('slipway/demo', { theirs: '1' })
    const first = await run('echo one > one')
    const second = await run(REWRITES.amends, { pushes: [{ found: foreign, head: first.head ?? '' }] })
    assert.deepEqual([second.push?.found, second.foreignCommits?.map(({ commit }) => commit)], [foreign, [foreign]])
  })

  it('replaces nothing that somebody pushed meanwhile', async () => {
    const first = await run('echo one > one')
    let theirs = ''
    const push = (): void => void (theirs = remote.commit('slipway/demo', { theirs: '1' }))
    const second = await run(REWRITES.amends, { pushes: [{ head: first.head ?? '' }] }, push)
    assert.equal(second.outcome, 'succeeded')
    assert.equal(remote.git('merge-base', theirs, 'slipway/demo'), theirs)
  })

  const UNAWARE = {
    'goes on': 'echo three > a',
    'does nothing': 'true',
    amends: `${ADA} commit -q --amend -m "in better words"`,
  } as const
  for (const [how, script] of Object.entries(UNAWARE))
    it(`replaces nothing that its work was rebased onto, and its clone never had: it ${how}`, async () => {
      const first = await run('echo one > one')
      const commit = (text: string): string => `echo ${text} > a; ${ADA} commit -qam ${text}`
      let theirs = ''
      const push = (): void => void (theirs = remote.commit('slipway/demo', { theirs: '1' }))
      const kept = { keepClone: true, baseCommit: remote.git('rev-parse', 'main') }
      const pushes = [{ head: first.head ?? '' }]
      const second = await run(`${commit('one')}; ${commit('two')}`, { ...kept, pushes }, push)
      assert.notEqual(second.push?.from, undefined, 'it was rebased')
      const spec = { ...kept, execution: `demo-${++runs}`, pushes: [...pushes, { head: '', ...second.push }] }
      const third = makeExecution(root, remote, script, spec)
      // Then nobody brings the clone there.
      await third.step('prepare', { repositoryUrl: `${root}/gone.git` })
      await third.step('agent')
      await third.step('deliver')
      // What it has amended is there in another form, which only the agent can bring together.
      const end = how === 'amends' ? /this work conflicts with it in a; nothing was pushed/ : /^$/
      assert.match(third.result().error?.message ?? '', end)
      assert.equal(remote.git('merge-base', theirs, 'slipway/demo'), theirs)
      assert.equal(remote.git('show', 'slipway/demo:a'), how === 'goes on' ? 'three' : 'two')
    })

  it('adds to what another task of its story has pushed last, which its clone never had', async () => {
    const branch = 'story/s'
    const commit = (text: string): string => `echo ${text} > a; ${ADA} commit -qam ${text}`
    const first = await run('echo one > one', { branch })
    const kept = { branch, keepClone: true, baseCommit: remote.git('rev-parse', 'main') }
    const pushes = [{ head: first.head ?? '' }]
    const second = await run(`${commit('one')}; ${commit('two')}`, { ...kept, pushes }, () => {
      remote.commit(branch, { theirs: '1' })
    })
    assert.notEqual(second.push?.from, undefined, 'it was rebased')
    const theirs = remote.commit(branch, { theirs: '2' })
    const last = { found: second.head ?? '', head: theirs, isOwn: false }
    const spec = { ...kept, execution: `demo-${++runs}`, pushes: [...pushes, { head: '', ...second.push }, last] }
    const third = makeExecution(root, remote, commit('three'), spec)
    // Then nobody brings the clone there.
    await third.step('prepare', { repositoryUrl: `${root}/gone.git` })
    await third.step('agent')
    await third.step('deliver')
    assert.deepEqual([third.result().outcome, third.result().error], ['succeeded', undefined])
    assert.equal(remote.git('rev-parse', `${branch}~1`), theirs)
    assert.equal(remote.git('show', `${branch}:a`), 'three')
  })

  it("never replaces anything on a story's branch, and says what was rewritten and the way out", async () => {
    const branch = 'story/s'
    const first = await run('echo one > one', { branch })
    const second = await run(REWRITES.amends, {
      branch,
      pushes: [{ head: first.head ?? '' }],
      baseCommit: remote.git('rev-parse', 'main'),
    })
    assert.deepEqual([second.outcome, second.error?.category], ['failed', 'git'])
    assert.match(second.error?.message ?? '', /commits that were already pushed were rewritten: .*run the task again/)
    assert.equal(remote.git('rev-parse', branch), first.head)
  })
})
