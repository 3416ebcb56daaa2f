import assert from 'node:assert/strict'
import { findVolumeProblem } from '../../operator/volume.ts'
import { toExecutionError } from '../../runner/steps/execution-error.ts'

describe('a data volume without room', () => {
  const root = '/slipway'
  const withRoom = (bavail: number, blocks = 1000) =>
    findVolumeProblem(root, async () => ({ bsize: 4096, bavail, blocks }))

  it('is named with what is left, and the way out', async () => {
    assert.equal(
      await withRoom(2),
      `no space is left on the data volume (${root} has 8 KiB): make room on it, then run the task again`,
    )
  })

  it('is none while a megabyte is free, nor where the file system tells no sizes', async () => {
    assert.deepEqual(await Promise.all([withRoom(256), withRoom(0, 0)]), [undefined, undefined])
  })

  it('is named by the step that finds it full', () => {
    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const { category, message } = toExecutionError(error, 'the clone', (text) => text)
    assert.deepEqual(
      [category, message],
      ['unavailable', `no space is left on the data volume: make room on it, then resume the task (${error.message})`],
    )
  })
})
