import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caches } from '../../../api-server/cache/caches.ts'
import { OUTPUT } from '../../../api-server/streams/followed.ts'
import { createStreams, MAX_STREAMS } from '../../../api-server/streams/streams.ts'
import type { TaskStatus } from '../../../core/crd/types.ts'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { HEARTBEAT } from '../../../core/rest/messages.ts'
import { anExecution, aTask } from '../../helpers/build.ts'
import { manualClock } from '../../helpers/clock.ts'
import { until } from '../../helpers/until.ts'

describe('the limits of log streams', () => {
  let volumeRoot: string
  before(async () => {
    volumeRoot = await mkdtemp(join(tmpdir(), 'slipway-streams-'))
  })
  after(() => rm(volumeRoot, { recursive: true, force: true }))

  const setUp = (status: TaskStatus = { state: 'QUEUED' }) => {
    const manual = manualClock()
    let waits = 0
    const schedule = (ms: number, callback: () => void): (() => void) => {
      waits += 1
      return manual.schedule(ms, callback)
    }
    const clock = { ...manual, schedule }
    const task = aTask({ name: 'waits', status })
    const execution = anExecution({ name: 'waits-1', status: { state: 'RUNNING' } })
    const informer = { onChange: () => () => undefined }
    const caches = {
      tasks: { informer, find: () => task },
      executions: { informer, find: () => execution },
    } as unknown as Caches
    const streams = createStreams({ caches, volumeRoot, clock })
    const open = (): AsyncIterator<string> => streams.openTask(task, { followed: OUTPUT })[Symbol.asyncIterator]()
    return { clock, streams, open, waits: () => waits }
  }

  it('opens a thousand and refuses the next with 503, until one ends', async () => {
    const { streams, open } = setUp()
    const opened = await Promise.all(
      Array.from({ length: MAX_STREAMS }, async () => {
        const stream = open()
        await stream.next()
        return stream
      }),
    )
    assert.equal(opened.length, 1000)
    assert.throws(open, { status: 503, message: 'more than 1000 streams of output and conversations are open' })
    await opened[0]?.return?.()
    const again = open()
    assert.equal((await again.next()).value, HEARTBEAT)
    streams.close()
  })

  it('sends a heartbeat once 15 seconds have passed without a line', async () => {
    const { clock, streams, open } = setUp()
    const stream = open()
    assert.equal((await stream.next()).value, HEARTBEAT)
    let isSent = false
    const next = stream.next().then(({ value }) => {
      isSent = true
      return value
    })
    await clock.advance(14_999)
    assert.equal(isSent, false)
    await clock.advance(1_001)
    assert.equal(await next, HEARTBEAT)
    streams.close()
  })

  it('sends a line within two seconds of its writing, though the system tells nothing of it', async () => {
    const { clock, streams, open, waits } = setUp({ state: 'RUNNING', execution: 'waits-1' })
    const stream = open()
    assert.equal((await stream.next()).value, HEARTBEAT)
    const next = stream.next()
    await until('it waits', () => waits() > 0)
    // There was no folder to be watched when it looked; only looking again finds what comes.
    await mkdir(join(volumeRoot, agentOutputPath('waits-1')), { recursive: true })
    await writeFile(join(volumeRoot, executionPath('waits-1'), EXECUTION_FILES.stdout), 'written\n')
    await clock.advance(2000)
    assert.match(String((await next).value), /"line":"written"/)
    await stream.return?.()
    streams.close()
  })

  it('does nothing for a client that takes nothing', async () => {
    const { clock, streams, open } = setUp()
    const stream = open()
    await stream.next()
    await clock.advance(600_000)
    let taken = 0
    const count = async (): Promise<void> => {
      while ((await stream.next()).done !== true) taken += 1
    }
    const counting = count()
    await clock.advance(1000)
    assert.ok(taken <= 1, `${taken} heartbeats were kept for it`)
    streams.close()
    await counting
  })
})
