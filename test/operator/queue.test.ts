import assert from 'node:assert/strict'
import { withFolder } from '../../bench/measure.ts'
import { withQueue } from '../../bench/scheduling-rig.ts'
import { openMetrics } from '../../lib/metrics.ts'
import { parseExposition, sumOf } from '../helpers/exposition.ts'
import { until } from '../helpers/until.ts'

describe('an operator with a long queue', () => {
  it('starts the next task without a look at those behind it, however many they are', async () => {
    /** Tasks that are looked at from the end of one execution until all has come to rest after the start of the next. */
    const looksAt = (length: number): Promise<number> =>
      withFolder(async (folder) => {
        const metrics = await openMetrics()
        const read = async (name: string): Promise<number> =>
          sumOf(parseExposition(await metrics.text()), name, { controller: 'task' })
        return withQueue(
          folder,
          length,
          async ({ nextStart }) => {
            const rests = async (): Promise<boolean> => (await read('slipway_workqueue_depth')) === 0
            // Those that workers have in hand are in the queue no more, and count when they are done.
            const areAllSeen = async (): Promise<boolean> => (await read('slipway_reconcile_total')) >= length
            await until('every task has been looked at', async () => (await areAllSeen()) && (await rests()))
            const before = await read('slipway_reconcile_total')
            await nextStart()
            await until('all has come to rest', rests)
            return (await read('slipway_reconcile_total')) - before
          },
          metrics,
        )
      })
    const [few, many] = [await looksAt(5), await looksAt(200)]
    // Whatever looks again by itself meanwhile is no look at each.
    assert.ok(many < few + 100, `${few} looks with 5 in the queue, ${many} with 200`)
  })
})
