import assert from 'node:assert/strict'
import type { TaskState, TaskStatus } from '../../../core/crd/types.ts'
import { claimTaskConditions, withConditions } from '../../../core/conditions.ts'
import { toRoom } from '../../../core/task/room.ts'
import { type Workspace, findSpentWorkspaces, loseWorkspace } from '../../../core/task/workspaces.ts'
import { aTask } from '../../helpers/build.ts'

const NOW = new Date('2026-06-30T00:00:00Z')
const DAY_MS = 86_400_000

/** @param days since it came into its state */
function kept(name: string, state: TaskState, days: number, bytes = 10): Workspace {
  const at = new Date(NOW.getTime() - days * DAY_MS).toISOString()
  const status: TaskStatus = { state, queuedAt: at, startedAt: at, finishedAt: at, workspace: `/v/sandboxes/${name}` }
  return { task: aTask({ name, status }), bytes }
}

function spent(workspaces: readonly Workspace[], workspaceBytes = Infinity, others = 0): string[] {
  const found = findSpentWorkspaces(workspaces, { workspaceBytes, reviewMs: 14 * DAY_MS }, NOW, others)
  return found.map(({ task }) => task.metadata.name)
}

describe('the workspaces of finished tasks', () => {
  it('go once a task has been READY for reviewDays, and not what failed or waits', () => {
    const workspaces = [
      kept('old', 'READY', 15),
      kept('new', 'READY', 13),
      kept('failed', 'FAILED', 100),
      kept('blocked', 'BLOCKED', 100),
    ]
    assert.deepEqual(spent(workspaces), ['old'])
  })

  it('go beyond workspaceBytes: the oldest READY ones, and never what did not succeed, whose work is nowhere else', () => {
    const workspaces = [
      kept('failed', 'FAILED', 9),
      kept('timed-out', 'TIMED_OUT', 8),
      kept('older', 'READY', 3),
      kept('newer', 'READY', 2),
    ]
    assert.deepEqual(spent(workspaces, 40), [])
    assert.deepEqual(spent(workspaces, 39), ['older'])
    assert.deepEqual(spent(workspaces, 25), ['older', 'newer'])
    assert.deepEqual(spent(workspaces, 10), ['older', 'newer'])
    assert.deepEqual(spent(workspaces, 39, 10), ['older', 'newer'])
  })

  it('stay where an agent works or is about to, and where accepted work is being delivered, whatever room there is', () => {
    const states = ['PENDING', 'QUEUED', 'RUNNING', 'BLOCKED', 'COMPLETED'] as const
    const workspaces = states.map((state) => kept(state.toLowerCase(), state, 100))
    const { task } = kept('tried-again', 'FAILED', 1)
    const planned = { ...task, status: { ...task.status, resumeAfter: '2026-06-30T01:00:00Z' } }
    assert.deepEqual(spent([...workspaces, { task: planned, bytes: 10 }], 1), [])
  })

  it('are missing from the task, which says why as long as it stands so', () => {
    const { task } = kept('task-a', 'READY', 15)
    const claimed = withConditions(task, task.status ?? {}, claimTaskConditions({ state: 'READY' }), NOW)
    const [found] = findSpentWorkspaces(
      [{ task: { ...task, status: claimed }, bytes: 1 }],
      { workspaceBytes: 1, reviewMs: 14 * DAY_MS },
      NOW,
    )
    assert.ok(found)
    const { status, message } = loseWorkspace(found.task, found.reason, NOW)
    assert.equal(
      message,
      "its clone and its agent's home were removed because nobody has decided for 14 days (retention.reviewDays); what comes next begins with a fresh clone",
    )
    assert.deepEqual([status.workspace, status.state], [undefined, 'READY'])
    assert.equal(status.conditions?.[0]?.message, `the work waits for a decision; ${message}`)
  })
})

describe('the room of clones and mirrors', () => {
  it('is a share of the volume unless it is set, and bounded where the volume is large or tells no size', () => {
    const gib = 2 ** 30
    const days = { reviewMs: 14 * DAY_MS, environmentMs: 14 * DAY_MS }
    assert.deepEqual(toRoom({}, 20 * gib), {
      ...days,
      environmentBytes: 2 * gib,
      mirrorBytes: 4 * gib,
      workspaceBytes: 10 * gib,
    })
    assert.deepEqual(toRoom({}, Infinity), {
      ...days,
      environmentBytes: 20 * gib,
      mirrorBytes: 20 * gib,
      workspaceBytes: 100 * gib,
    })
    const set = {
      mirrorBytes: '1Gi',
      workspaceBytes: '500M',
      environmentBytes: '3Gi',
      reviewDays: 2,
      environmentDays: 3,
    }
    assert.deepEqual(toRoom(set, 20 * gib), {
      mirrorBytes: gib,
      workspaceBytes: 5e8,
      environmentBytes: 3 * gib,
      reviewMs: 2 * DAY_MS,
      environmentMs: 3 * DAY_MS,
    })
  })
})
