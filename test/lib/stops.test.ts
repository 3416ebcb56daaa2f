import assert from 'node:assert/strict'
import { startAll, startTogether, stoppingAll } from '../../lib/stops.ts'

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

  it('are all stopped when one of them cannot be', async () => {
    const stopped: string[] = []
    const ending = stoppingAll(async (onStop) => {
      onStop(async () => stopped.push('client'))
      onStop(() => Promise.reject(new Error('no answer')))
      onStop(async () => stopped.push('operator'))
    })
    await assert.rejects(ending, /no answer/)
    assert.deepEqual(stopped, ['operator', 'client'])
  })

  it('do not keep a start that failed from being told, though one of them never stops', async () => {
    const never = new Promise<never>(() => undefined)
    const starting = startAll(async (onStop) => {
      onStop(() => never)
      await startTogether(onStop, [never, Promise.reject(new Error('EADDRINUSE'))])
    })
    await assert.rejects(starting, /EADDRINUSE/)
  })

  it('that start together are known when another one cannot', async () => {
    const stopped: string[] = []
    const slow = new Promise<{ stop(): Promise<void> }>((resolve) => {
      setImmediate(() => resolve({ stop: async () => void stopped.push('slow') }))
    })
    const starting = startAll((onStop) => startTogether(onStop, [slow, Promise.reject(new Error('EADDRINUSE'))]))
    await assert.rejects(starting, /EADDRINUSE/)
    assert.deepEqual(stopped, ['slow'])
  })
})
