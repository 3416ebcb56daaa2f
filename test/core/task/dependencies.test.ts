import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Task, TaskState } from '../../../core/crd/types.ts'
import {
  type TaskIndex,
  failedDependencies,
  findCycle,
  openDependencies,
  openSubtasks,
} from '../../../core/task/dependencies.ts'
import { aTask } from '../../helpers/build.ts'

function task(name: string, dependsOn: string[] = [], state?: TaskState, parentTaskId?: string): Task {
  const spec = parentTaskId === undefined ? { dependsOn } : { dependsOn, parentTaskId }
  return aTask({ name, spec, ...(state === undefined ? {} : { status: { state } }) })
}

function indexTasks(tasks: readonly Task[]): TaskIndex {
  return {
    find: (name) => tasks.find(({ metadata }) => metadata.name === name),
    subtasks: (name) => tasks.filter(({ spec }) => spec.parentTaskId === name),
  }
}

describe('dependencies of a task', () => {
  it('are satisfied when READY or COMPLETED, and open otherwise or when unknown', () => {
    const tasks = [task('a', [], 'READY'), task('b', [], 'COMPLETED'), task('c', [], 'RUNNING'), task('d')]
    const open = openDependencies(task('x', ['a', 'b', 'c', 'd', 'e']), indexTasks(tasks))
    assert.deepEqual(open, [{ name: 'c', state: 'RUNNING' }, { name: 'd', state: 'PENDING' }, { name: 'e' }])
  })

  it('form a cycle through subtasks too: a task that depends on an ancestor waits for itself', () => {
    const child = task('child', ['root'], undefined, 'parent')
    const index = indexTasks([task('root'), task('parent', [], undefined, 'root'), child])
    assert.deepEqual(findCycle(child, index), ['child', 'root', 'parent', 'child'])
  })

  it('form no cycle by meeting again', () => {
    const index = indexTasks([task('a'), task('b', ['a']), task('c', ['a']), task('d', ['b', 'c'])])
    assert.equal(findCycle(task('d', ['b', 'c']), index), undefined)
  })

  it('form no cycle as long as each task names earlier ones only, and one with a way back', () => {
    const edges = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 60 })
    fc.assert(
      fc.property(edges, (pairs) => {
        const tasks = Array.from({ length: 20 }, (_, i) =>
          task(
            `t${i}`,
            pairs.filter(([from, to]) => from === i && to < i).map(([, to]) => `t${to}`),
          ),
        )
        const index = indexTasks(tasks)
        for (const each of tasks) assert.equal(findCycle(each, index), undefined)
        const last = tasks.at(-1)
        assert.ok(last)
        const named = last.spec.dependsOn?.[0]
        if (named === undefined) return
        const back = tasks.map((each) => (each.metadata.name === named ? task(named, ['t19']) : each))
        assert.notEqual(findCycle(last, indexTasks(back)), undefined)
      }),
    )
  })

  it('that failed are reset transitively, those first that others wait for, but not behind a PENDING one', () => {
    const tasks = [
      task('deep', [], 'TIMED_OUT'),
      task('mid', ['deep'], 'QUEUED'),
      task('near', ['mid'], 'FAILED'),
      task('hidden', [], 'FAILED'),
      task('pending', ['hidden']),
      task('done', [], 'READY'),
    ]
    const reset = failedDependencies(task('x', ['near', 'pending', 'done']), indexTasks(tasks))
    assert.deepEqual(
      reset.map(({ metadata }) => metadata.name),
      ['deep', 'near'],
    )
  })
})

describe('subtasks of a task', () => {
  it('keep it from being READY unless they are READY, COMPLETED or CANCELLED', () => {
    const states: TaskState[] = ['READY', 'COMPLETED', 'CANCELLED', 'FAILED', 'RUNNING', 'PENDING']
    const tasks = states.map((state) => task(state.toLowerCase(), [], state, 'parent'))
    const open = openSubtasks(task('parent'), indexTasks(tasks))
    assert.deepEqual(
      open.map(({ metadata }) => metadata.name),
      ['failed', 'running', 'pending'],
    )
  })
})
