import assert from 'node:assert/strict'
import { KubeError } from '../../kube/types.ts'
import type { EventRecord } from '../../operator/action.ts'
import { reportRefusal } from '../../operator/refusal.ts'
import { aTask } from '../helpers/build.ts'

describe('what the API server refuses the operator', () => {
  let messages: string[]
  const events = { record: (_: unknown, { message }: Omit<EventRecord, 'regarding'>) => void messages.push(message) }
  beforeEach(() => {
    messages = []
  })

  for (const [status, reason] of [
    [403, 'Forbidden'],
    [422, 'Invalid'],
  ] as const) {
    it(`is told in an Event of the object when it is ${reason}`, () => {
      reportRefusal({ events }, aTask(), new KubeError(status, reason, 'secrets is forbidden'))
      assert.deepEqual(messages, ['secrets is forbidden'])
    })
  }

  it('is not told when trying again can mend it, or when the object is gone', () => {
    reportRefusal({ events }, aTask(), new KubeError(503, 'ServiceUnavailable', 'etcd leader changed'))
    reportRefusal({ events }, aTask(), new Error('socket closed'))
    reportRefusal({ events }, undefined, new KubeError(403, 'Forbidden', 'secrets is forbidden'))
    assert.deepEqual(messages, [])
  })
})
