import assert from 'node:assert/strict'
import { type MetricsRegistry, openMetrics } from '../../lib/metrics.ts'
import { parseExposition, sumOf } from '../helpers/exposition.ts'

describe('a metrics registry', () => {
  let metrics: MetricsRegistry
  beforeEach(async () => (metrics = await openMetrics()))
  const scrape = async () => parseExposition(await metrics.text())

  it('shows counters, gauges and histograms in the text format, beside those of the process', async () => {
    metrics.counter('slipway_things_total', 'Things.', ['kind']).add({ kind: 'a "quoted" \\ one\nof two lines' }, 2)
    metrics.gauge('slipway_level', 'Level.', []).set({}, 1.5)
    metrics.histogram('slipway_wait_seconds', 'Wait.', ['who'], [1, 2]).observe({ who: 'x' }, 1.5)
    const families = await scrape()
    assert.deepEqual(
      [
        sumOf(families, 'slipway_things_total'),
        sumOf(families, 'slipway_level'),
        sumOf(families, 'slipway_wait_seconds_bucket', { le: '1' }),
        sumOf(families, 'slipway_wait_seconds_bucket', { le: '2' }),
        sumOf(families, 'slipway_wait_seconds_count'),
        families.has('process_cpu_seconds_total'),
      ],
      [2, 1.5, 0, 1, 1, true],
    )
  })

  it('forgets every series of a label value, in each metric that has the label, and no other', async () => {
    const wait = metrics.histogram('slipway_wait_seconds', 'Wait.', ['agent', 'how'], [1])
    const runs = metrics.counter('slipway_runs_total', 'Runs.', ['agent'])
    for (const agent of ['gone', 'stays']) {
      wait.observe({ agent, how: 'fast' }, 1)
      runs.add({ agent })
    }
    await metrics.forget('agent', 'gone')
    const text = await metrics.text()
    assert.doesNotMatch(text, /gone/)
    assert.equal(text.match(/agent="stays"/g)?.length, 5)
  })

  it('looks values up before each answer, and shows no series of a gauge that was cleared', async () => {
    const gauge = metrics.gauge('slipway_now', 'Now.', ['of'])
    let level = 0
    metrics.onScrape(() => {
      gauge.clear()
      if ((level += 1) < 3) gauge.set({ of: 'x' }, level)
    })
    assert.equal(sumOf(await scrape(), 'slipway_now'), 1)
    assert.equal(sumOf(await scrape(), 'slipway_now'), 2)
    assert.deepEqual((await scrape()).get('slipway_now')?.samples, [])
  })

  it('is its own: two in one process share no series', async () => {
    metrics.counter('slipway_mine_total', 'Mine.', []).add({})
    const other = await openMetrics()
    assert.equal((await other.text()).includes('slipway_mine_total'), false)
  })
})
