import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n'
const COMMIT = 'git -c user.name=Ada -c user.email=ada@example.com commit -q'

describe('delivery to a branch that others write', () => {
  let root = ''
  let remote: Remote
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { 'a.txt': LINES, 'b.txt': LINES })
  })
  afterEach(() => removeFolder(root))

  /** Prepare and agent have run on the story's branch; deliver has not. */
  async function workedOn(script: string, branch = 'story/s'): Promise<TestExecution> {
    const execution = makeExecution(root, remote, script, { branch })
    assert.equal((await execution.step('prepare')).exitCode, 0)
    assert.equal((await execution.step('agent')).exitCode, 0)
    return execution
  }

  /** As the remote's `update` hook, which runs when the push is about to take effect. */
  function atPush(lines: string): void {
    const hook = join(remote.path, 'hooks', 'update')
    mkdirSync(join(remote.path, 'hooks'), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\nunset GIT_QUARANTINE_PATH\n${lines}\n`)
    chmodSync(hook, 0o755)
  }

  it('rebases onto what was pushed meanwhile, and tells the changes of the work alone', async () => {
    remote.commit('story/s', { c: 'before' })
    const execution = await workedOn("sed -i 's/^eight$/8/' a.txt")
    const theirs = remote.commit('story/s', { 'a.txt': LINES.replace('one', '1'), d: 'theirs' })
    assert.equal((await execution.step('deliver')).exitCode, 0)
    const { pushed, commits, changes, rebase, baseCommit, head } = execution.result()
    assert.equal(head, remote.git('rev-parse', 'story/s'))
    assert.deepEqual(
      { pushed, commits, changes, rebase, baseCommit },
      {
        pushed: true,
        commits: [remote.git('rev-parse', 'story/s')],
        changes: { files: 1, insertions: 1, deletions: 1 },
        rebase: { result: 'Rebased', onto: theirs },
        baseCommit: theirs,
      },
    )
    assert.equal(remote.git('rev-parse', 'story/s^'), theirs)
    assert.equal(remote.git('show', 'story/s:a.txt'), LINES.replace('one', '1').replace('eight', '8').trim())
    assert.match(execution.read('changes.diff'), /^\+8$/m)
    assert.ok(!execution.read('changes.diff').includes('theirs'))
  })

  it('keeps authors, messages and the order of commits, and leaves out what the branch has already', async () => {
    remote.commit('story/s', { c: 'before' })
    const execution = await workedOn(
      `echo x > x; git add x; ${COMMIT} -m first; echo y > y; git add y; ${COMMIT} -m second`,
    )
    remote.commit('story/s', { x: 'x\n' }, 'the same in other words')
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(
      remote.git('log', '--format=%s|%an|%cn', '--max-count=2', 'story/s'),
      'second|Ada|Slipway\nthe same in other words|A Person|A Person',
    )
  })

  it('follows files that were renamed on the branch', async () => {
    remote.commit('story/s', { c: 'before' })
    const execution = await workedOn("sed -i 's/^eight$/8/' a.txt")
    const work = join(root, 'person')
    gitIn(root, 'clone', '--quiet', '--branch', 'story/s', remote.path, work)
    gitIn(work, 'mv', 'a.txt', 'renamed.txt')
    gitIn(work, 'commit', '--quiet', '--message', 'rename')
    gitIn(work, 'push', '--quiet')
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(remote.git('diff', '--name-only', 'story/s^', 'story/s'), 'renamed.txt')
  })

  it('fails with the names of the files that conflict, pushes nothing and keeps the clone', async () => {
    remote.commit('story/s', { c: 'before' })
    const execution = await workedOn("sed -i 's/^one$/uno/' a.txt b.txt; echo new > new.txt")
    const theirs = remote.commit('story/s', { 'a.txt': LINES.replace('one', '1'), 'b.txt': LINES.replace('one', '1') })
    assert.equal((await execution.step('deliver')).exitCode, 1)
    const { outcome, error, rebase, pushed } = execution.result()
    assert.deepEqual(
      [outcome, error?.category, pushed, rebase],
      ['failed', 'git', false, { result: 'Conflict', onto: theirs, files: ['a.txt', 'b.txt'] }],
    )
    assert.match(error?.message ?? '', /has moved on to .* conflicts with it in a\.txt, b\.txt; .*run the task again/)
    assert.equal(remote.git('rev-parse', 'story/s'), theirs)
    assert.equal(gitIn(execution.clone, 'show', 'HEAD:a.txt').split('\n')[0], 'uno')
  })

  it('leaves a history with merges alone when the branch has moved, and says so', async () => {
    remote.commit('story/s', { c: 'before' })
    const merge = `git checkout -q -b side; echo s > s; git add s; ${COMMIT} -m side; git checkout -q -; echo t > t; git add t; ${COMMIT} -m t; git -c user.name=A -c user.email=a@x merge -q --no-edit side`
    const execution = await workedOn(merge)
    const theirs = remote.commit('story/s', { d: 'theirs' })
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /has moved on .* merge commit/)
    assert.equal(remote.git('rev-parse', 'story/s'), theirs)
  })

  it('brings nothing back that somebody took out of the branch by force', async () => {
    const first = remote.git('rev-parse', 'main')
    remote.commit('story/s', { secret: 'to be removed' })
    const execution = await workedOn('echo mine > mine')
    remote.git('update-ref', 'refs/heads/story/s', first)
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /was rewritten/)
    assert.equal(remote.git('rev-parse', 'story/s'), first)
  })

  it('pushes again when somebody pushes between its fetch and its push', async () => {
    remote.commit('story/s', { c: 'before' })
    const theirs = remote.commit('theirs', { d: 'theirs' })
    const tree = remote.git('rev-parse', `${theirs}^{tree}`)
    const execution = await workedOn('echo mine > mine')
    atPush(
      `test -e once && exit 0; touch once; git update-ref refs/heads/story/s $(git -c user.name=P -c user.email=p@x commit-tree -p story/s -m raced ${tree})`,
    )
    const end = await execution.step('deliver')
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(remote.git('log', '--format=%s', '--max-count=2', 'story/s'), 'Do the demo\nraced')
    assert.equal(execution.result().rebase?.result, 'Rebased')
  })

  it('gives up after four pushes on a branch that never rests, and says that a resume pushes again', async () => {
    remote.commit('story/s', { c: 'before' })
    const execution = await workedOn('echo mine > mine')
    atPush(
      'echo x >> count; git update-ref refs/heads/story/s $(git -c user.name=P -c user.email=p@x commit-tree -p story/s -m raced story/s^{tree})',
    )
    assert.equal((await execution.step('deliver')).exitCode, 1)
    const { error, pushed } = execution.result()
    assert.deepEqual([error?.category, pushed], ['git', false])
    assert.match(error?.message ?? '', /moves faster.*tried 4 times; resume the task/)
    assert.equal(remote.git('log', '--format=%s', '--max-count=1', 'story/s'), 'raced')
  })

  it('runs no hook, filter or merge driver that the clone brings along', async () => {
    remote.commit('story/s', { c: 'before' })
    const trap = join(root, 'trap')
    const execution = await workedOn(
      `sed -i 's/^eight$/8/' a.txt; echo '* filter=evil merge=evil diff=evil' > .gitattributes
      git config filter.evil.smudge 'touch ${trap}'; git config filter.evil.clean 'touch ${trap}; cat'
      git config merge.evil.driver 'touch ${trap}'; git config core.fsmonitor 'touch ${trap}'
      git config core.alternateRefsCommand 'touch ${trap}'; git config uploadpack.packObjectsHook 'touch ${trap}'
      mkdir -p .git/hooks; for hook in post-checkout post-rewrite pre-rebase pre-push post-commit reference-transaction; do
      printf '#!/bin/sh\\ntouch ${trap}\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done`,
    )
    removeFolder(trap)
    remote.commit('story/s', { 'a.txt': LINES.replace('one', '1') })
    const end = await execution.step('deliver')
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(existsSync(trap), false)
    assert.equal(execution.result().rebase?.result, 'Rebased')
  })
})
