import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { leaveOut } from '../../helpers/leave-out.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { findMountProblem, mountSmallDisk } from '../../helpers/small-disk.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'
import { checksOf } from './given.ts'

describe('a check that fills the disk', function () {
  it('is red and says so, and leaves room for its verdict, the next check and the result', async function () {
    const root = makeFolder()
    const problem = findMountProblem('tmpfs', root)
    if (problem !== undefined) leaveOut(this, `no disk can be mounted: ${problem}`)
    mkdirSync(join(root, 'volume'))
    const disk = mountSmallDisk('tmpfs', join(root, 'volume'), '16M')
    try {
      const checks = checksOf({ fill: 'cat /dev/zero > fill; echo never kept; exit 1', next: 'cat a' })
      const execution = makeExecution(root, makeRemote(root, { a: '1' }), 'echo 2 > a', { checks })
      const end = await execution.allChecked()
      assert.equal(end.exitCode, 1, end.stderr)
      const { outcome, error, checks: found = [] } = execution.result()
      assert.deepEqual([outcome, error?.category], ['failed', 'checks'])
      assert.deepEqual(
        found.map(({ name, state, exitCode }) => [name, state, exitCode]),
        [
          ['fill', 'Failed', 1],
          ['next', 'Passed', 0],
        ],
      )
      assert.match(found[0]?.reason ?? '', /the disk was full while it ran/)
    } finally {
      disk.unmount()
      removeFolder(root)
    }
  })
})
