import assert from 'node:assert/strict'
import { stoppingAll } from '../../cli/stops.ts'

describe('parts that are started together', () => {
  it('are stopped, the last first, before the command ends', async () => {
    const stopped: string[] = []
    const result = await stoppingAll(async (onStop) => {
      for (const part of ['client', 'probes', 'operator']) onStop(async () => stopped.push(part))
      return 0
    })
    assert.deepEqual([result, stopped], [0, ['operator', 'probes', 'client']])
  })

  it('are stopped when another one cannot start', async () => {
    const stopped: string[] = []
    const starting = stoppingAll(async (onStop) => {
      onStop(async () => stopped.push('client'))
      throw new Error('EADDRINUSE')
    })
    await assert.rejects(starting, /EADDRINUSE/)
    assert.deepEqual(stopped, ['client'])
  })
})
