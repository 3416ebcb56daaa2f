import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { failingWhenStuck } from '../../../cli/backup/stuck-sink.ts'
import { writeBackup } from '../../../lib/backup/write.ts'
import { toData } from '../../../lib/backup/format.ts'
import { manualClock } from '../../helpers/clock.ts'

const MINUTE = 60_000

describe('a backup to a pipe', () => {
  const noise = () => toData(Buffer.from(String(Math.random()).repeat(1000)))

  it('that nobody reads, but that nobody closes, is given up after 5 minutes', async () => {
    const clock = manualClock()
    const unread = new Writable({ write: () => void clock.advance(5 * MINUTE) })
    // As the terminal listens to stdout.
    unread.on('error', () => undefined)
    const writer = writeBackup(failingWhenStuck(unread, clock))
    await assert.rejects(async () => {
      for (;;) await writer.add(noise())
    }, /nobody has read what was written for 5 minutes/)
    await writer.abort()
    assert.equal(unread.destroyed, true)
  })

  it('that is read slowly is whole', async () => {
    const clock = manualClock()
    let bytes = 0
    const slow = new Writable({
      write(chunk: Buffer, _, done) {
        bytes += chunk.length
        const wait = async (): Promise<void> => {
          await clock.advance(4 * MINUTE)
          done()
        }
        void wait()
      },
    })
    const writer = writeBackup(failingWhenStuck(slow, clock))
    for (let n = 0; n < 100; n++) await writer.add(noise())
    await writer.end()
    assert.ok(bytes > 0)
  })
})
