import assert from 'node:assert/strict'
import { taskMessages } from '../../../api-server/live/task-messages.ts'
import type { TaskState } from '../../../core/crd/types.ts'
import { aTask } from '../../helpers/build.ts'

describe('task_completed', () => {
  const isSent = (from: TaskState, to: TaskState): boolean => {
    const [previous, object] = [from, to].map((state, i) => {
      const task = aTask({ status: { state } })
      return { ...task, metadata: { ...task.metadata, resourceVersion: String(i + 1) } }
    })
    assert.ok(previous !== undefined && object !== undefined)
    return taskMessages({ type: 'update', object, previous }).includes('task_completed')
  }

  it('is sent when work ends, and not again when a person accepts it', () => {
    assert.ok(isSent('RUNNING', 'READY'))
    assert.ok(isSent('RUNNING', 'FAILED'))
    assert.ok(!isSent('READY', 'COMPLETED'))
  })
})
