import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreUnwritable } from '../../../embedded/storage/backend.ts'
import { watchDiskSpace } from '../../../embedded/storage/disk-space.ts'

const USED = 8192
const MEBIBYTE = 1024 * 1024

describe('embedded: room in the file of the store', () => {
  let folder: string
  let file: string
  let told: (StoreUnwritable | undefined)[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-space-'))
    file = join(folder, 'objects.mdb')
    writeFileSync(file, Buffer.alloc(USED, 7))
    told = []
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const watch = () => watchDiskSpace({ file, usedBytes: () => USED, onWritable: (problem) => told.push(problem) })
  /** In bytes that are really there, not gaps. */
  const room = (): number => Math.min(statSync(file).size, statSync(file).blocks * 512) - USED

  it('is there before a commit takes it, and given back at the end', async () => {
    const space = watch()
    await space.demand(3 * MEBIBYTE)
    assert.ok(room() >= 3 * MEBIBYTE, `${room()} bytes`)
    await space.demand(3 * MEBIBYTE)
    space.trim()
    assert.deepEqual([statSync(file).size, told], [USED, []])
  })

  it('is refused when the disk does not have it, and nothing is taken', async () => {
    const space = watch()
    await assert.rejects(space.demand(2 ** 60), {
      isFull: true,
      message: /takes no writes: its disk has .* free some space/,
    })
    assert.equal(statSync(file).size, USED)
    await space.demand(1)
    assert.deepEqual(
      told.map((problem) => problem?.isFull),
      [true, undefined],
    )
  })

  it('is believed in after a failed commit only once something was written', async () => {
    const space = watch()
    const problem = space.failed(Object.assign(new Error('lmdb says so'), { code: 28 }))
    assert.deepEqual([problem.isFull, /no space is left on its disk \(ENOSPC\)/.test(problem.message)], [true, true])
    assert.equal(await space.problem(), undefined)
    assert.deepEqual(told, [problem, undefined])
  })

  it('cannot be had in a folder that is gone', async () => {
    const space = watch()
    rmSync(folder, { recursive: true })
    const problem = await space.problem()
    assert.deepEqual([problem?.isFull, /ENOENT/.test(problem?.message ?? '')], [false, true])
    await assert.rejects(space.demand(1), { name: 'StoreUnwritable' })
  })
})
