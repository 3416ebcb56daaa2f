import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type IncomingMessage, get } from 'node:http'
import { join } from 'node:path'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { anExecution, aTask } from '../../helpers/build.ts'
import { heldMiB } from '../../helpers/memory.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

const LINES = 64_000
const LINE = 'x'.repeat(1000)

describe('a log stream whose client stops reading', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await mkdir(join(api.volumeRoot, agentOutputPath('long-1')), { recursive: true })
    const file = join(api.volumeRoot, executionPath('long-1'), EXECUTION_FILES.stdout)
    await writeFile(file, `${LINE}\n`.repeat(LINES))
    await api.givenExecution(anExecution({ name: 'long-1', status: { state: 'COMPLETED' } }))
    await api.given(aTask({ name: 'long', status: { state: 'READY', execution: 'long-1', executions: 1 } }))
  })
  after(() => api.stop())

  it('costs little memory, and goes on where it was, with every line, once the client reads again', async () => {
    const before = heldMiB()
    const [response]: IncomingMessage[] = await once(get(`${api.url}/api/tasks/long/logs/stream`), 'response')
    assert.ok(response)
    let seen = -1
    // Nobody reads: what the connection holds fills up, and then nothing moves any more.
    await until('nothing moves any more', async () => {
      const last = seen
      seen = response.socket.bytesRead
      await new Promise((resolve) => setImmediate(resolve))
      await api.get('/healthz')
      return seen > 0 && seen === last
    })
    const after = heldMiB()
    assert.ok(after.heap + after.buffers - before.heap - before.buffers < 24, JSON.stringify({ before, after }))
    assert.ok(seen < LINES * LINE.length, 'the client has taken everything')
    let text = ''
    let lines = 0
    for await (const chunk of response) {
      text += String(chunk)
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      lines += events.filter((event) => event.startsWith('event: log')).length
      if (events.at(-1)?.startsWith('event: end') === true) break
    }
    assert.equal(lines, LINES)
  })
})
