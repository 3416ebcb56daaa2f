import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const HEAP = new URL('../../lib/heap.js', import.meta.url).href
/** V8 by itself takes until 100 s after the last collection, as long as something is allocated all the time. */
const DEADLINE_MS = 40_000

/** Has had much to hold for a moment, and is asked little since; ends well once the heap is small again. */
const PROGRAM = `
  import { keepHeapSmall } from '${HEAP}'
  keepHeapSmall()
  let held = Array.from({ length: 500_000 }, (_, n) => ({ name: 'object ' + n }))
  const most = process.memoryUsage().heapTotal
  held = held.slice(0, 1000)
  setTimeout(() => process.exit(1), ${DEADLINE_MS})
  setInterval(() => {
    held[0] = Array.from({ length: 5000 }, (_, n) => ({ n }))
    if (process.memoryUsage().heapTotal < most / 4) process.exit()
  }, 50)
`

describe('keepHeapSmall', function () {
  this.timeout(DEADLINE_MS + 20_000)

  it('gives back what a busy moment has left, though there is always something to do', async () => {
    await assert.doesNotReject(promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]))
  })
})
