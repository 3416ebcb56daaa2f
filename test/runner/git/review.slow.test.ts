import assert from 'node:assert/strict'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const COMMIT = 'git -c user.name=Ada -c user.email=ada@example.com commit -q'

function pushesOf({ result: { push } }: { readonly result: ExecutionResult }): NonNullable<RunSpec['pushes']> {
  return push === undefined ? [] : [push]
}

describe('what a person reviews is what accepting adds', () => {
  let root = ''
  let remote: Remote
  let main = ''
  let runs = 0
  beforeEach(() => {
    root = makeFolder()
    runs = 0
    remote = makeRemote(root, { a: 'a\n', b: 'b\n' })
    main = remote.git('rev-parse', 'main')
  })
  afterEach(() => removeFolder(root))

  interface Run {
    readonly result: ExecutionResult
    readonly diff: string
    readonly branchDiff: string
  }

  async function run(script: string, spec: Partial<RunSpec> = {}): Promise<Run> {
    const execution = makeExecution(root, remote, script, { execution: `demo-${++runs}`, ...spec })
    await execution.all()
    const read = (file: string): string => (execution.exists(file) ? execution.read(file) : '')
    return { result: execution.result(), diff: read('changes.diff'), branchDiff: read('branch.diff') }
  }

  async function merge(commit: string | undefined, spec: Partial<RunSpec> = {}): Promise<ExecutionResult> {
    const delivery = { kind: 'Merge', branch: 'slipway/demo', commit: commit ?? '' } as const
    const execution = makeExecution(root, remote, '', { execution: `demo-d${++runs}`, delivery, ...spec })
    await execution.step('deliver')
    return execution.result()
  }

  it('so the diff of a task made again under a used name has what is left on its branch, and names whose it is', async () => {
    const foreign = remote.commit('slipway/demo', { 'old.txt': 'left here\n' }, 'left by an earlier task')
    const { result, diff } = await run('echo new > new.txt')
    assert.deepEqual([result.baseCommit, result.changes?.files, result.foreignCommitCount], [main, 2, 1])
    assert.deepEqual(result.foreignCommits, [
      { commit: foreign, author: 'A Person <person@example.com>', subject: 'left by an earlier task' },
    ])
    assert.deepEqual(result.push, { found: foreign, base: main, head: result.head })
    assert.match(diff, /\+left here/)
  })

  it('and an agent that does nothing there leaves it all to be reviewed', async () => {
    const foreign = remote.commit('slipway/demo', { 'old.txt': 'left here\n' })
    const { result } = await run('true')
    const nothing = { found: foreign, base: main, head: foreign }
    assert.deepEqual([result.head, result.foreignCommitCount, result.push], [foreign, 1, nothing])
  })

  it('and commits of an earlier run of the task are its own', async () => {
    const first = await run('echo one > one')
    const pushes = [{ head: first.result.head ?? '' }]
    const second = await run('echo two > two', { pushes, baseCommit: main })
    assert.deepEqual(pushesOf(first), [{ base: main, head: first.result.head }])
    assert.equal(first.result.foreignCommits, undefined)
    assert.deepEqual([second.result.changes?.files, second.result.foreignCommits], [2, undefined])
  })

  it('and what a stranger pushed between two runs is named, and no more', async () => {
    const first = await run('echo one > one')
    const foreign = remote.commit('slipway/demo', { theirs: '1' }, 'theirs\u202e')
    const second = await run('echo two > two', { pushes: [{ head: first.result.head ?? '' }], baseCommit: main })
    assert.deepEqual(
      second.result.foreignCommits?.map(({ commit, subject }) => [commit, subject]),
      [[foreign, 'theirs\ufffd']],
    )
  })

  it('and of a branch that is behind the default branch the diff has only what it adds', async () => {
    const first = await run('echo one > one')
    remote.commit('main', { later: '1' })
    const second = await run('echo two > two', { pushes: [{ head: first.result.head ?? '' }], baseCommit: main })
    assert.deepEqual([second.result.changes?.files, second.result.baseCommit], [2, main])
    assert.equal(second.result.rebase?.result, 'Behind')
  })

  it("and the branch of a story is reviewed as a whole beside the task's own part", async () => {
    const foreign = remote.commit('story/s', { 'old.txt': 'old\n' }, 'from before the story')
    const { result, diff, branchDiff } = await run('echo new > new.txt', { branch: 'story/s' })
    assert.deepEqual([result.baseCommit, result.changes?.files, result.foreignCommits], [foreign, 1, undefined])
    const { branchReview } = result
    assert.deepEqual([branchReview?.baseCommit, branchReview?.head], [main, result.head])
    assert.deepEqual([branchReview?.changes?.files, branchReview?.foreignCommits?.[0]?.commit], [2, foreign])
    assert.ok(!diff.includes('old.txt') && branchDiff.includes('old.txt') && branchDiff.includes('new.txt'))
  })

  it('and commits whose changes a later one takes back are named with a file', async () => {
    const { result, diff } = await run(
      `echo password > secrets.env; echo x > b; git add .; ${COMMIT} -m 'add it'; git rm -q secrets.env; echo b > b; echo fine > fine; git add .; ${COMMIT} -m 'take it back'`,
    )
    assert.deepEqual(result.hiddenCommits?.map(({ subject }) => subject).sort(), ['add it', 'take it back'])
    assert.ok(result.hiddenCommits?.every(({ path }) => path === 'b' || path === 'secrets.env'))
    assert.ok(!diff.includes('password'))
  })

  const TAKEN_BACK = ['add it', 'take it back']
  const hide = (name: string): string =>
    `f=$(printf '${name}.'); f=\${f%.}; echo password > "$f"; git add .; ${COMMIT} -m 'add it'; git rm -q "$f"; echo fine > fine; git add .; ${COMMIT} -m 'take it back'`

  it('and so they are after a merge of the default branch, which has gone on since they were made', async () => {
    const { result } = await run(hide('secrets.env'))
    remote.commit('main', { later: '1' })
    const pushes = [{ head: result.head ?? '' }]
    const merge = 'git -c user.name=Ada -c user.email=ada@example.com merge -q --no-edit origin/main'
    const merged = await run(merge, { pushes, baseCommit: main })
    assert.deepEqual([merged.result.outcome, merged.result.error], ['succeeded', undefined])
    assert.deepEqual(merged.result.hiddenCommits?.map(({ subject }) => subject).sort(), TAKEN_BACK)
  })

  const NAMES = [
    [
      'with a line end in it',
      String.raw`a
b`,
    ],
    [
      'that goes on after a line end from one that is shown',
      String.raw`fine
b`,
    ],
    ['that is no UTF-8', String.raw`café`],
  ] as const
  for (const [title, name] of NAMES) {
    it(`and so they are where the file has a name ${title}`, async () => {
      const { result } = await run(hide(name))
      assert.deepEqual(result.hiddenCommits?.map(({ subject }) => subject).sort(), TAKEN_BACK)
    })
  }

  it('and so is one whose lines a later one replaces in a file that the diff shows', async () => {
    const { result, diff } = await run(
      `echo start > b; git add .; ${COMMIT} -m before; printf 'start\\ntoken = s3cret\\n' > b; ${COMMIT} -am 'add it'; printf 'start\\ntoken = s3cret\\nmore\\n' > b; ${COMMIT} -am between; printf 'start\\nmore\\n' > b; ${COMMIT} -am 'take it back'`,
    )
    assert.deepEqual(
      result.hiddenCommits?.map(({ subject, path }) => [subject, path]),
      [['add it', 'b']],
    )
    assert.ok(diff.includes('more') && !diff.includes('s3cret'))
  })

  it('and so is one with a binary file that the diff shows with other content', async () => {
    const { result } = await run(
      `printf 'one\\0' > b; git add .; ${COMMIT} -m one; printf 'two\\0' > b; ${COMMIT} -am two`,
    )
    assert.deepEqual(
      result.hiddenCommits?.map(({ subject }) => subject),
      ['one'],
    )
  })

  it('and a file that several commits go on with, move and put in another order is shown by the diff', async () => {
    const { result } = await run(
      `echo x > b; git mv a moved; git add .; ${COMMIT} -m one; printf 'y\\n x\\n' > b; git mv moved again; git add .; ${COMMIT} -m two`,
    )
    assert.equal(result.hiddenCommits, undefined)
  })

  it('and nothing is merged where the default branch has lost the commit that it was compared with', async () => {
    const later = remote.commit('main', { later: '1' })
    const { result } = await run('echo new > new.txt')
    assert.equal(result.baseCommit, later)
    remote.git('update-ref', 'refs/heads/main', main)
    const pushes = [{ head: result.head ?? '' }]
    const moved = await merge(result.head, { baseCommit: later, pushes })
    assert.deepEqual([moved.outcome, moved.head, moved.baseCommit], ['failed', result.head, main])
    assert.match(moved.error?.message ?? '', /main does not have that commit: it would get more than was shown/)
    assert.equal((await merge(result.head, { baseCommit: main, pushes })).outcome, 'succeeded')
  })

  it('and commits that the default branch has lost since the work began are named, now and later', async () => {
    const dropped = remote.commit('main', { dropped: '1' }, 'dropped')
    const rewind = `git -C '${remote.path}' update-ref refs/heads/main ${main}`
    const first = await run(`${rewind}; echo one > one`)
    assert.deepEqual(
      [first.result.baseCommit, first.result.foreignCommits?.map(({ commit }) => commit)],
      [main, [dropped]],
    )
    const second = await run('echo two > two', { pushes: pushesOf(first), baseCommit: main })
    assert.deepEqual(
      second.result.foreignCommits?.map(({ commit }) => commit),
      [dropped],
    )
  })

  it('and so are those that the work merged', async () => {
    const first = await run('echo one > one')
    const dropped = remote.commit('main', { dropped: '1' }, 'dropped')
    const rewind = `git -C '${remote.path}' update-ref refs/heads/main ${main}`
    const merge = 'git -c user.name=Ada -c user.email=ada@example.com merge -q --no-edit origin/main'
    const pushes = pushesOf(first)
    const second = await run(`${merge}; ${rewind}`, { pushes, baseCommit: main })
    assert.deepEqual(
      second.result.foreignCommits?.map(({ commit }) => commit),
      [dropped],
    )
    const third = await run('echo three > three', { pushes: [...pushes, ...pushesOf(second)], baseCommit: main })
    assert.deepEqual(
      third.result.foreignCommits?.map(({ commit }) => commit),
      [dropped],
    )
  })

  it('and work is rebased also where what it was once compared with is gone', async () => {
    const later = `commit=$(git -C '${remote.path}' commit-tree main^{tree} -p main -m later); git -C '${remote.path}' update-ref refs/heads/main $commit`
    const { result } = await run(`${later}; echo new > new.txt`, { baseCommit: 'f'.repeat(40) })
    const now = remote.git('rev-parse', 'main')
    assert.deepEqual([result.outcome, result.rebase?.result, result.baseCommit], ['succeeded', 'Rebased', now])
  })

  it('and commits of others on the branch of a story whose review was not recorded are shown before they are merged', async () => {
    const foreign = remote.commit('story/s', { old: 'old\n' }, 'from before the story')
    const { result } = await run('echo new > new.txt', { branch: 'story/s' })
    const delivery = { kind: 'Merge', branch: 'story/s', commit: result.head ?? '' } as const
    const pushes = [{ found: foreign, head: result.head ?? '' }]
    const moved = await merge(result.head, { delivery, pushes })
    assert.deepEqual([moved.outcome, moved.foreignCommits?.[0]?.commit, moved.baseCommit], ['failed', foreign, main])
    assert.match(moved.error?.message ?? '', /with commits by others, which no review has shown/)
    assert.equal((await merge(result.head, { delivery, pushes, baseCommit: main })).outcome, 'succeeded')
  })

  it('and commits that came to the branch after the review are named once the delivery finds them', async () => {
    const { result } = await run('echo new > new.txt')
    const foreign = remote.commit('slipway/demo', { theirs: '1' })
    const moved = await merge(result.head, { baseCommit: main, pushes: [{ head: result.head ?? '' }] })
    assert.deepEqual([moved.foreignCommits?.[0]?.commit, moved.foreignCommitCount], [foreign, 1])
  })
})
