import assert from 'node:assert/strict'
import { release } from '../../lib/write-stream.ts'

const KIB = 1024

describe('release', () => {
  it('empties a buffer that has memory of its own', () => {
    const buffer = Buffer.from(new ArrayBuffer(64 * KIB))
    release(buffer)
    assert.equal(buffer.byteLength, 0)
  })

  it('leaves a buffer alone whose memory others read too', () => {
    const whole = Buffer.from(new ArrayBuffer(64 * KIB)).fill(7)
    release(whole.subarray(0, 32 * KIB))
    assert.equal(whole.at(0), 7)
  })

  it('leaves a buffer of the pool alone', () => {
    const buffer = Buffer.from('small')
    release(buffer)
    assert.equal(buffer.toString(), 'small')
  })

  it('keeps the memory of dead buffers from gathering', () => {
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let i = 0; i < 640; i++) {
      release(Buffer.from(new ArrayBuffer(64 * KIB)))
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    assert.ok(most < 4 * KIB * KIB, `${most} bytes of 40 MiB were held at once`)
  })
})
