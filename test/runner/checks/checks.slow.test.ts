import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_MOVED } from '../../../core/execution/steps.ts'
import { gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'
import { checksOf } from './given.ts'

describe('an execution with checks', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  it('pushes exactly the commit that all its checks found green', async () => {
    const remote = makeRemote(root, { a: '1' })
    const checks = checksOf({ test: 'echo "at $(git rev-parse HEAD)"; cat a; test "$(cat a)" = 2', lint: 'true' })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks })
    assert.equal((await execution.allChecked()).exitCode, 0)
    const head = remote.git('rev-parse', 'slipway/demo')
    const { outcome, pushed, head: told, checks: verdicts = [] } = execution.result()
    assert.deepEqual([outcome, pushed, told], ['succeeded', true, head])
    assert.deepEqual(
      verdicts.map(({ name, state, commit, exitCode, required }) => [name, state, commit, exitCode, required]),
      [
        ['test', 'Passed', head, 0, true],
        ['lint', 'Passed', head, 0, true],
      ],
    )
    assert.equal(execution.read('rounds/1/test/output.log'), `at ${head}\n2\n`)
    assert.equal(execution.read('rounds/1/changes.diff'), execution.read('changes.diff'))
    assert.match(execution.read('changes.diff'), /^\+2$/m)
  })

  it('leaves neither checkouts nor staged objects on the disk', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks: checksOf({ test: 'exit 3' }) })
    await execution.allChecked()
    assert.equal(execution.exists('staged.git'), false)
    assert.deepEqual(readdirSync(join(execution.folder, 'checkouts', 'test')), [])
  })

  it('pushes nothing while a required check is red, runs the others, and tells how each ended', async () => {
    const remote = makeRemote(root, { a: '1' })
    const checks = checksOf({
      test: 'printf "\\033[31mno\\033[0m way\\n"; exit 4',
      lint: 'echo bad; exit 1',
      types: 'true',
    })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks })
    assert.equal((await execution.allChecked()).exitCode, 1)
    const result = execution.result()
    assert.equal(remote.git('branch', '--list', 'slipway/demo'), '')
    assert.equal(result.outcome, 'failed')
    assert.equal(result.error?.category, 'checks')
    assert.match(result.error?.message ?? '', /2 checks are red: test \(exit code 4\)[,] ?.*lint \(exit code 1\)/)
    assert.deepEqual([result.pushed, result.push, result.branch, result.head], [false, undefined, undefined, undefined])
    assert.deepEqual(result.changes, { files: 1, insertions: 1, deletions: 1 })
    assert.deepEqual(
      result.checks?.map(({ name, state, tail }) => [name, state, tail]),
      [
        ['test', 'Failed', 'no way'],
        ['lint', 'Failed', 'bad'],
        ['types', 'Passed', undefined],
      ],
    )
  })

  it('has in its conversation, before what the agent says, that a later round asks it to mend what was red', async () => {
    const command = join(root, 'gemini')
    const said = ['{"type":"init","session_id":"s"}', '{"type":"result","status":"success","stats":{}}']
    writeFileSync(command, ['#!/bin/bash', ...said.map((line) => `echo '${line}'`), ''].join('\n'), { mode: 0o755 })
    const agent = { name: 'gemini', adapter: 'gemini', command: [command] }
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'do it', { agent })
    await execution.step('prepare')
    await execution.step('agent', { checks: checksOf({ test: 'false' }) })
    assert.doesNotMatch(execution.read('agent/events.jsonl'), /"kind":"checks"/)
    await execution.step('agent', { jobNumber: 2, checks: checksOf({ test: 'false' }, {}, 2) })
    assert.match(
      execution.read('agent/events.jsonl'),
      /"kind":"result".*\n.*"kind":"checks","round":1}\n.*"kind":"session"/,
    )
  })

  it('delivers work although a check that is not required is red', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo 2 > a', {
      checks: checksOf({ slow: 'exit 1' }, { required: false }),
    })
    assert.equal((await execution.allChecked()).exitCode, 0)
    assert.deepEqual(
      execution.result().checks?.map(({ state, required }) => [state, required]),
      [['Failed', false]],
    )
    assert.notEqual(remote.git('branch', '--list', 'slipway/demo'), '')
  })

  it('has nothing to check where there is no new commit, or the agent has failed', async () => {
    for (const [script, exitCode, outcome] of [
      ['true', 0, 'succeeded'],
      ['echo 2 > a; exit 1', 1, 'failed'],
    ] as const) {
      const folder = makeFolder()
      const remote = makeRemote(folder, { a: '1' })
      const execution = makeExecution(folder, remote, script, { checks: checksOf({ test: 'touch ran; false' }) })
      assert.equal((await execution.allChecked()).exitCode, exitCode, script)
      const result = execution.result()
      assert.equal(result.outcome, outcome)
      assert.deepEqual(
        result.checks?.map(({ state }) => state),
        ['Skipped'],
      )
      assert.equal(execution.exists('checkouts/test/repo'), false)
      removeFolder(folder)
    }
  })

  it('checks work as it would be pushed: rebased onto what others have pushed meanwhile', async () => {
    const remote = makeRemote(root, { a: '1' })
    const checks = checksOf({ test: 'cat b; git log --format=%s' })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks })
    await execution.step('prepare')
    await execution.step('agent')
    remote.commit('main', { b: 'theirs' }, 'theirs')
    await execution.step('stage')
    await execution.check('test')
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(execution.read('rounds/1/test/output.log'), 'theirsDo the demo\ntheirs\n')
    assert.equal(execution.result().rebase?.result, 'Rebased')
    assert.equal(remote.git('rev-parse', 'slipway/demo^'), remote.git('rev-parse', 'main'))
  })

  it('writes nothing when the branch moves between stage and deliver, and can be staged again by the next Job', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks: checksOf({ test: 'ls' }) })
    for (const step of ['prepare', 'agent', 'stage'] as const) await execution.step(step)
    await execution.check('test')
    const theirs = remote.commit('slipway/demo', { b: 'theirs' })
    assert.equal((await execution.step('deliver')).exitCode, EXIT_MOVED)
    assert.equal(execution.exists('result.json'), false)
    assert.equal(remote.git('rev-parse', 'slipway/demo'), theirs)
    const again = { jobNumber: 2, keepClone: true, deliverOnly: true }
    await execution.step('stage', again)
    await execution.check('test', again)
    assert.equal((await execution.step('deliver', again)).exitCode, 0)
    assert.equal(remote.git('rev-parse', 'slipway/demo^'), theirs)
    assert.equal(execution.read('rounds/1/test/output.log'), 'a\nb\n')
  })

  it('counts as pushed what an earlier start of deliver had pushed before it was killed', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks: checksOf({ test: 'true' }) })
    for (const step of ['prepare', 'agent', 'stage'] as const) await execution.step(step)
    await execution.check('test')
    const staged = JSON.parse(execution.read('staged.json')) as { head: string }
    gitIn(join(execution.folder, 'staged.git'), 'push', '-q', remote.path, `${staged.head}:refs/heads/slipway/demo`)
    assert.equal((await execution.step('deliver')).exitCode, 0)
    assert.equal(execution.result().head, staged.head)
  })

  it('gives a check no file of the clone that git ignores', async () => {
    const remote = makeRemote(root, { a: '1', '.gitignore': 'passes\n' })
    const execution = makeExecution(root, remote, 'echo 2 > a; touch passes', {
      checks: checksOf({ test: 'test -e passes' }),
    })
    await execution.allChecked()
    assert.equal(existsSync(join(execution.clone, 'passes')), true)
    assert.deepEqual(
      execution.result().checks?.map(({ state }) => state),
      ['Failed'],
    )
  })

  it('gives a check a repository of its own, clean and at a detached head, and runs no hook or filter of the clone', async () => {
    const remote = makeRemote(root, { a: '1', '.gitattributes': '* filter=evil\n' })
    const evil = `touch '${join(root, 'evil')}'; cat`
    const script = `git config filter.evil.smudge "${evil}"; echo "${evil}" > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout; echo 2 > a`
    const checks = checksOf({
      one: 'git status --porcelain; git symbolic-ref HEAD; git diff HEAD~1 --name-only; git fsck',
      two: 'git diff-index HEAD; rm -rf .git/objects',
    })
    const execution = makeExecution(root, remote, script, { checks })
    await execution.allChecked()
    assert.equal(existsSync(join(root, 'evil')), false)
    assert.equal(execution.read('rounds/1/one/output.log'), 'fatal: ref HEAD is not a symbolic ref\na\n')
    assert.equal(execution.read('rounds/1/two/output.log'), '')
    assert.equal(execution.result().outcome, 'succeeded')
  })

  it('takes an earlier verdict, another job’s and a forged Skipped for none', async () => {
    const remote = makeRemote(root, { a: '1' })
    const execution = makeExecution(root, remote, 'echo 2 > a', {
      checks: checksOf({ old: 'true', skipped: 'true', gone: 'true', other: 'true' }),
    })
    for (const step of ['prepare', 'agent', 'stage'] as const) await execution.step(step)
    for (const name of ['old', 'skipped', 'other']) await execution.check(name)
    const change = (name: string, fields: object): void => {
      const file = `rounds/1/${name}/verdict.json`
      execution.write(file, JSON.stringify({ ...(JSON.parse(execution.read(file)) as object), ...fields }))
    }
    change('old', { jobNumber: 9 })
    change('skipped', { state: 'Skipped' })
    change('other', { commit: 'f'.repeat(40) })
    assert.equal((await execution.step('deliver')).exitCode, 1)
    assert.deepEqual(
      execution.result().checks?.map(({ name, state, reason = '' }) => [name, state, reason.slice(0, 18)]),
      [
        ['old', 'Failed', 'it left no verdict'],
        ['skipped', 'Failed', 'its verdict says t'],
        ['gone', 'Failed', 'it left no verdict'],
        ['other', 'Failed', 'its verdict is not'],
      ],
    )
  })

  it('names what the work changes of the protected paths, also for a rename out of them', async () => {
    const remote = makeRemote(root, { a: '1', 'test/run.sh': 'false\n', 'test/other': 'x\n', 'ci/keep': '1' })
    const script = 'echo true > test/run.sh; git mv test/other moved; echo 2 > a; mkdir -p ci; echo 3 > ci/keep'
    const execution = makeExecution(root, remote, script, {
      checks: checksOf({ test: 'sh test/run.sh' }),
      protectedPaths: ['test/', '*.yaml', '/ci/*', '!/ci/keep'],
    })
    await execution.allChecked()
    const { outcome, error, protectedChanges } = execution.result()
    assert.equal(outcome, 'succeeded', error?.message)
    assert.deepEqual(protectedChanges, { count: 2, paths: ['test/other', 'test/run.sh'] })
  })

  it('keeps no more of a log than its beginning and end', async () => {
    const remote = makeRemote(root, { a: '1' })
    const test = 'echo begins; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo ends; exit 1'
    const execution = makeExecution(root, remote, 'echo 2 > a', { checks: checksOf({ test }) })
    await execution.allChecked()
    const path = join(execution.folder, 'rounds', '1', 'test', 'output.log')
    assert.ok(statSync(path).size <= 16 * 1024 * 1024)
    const text = readFileSync(path, 'latin1')
    assert.match(text.slice(0, 20), /^begins\n/)
    assert.match(text.slice(-20), /\nends\n$/)
    assert.match(text, /\n\[slipway: [\d.]+ MiB of output are left out here\]\n/)
  })
})
