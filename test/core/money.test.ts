import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { roundUSD, sumUSD } from '../../core/money.ts'
import { toExecutionRecord } from '../../core/rest/map/execution.ts'
import { toTaskRecord } from '../../core/rest/map/task.ts'
import { anExecution, aTask } from '../helpers/build.ts'

describe('an amount of dollars', () => {
  it('is kept to a millionth, also after adding up', () => {
    assert.equal(sumUSD([0.1, 0.010295]), 0.110295)
    assert.equal(roundUSD(0.11029499999999999), 0.110295)
    fc.assert(
      fc.property(fc.array(fc.nat(10_000_000)), (micro) => {
        const exact = micro.reduce((total, amount) => total + amount, 0)
        assert.equal(sumUSD(micro.map((amount) => amount / 1e6)), exact / 1e6)
      }),
    )
  })

  it('is shown so on tasks and executions, whatever their status holds', () => {
    const status = { costUSD: 0.11029499999999999 }
    assert.equal(toTaskRecord(aTask({ status })).cost_usd, 0.110295)
    assert.equal(toExecutionRecord(anExecution({ status })).cost_usd, 0.110295)
  })
})
