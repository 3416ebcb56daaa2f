import assert from 'node:assert/strict'
import { createCache } from '../../kube/cache.ts'
import { createSharedObjects } from '../../kube/shared-objects.ts'
import type { Task } from '../../core/crd/types.ts'
import { aTask } from '../helpers/build.ts'

const KEY = { namespace: 'default', name: 'a' }

function version(resourceVersion: string, uid = 'uid-a', title = 'One'): Task {
  const task = aTask({ spec: { title } })
  return { ...task, metadata: { ...task.metadata, ...KEY, uid, resourceVersion } }
}

describe('objects that the caches of a process share', () => {
  /** Two caches of one process, each given what it reads from a connection of its own. */
  const twoCaches = () => {
    const { tasks } = createSharedObjects()
    return [1, 2].map(() => {
      const cache = createCache<Task>({})
      return { get: () => cache.get(KEY), put: (task: Task) => cache.put(tasks(structuredClone(task))) }
    })
  }

  it('are held once while both know the same version', () => {
    const [one, other] = twoCaches()
    for (const cache of [one, other]) cache?.put(version('5'))
    assert.ok(one?.get() !== undefined && one.get() === other?.get())
    for (const cache of [other, one]) cache?.put(version('6', 'uid-a', 'Two'))
    assert.equal(one?.get()?.spec.title, 'Two')
    assert.equal(one?.get(), other?.get())
  })

  it('differ where the versions differ, and where a name is used again', () => {
    const [one, other] = twoCaches()
    one?.put(version('6', 'uid-a', 'Two'))
    other?.put(version('5'))
    assert.deepEqual([one?.get()?.spec.title, other?.get()?.spec.title], ['Two', 'One'])
    one?.put(version('7', 'uid-b', 'Three'))
    other?.put(version('7', 'uid-a', 'Four'))
    assert.deepEqual([one?.get()?.spec.title, other?.get()?.spec.title], ['Three', 'Four'])
  })

  it('cannot be changed by one for the other', () => {
    const [one, other] = twoCaches()
    for (const cache of [one, other]) cache?.put(version('5'))
    assert.ok(Object.isFrozen(other?.get()?.spec))
  })
})
