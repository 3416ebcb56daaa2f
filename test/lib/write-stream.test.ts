import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as fc from 'fast-check'
import { writeNewFile } from '../../lib/write-stream.ts'
import { runs } from '../helpers/runs.ts'

const OPTIONS = { mode: 0o600, highWaterMark: 100_000 }

describe('a new file written as a stream', () => {
  let folder = ''
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'slipway-write-stream-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('holds every byte in order, for any sizes of chunks', async () => {
    let files = 0
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(sizes, async (given) => {
        const path = join(folder, `${(files += 1)}`)
        const make = () => given.map((size, i) => Buffer.from(new ArrayBuffer(size)).fill(i + 1))
        await pipeline(Readable.from(make()), writeNewFile(path, OPTIONS))
        assert.ok(readFileSync(path).equals(Buffer.concat(make())))
      }),
      { numRuns: runs(30) },
    )
  })

  it('gives back the memory of what it has written', async () => {
    const chunks = Array.from({ length: 20 }, () => Buffer.from(new ArrayBuffer(64 * 1024)))
    await pipeline(Readable.from(chunks), writeNewFile(join(folder, 'file'), OPTIONS))
    assert.deepEqual(
      chunks.filter(({ byteLength }) => byteLength > 0),
      [],
    )
  })

  it('does not write through a link under its name', async () => {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
    await assert.rejects(pipeline(Readable.from([Buffer.from('x')]), writeNewFile(join(folder, 'link'), OPTIONS)), {
      code: 'EEXIST',
    })
  })
})
