import assert from 'node:assert/strict'
import { EVENTS, LEASES, SECRETS, TASKS } from '../../kube/resources.ts'
import { type KubeClient, KubeError } from '../../kube/types.ts'
import { watchRights } from '../../kube/watch-rights.ts'
import { aTask } from '../helpers/build.ts'
import { manualClock } from '../helpers/clock.ts'
import { memoryKube } from '../helpers/memory-kube.ts'

const forbidden = (message: string) => () => Promise.reject(new KubeError(403, 'Forbidden', message))

describe('what a process is refused', () => {
  const clock = manualClock()
  const open = (parts: Partial<KubeClient>) => watchRights({ ...memoryKube(), ...parts }, clock)
  const named = (name: string) => ({ metadata: { name, namespace: 'default' } })

  it('is told until it is granted', async () => {
    let isAllowed = false
    const kube = memoryKube()
    kube.put(TASKS, aTask())
    const replaceStatus: KubeClient['replaceStatus'] = async (resource, object) =>
      isAllowed ? kube.replaceStatus(resource, object) : forbidden('tasks.slipway.dev "task-a" is forbidden')()
    const rights = watchRights({ ...kube, replaceStatus }, clock)
    assert.equal(rights.refusal(), undefined)
    const [task] = kube.all(TASKS)
    assert.ok(task)
    await assert.rejects(rights.client.replaceStatus(TASKS, task))
    assert.equal(rights.refusal(), 'tasks.slipway.dev "task-a" is forbidden')
    isAllowed = true
    await rights.client.replaceStatus(TASKS, task)
    assert.equal(rights.refusal(), undefined)
  })

  it('is told of the Lease by which it leads, which it also has to read', async () => {
    const rights = open({ find: forbidden('leases is forbidden') })
    await assert.rejects(rights.client.find(LEASES, { name: 'slipway-operator', namespace: 'default' }))
    assert.match(rights.refusal() ?? '', /leases is forbidden/)
  })

  it('is not told of Events, of Secrets, of a quota, or of anything but a missing right', async () => {
    const rights = open({
      create: forbidden('jobs.batch is forbidden: exceeded quota: jobs'),
      find: forbidden('secrets is forbidden'),
      delete: () => Promise.reject(new KubeError(409, 'Conflict', 'changed')),
    })
    await assert.rejects(rights.client.create(TASKS, aTask()))
    await assert.rejects(rights.client.create(EVENTS, { ...named('e'), involvedObject: { name: 'x' }, reason: 'X' }))
    await assert.rejects(rights.client.find(SECRETS, { name: 's', namespace: 'default' }))
    await assert.rejects(rights.client.delete(TASKS, { name: 'task-a', namespace: 'default' }))
    assert.equal(rights.refusal(), undefined)
  })

  it('is not told of a dry run, which tries what a policy must refuse', async () => {
    const rights = open({ mergePatch: forbidden("ValidatingAdmissionPolicy 'slipway-edits' denied request") })
    const key = { name: 'task-a', namespace: 'default' }
    await assert.rejects(rights.client.mergePatch(TASKS, key, {}, { dryRun: true }))
    assert.equal(rights.refusal(), undefined)
    await assert.rejects(rights.client.mergePatch(TASKS, key, {}))
    assert.notEqual(rights.refusal(), undefined)
  })

  it('is forgotten when it was not asked for again for long', async () => {
    const rights = open({ create: forbidden('executions is forbidden') })
    await assert.rejects(rights.client.create(TASKS, aTask()))
    await clock.advance(14 * 60_000)
    assert.notEqual(rights.refusal(), undefined)
    await clock.advance(2 * 60_000)
    assert.equal(rights.refusal(), undefined)
  })
})
