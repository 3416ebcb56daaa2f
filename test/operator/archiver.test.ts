import assert from 'node:assert/strict'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import { DEFAULT_RETENTION } from '../../core/task/retention.ts'
import { toTimestamp } from '../../core/time.ts'
import { TASKS } from '../../kube/resources.ts'
import { makeLogger } from '../../lib/log.ts'
import { runArchiver } from '../../operator/archiver.ts'
import { aTask, NAMESPACE } from '../helpers/build.ts'
import { until } from '../helpers/until.ts'
import { openArchiveWorld } from './archive-world.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

describe('the archiver', () => {
  it('moves and forgets nothing by a clock that is days ahead for less than an hour, and goes on once it is right', async () => {
    const { world, archive, context } = await openArchiveWorld()
    const { clock } = world
    const stop = new AbortController()
    const retention = { ...DEFAULT_RETENTION, archive: { ageMs: 31 * DAY_MS, count: Infinity } }
    const served = [{ namespace: NAMESPACE, context: context() }]
    const running = runArchiver({ archive, retention, served, logger: makeLogger('silent') }, stop.signal)
    /** A pass waits for files, which no clock moves. */
    const pass = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute++) {
        await until('the archiver waits for the next pass', () => clock.pending() === 1)
        await clock.advance(MINUTE_MS)
      }
      await until('the archiver has looked', () => clock.pending() === 1)
    }
    const failed = (): string[] => world.kube.all(TASKS).map(({ metadata }) => metadata.name)
    const isThere = async (name = 'young'): Promise<boolean> => (await archive.find(NAMESPACE, name)) !== undefined
    const finishedAt = toTimestamp(clock.now())
    const metadata = { labels: { [LABELS.managedBy]: MANAGED_BY } }
    world.kube.put(TASKS, aTask({ name: 'failed', metadata, status: { state: 'FAILED', executions: 1, finishedAt } }))
    try {
      await archive.add({ archivedAt: '2025-12-20T00:00:00Z', task: aTask({ name: 'young' }), executions: [] })
      await archive.add({ archivedAt: '2025-10-20T00:00:00Z', task: aTask({ name: 'old' }), executions: [] })
      clock.set(100 * DAY_MS)
      await pass(50)
      assert.ok(await isThere(), 'though it is wrong from the start')
      clock.set(-100 * DAY_MS)
      await pass(30)
      assert.deepEqual([await isThere(), await isThere('old')], [true, false])
      clock.set(100 * DAY_MS)
      await pass(50)
      assert.deepEqual([await isThere(), failed()], [true, ['failed']], 'though it was wrong meanwhile')
      clock.set(-100 * DAY_MS)
      await pass(70)
      assert.ok(await isThere())
      clock.set(100 * DAY_MS)
      await pass(75)
      assert.deepEqual([await isThere(), failed()], [false, []])
    } finally {
      stop.abort()
      await running
      await world.close()
    }
  })
})
