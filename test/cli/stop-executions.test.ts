import assert from 'node:assert/strict'
import type { Task } from '../../core/crd/types.ts'
import { ANNOTATIONS, FINALIZER } from '../../core/names.ts'
import { EXECUTIONS, TASKS } from '../../kube/resources.ts'
import { type KubeClient, KubeError } from '../../kube/types.ts'
import { stopExecutions } from '../../cli/stop-executions.ts'
import { aTask, anExecution } from '../helpers/build.ts'
import { manualClock } from '../helpers/clock.ts'
import { type MemoryKube, memoryKube } from '../helpers/memory-kube.ts'

const WAIT_MS = 10_000

/** Runs it to its end, with `eachSecond` for what others do meanwhile. @returns the seconds that it took */
async function stop(kube: MemoryKube, eachSecond: (second: number) => void = () => undefined): Promise<number> {
  const clock = manualClock()
  const { namespace = '' } = aTask().metadata
  const client: KubeClient = {
    ...kube,
    // An API server takes a patch without a version in any case.
    mergePatch: async (resource, key, patch) => {
      const { resourceVersion } = (await kube.get(resource, key)).metadata
      const { metadata = {} } = patch as { metadata?: object }
      return kube.mergePatch(resource, key, { ...patch, metadata: { resourceVersion, ...metadata } })
    },
  }
  const seen = { isDone: false }
  const stopping = stopExecutions({ client, namespace, waitMs: WAIT_MS, clock, say: () => undefined }).finally(() => {
    seen.isDone = true
  })
  let second = 0
  for (await clock.advance(0); !seen.isDone && second < 60; await clock.advance(1000)) eachSecond(++second)
  await stopping
  return second
}

function annotated(status: NonNullable<Task['status']>, annotations: Readonly<Record<string, string>>): Task {
  const task = aTask({ status })
  return { ...task, metadata: { ...task.metadata, annotations } }
}

const asked = (kube: MemoryKube) => kube.all(TASKS)[0]?.metadata.annotations

describe('stopping all executions before an uninstall', () => {
  it('waits until the operator has taken the cancel of a queued task, which it might start until then', async () => {
    const kube = memoryKube()
    kube.put(TASKS, aTask({ status: { state: 'QUEUED' } }))
    const seconds = await stop(kube, (second) => {
      if (second !== 3) return
      assert.equal(asked(kube)?.[ANNOTATIONS.action], 'cancel')
      kube.put(TASKS, aTask({ status: { state: 'CANCELLED' } }))
    })
    assert.equal(seconds, 3)
  })

  it('ends in time where no operator takes the cancel', async () => {
    const kube = memoryKube()
    kube.put(TASKS, aTask({ status: { state: 'QUEUED' } }))
    assert.equal(await stop(kube), WAIT_MS / 1000)
  })

  it('cancels a task whose annotations ask for a cancel that was carried out before', async () => {
    const kube = memoryKube()
    const spent = { action: 'cancel', id: 'once' }
    const annotations = { [ANNOTATIONS.action]: 'cancel', [ANNOTATIONS.actionId]: 'once', [ANNOTATIONS.by]: 'alice' }
    kube.put(TASKS, annotated({ state: 'RUNNING', spentActions: [spent] }, annotations))
    await stop(kube)
    assert.equal(asked(kube)?.[ANNOTATIONS.action], 'cancel')
    assert.equal(asked(kube)?.[ANNOTATIONS.actionId], undefined, 'nothing says that it is spent')
    assert.ok(asked(kube)?.[ANNOTATIONS.by] === undefined, 'nobody else is named for it')
  })

  it('removes the finalizer of what does not end, also when somebody writes it at the same time', async () => {
    const kube = memoryKube()
    const execution = anExecution()
    kube.put(EXECUTIONS, { ...execution, metadata: { ...execution.metadata, finalizers: ['other', FINALIZER] } })
    let conflicts = 1
    kube.onWrite = (moment, write) => {
      if (moment === 'before' && write.startsWith('patch Execution') && conflicts-- > 0)
        throw new KubeError(409, 'Conflict', 'the object has been modified')
    }
    await stop(kube)
    assert.deepEqual(kube.all(EXECUTIONS)[0]?.metadata.finalizers, ['other'])
  })

  it('has nothing to do where the definitions are gone', async () => {
    const list = () => Promise.reject(new KubeError(404, 'Unknown', '404 page not found'))
    assert.equal(await stop({ ...memoryKube(), list }), 0)
  })
})
