import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createApiMetrics } from '../../api-server/metrics.ts'
import { type MetricDefinition, openMetrics } from '../../lib/metrics.ts'
import { createOperatorMetrics } from '../../operator/metrics.ts'
import { parseExposition } from '../helpers/exposition.ts'

describe('docs/metrics.md', () => {
  const rows = readFileSync('docs/metrics.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `slipway_'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

  it('says of every metric its type, labels and meaning, and names none that does not exist', async () => {
    const metrics = await openMetrics()
    createOperatorMetrics(metrics)
    createApiMetrics(metrics)
    const expected = metrics.definitions.map(({ name, type, labels, help }: MetricDefinition) => {
      const listed = labels.map((label) => `\`${label}\``).join(', ')
      return ['', `\`${name}\``, type, listed === '' ? 'none' : listed, help, '']
    })
    assert.deepEqual(rows, expected)
  })

  it('is kept by names that Prometheus takes, with both parts on one port', async () => {
    const metrics = await openMetrics()
    createOperatorMetrics(metrics)
    createApiMetrics(metrics)
    const names = [...parseExposition(await metrics.text()).keys()]
    assert.ok(metrics.definitions.every(({ name }) => names.includes(name)))
  })
})
