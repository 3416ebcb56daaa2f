import assert from 'node:assert/strict'
import type { Event } from '../../kube/builtin.ts'
import { createEventRecorder } from '../../kube/events.ts'
import { manualClock } from '../helpers/clock.ts'
import { recordingLogger } from '../helpers/log.ts'
import { configMap } from './fake-api.ts'
import { memoryClient } from './memory-client.ts'

const QUEUED = { type: 'Normal', reason: 'Queued', message: 'agent claude is busy' } as const

describe('the event recorder', () => {
  const set = () => {
    const client = memoryClient()
    const log = recordingLogger()
    const clock = manualClock()
    const recorder = createEventRecorder({ client, component: 'slipway-operator', clock, logger: log.logger })
    return { client, log, clock, recorder, events: () => [...client.objects.values()] as Event[] }
  }

  it('records what, about which object, and when', async () => {
    const { recorder, events } = set()
    recorder.record(configMap('a', '7'), QUEUED)
    await recorder.flush()
    const [event] = events()
    assert.deepEqual(event?.involvedObject, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'a',
      namespace: 'ns',
      uid: 'uid-a',
      resourceVersion: '7',
    })
    assert.deepEqual(
      [event.reason, event.count, event.lastTimestamp, event.metadata.namespace],
      ['Queued', 1, '2026-01-01T00:00:00Z', 'ns'],
    )
  })

  it('counts what it has said before, after a restart too', async () => {
    const { client, clock, recorder, events } = set()
    recorder.record(configMap('a', '7'), QUEUED)
    recorder.record(configMap('a', '8'), QUEUED)
    await recorder.flush()
    await clock.advance(60_000)
    const next = createEventRecorder({ client, component: 'slipway-operator', clock, logger: recordingLogger().logger })
    next.record(configMap('a', '9'), QUEUED)
    await next.flush()
    assert.deepEqual(
      events().map(({ count, firstTimestamp, lastTimestamp }) => [count, firstTimestamp, lastTimestamp]),
      [[3, '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z']],
    )
  })

  it('keeps different messages, and different objects, apart', async () => {
    const { recorder, events } = set()
    recorder.record(configMap('a', '7'), QUEUED)
    recorder.record(configMap('a', '7'), { ...QUEUED, message: 'agent claude is drained' })
    recorder.record(configMap('a', '7', 'another-uid'), QUEUED)
    await recorder.flush()
    assert.equal(events().length, 3)
  })

  it('logs what it cannot write, and never throws', async () => {
    const { client, recorder, log } = set()
    client.before(() => {
      throw new Error('no connection')
    })
    recorder.record(configMap('a', '7'), QUEUED)
    await recorder.flush()
    assert.equal(log.lines[0]?.['msg'], 'recording an event failed')
  })

  it('drops events, and says so, when the server does not keep up', async () => {
    const { client, recorder, log } = set()
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    client.before(() => gate)
    for (let i = 0; i < 1001; i++) recorder.record(configMap(`a${i}`, '1'), QUEUED)
    assert.equal(log.lines[0]?.['msg'], 'too many unwritten events, one dropped')
    open()
    await recorder.flush()
    assert.equal(client.objects.size, 1000)
  })
})
