import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

describe('a kept clone whose last objects are empty, as after a power loss', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const commit = 'git add . && git -c user.name=A -c user.email=a@x commit -qm work'
  function loseCommit(clone: string): void {
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: clone, encoding: 'utf8' }).trim()
    const path = join('.git', 'objects', head.slice(0, 2), head.slice(2))
    execFileSync('truncate', ['--size=0', path], { cwd: clone })
  }

  it('gives way to a fresh one, in which the work goes on, and stays beside it', async () => {
    const remote = makeRemote(root, { 'a.txt': 'one' })
    const first = makeExecution(root, remote, `echo 2 > lost.txt; ${commit}; exit 1`)
    await first.step('prepare')
    await first.step('agent')
    loseCommit(first.clone)

    const second = makeExecution(root, remote, 'echo 3 > b.txt', { execution: 'demo-2', keepClone: true })
    const prepared = await second.step('prepare')
    assert.match(
      prepared.stdout + prepared.stderr,
      /power loss \(\.git\/objects\/.*is empty\): a fresh clone replaces it/,
    )
    await second.step('agent')
    const delivered = await second.step('deliver')
    assert.equal(delivered.exitCode, 0, delivered.stderr)
    assert.match(remote.git('ls-tree', '--name-only', 'slipway/demo'), /^a\.txt\nb\.txt$/m)
    assert.equal(readFileSync(join(`${second.clone}.damaged`, 'lost.txt'), 'utf8'), '2\n')
  })

  it('cannot be delivered from, and the error says so and names the one way out', async () => {
    const execution = makeExecution(root, makeRemote(root, { 'a.txt': 'one' }), `echo 2 > lost.txt; ${commit}`)
    await execution.step('prepare')
    await execution.step('agent')
    loseCommit(execution.clone)
    await execution.step('deliver')
    const { error, outcome } = execution.result()
    assert.deepEqual([outcome, error?.category], ['failed', 'git'])
    assert.match(
      error?.message ?? '',
      /^the clone has lost .* power loss: nothing was pushed.*; run the task again for a fresh one\n/,
    )
  })
})
