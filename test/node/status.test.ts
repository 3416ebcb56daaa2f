import assert from 'node:assert/strict'
import { toPodStatus } from '../../node/status.ts'
import { withReportedEnds } from '../../node/reported-status.ts'
import { aPod } from '../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

describe('the status of a pod that ended under an earlier node', () => {
  it('keeps the ends of its containers, though nothing is left of them on the machine', () => {
    const finishedAt = '2026-03-01T09:00:00Z'
    const told = { exitCode: 3, finishedAt, reason: 'Error' }
    const ended = { name: 'main', ready: false, restartCount: 0, state: { terminated: told } }
    const pod = aPod({
      spec: { containers: [{ name: 'main', image: 'x' }] },
      status: { phase: 'Failed', containerStatuses: [{ ...ended, image: 'x', imageID: '' }] },
    })
    const seen = { now, pod, startedAt: now, activeMs: 0, containers: withReportedEnds(pod, new Map()) }
    const status = toPodStatus(seen, { phase: 'Failed' })
    assert.deepEqual(status.containerStatuses?.[0]?.state?.terminated, told)
  })
})
