import assert from 'node:assert/strict'
import { toPodStatus } from '../../node/status.ts'
import { aPod } from '../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

describe('the status of a pod that ended under an earlier node', () => {
  it('keeps the ends of its containers, though nothing is left of them on the machine', () => {
    const finishedAt = '2026-03-01T09:00:00Z'
    const ended = { name: 'main', ready: false, restartCount: 0, state: { terminated: { exitCode: 3, finishedAt } } }
    const pod = aPod({
      spec: { containers: [{ name: 'main', image: 'x' }] },
      status: { phase: 'Failed', containerStatuses: [{ ...ended, image: 'x', imageID: '' }] },
    })
    const seen = { now, pod, startedAt: now, containers: new Map() }
    const status = toPodStatus(seen, { phase: 'Failed' })
    assert.deepEqual(status.containerStatuses?.[0]?.state?.terminated, { exitCode: 3, finishedAt })
  })
})
