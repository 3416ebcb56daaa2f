import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { Task } from '../../../core/crd/types.ts'
import { ANNOTATIONS, LABELS, MANAGED_BY } from '../../../core/names.ts'
import { type RetentionView, DEFAULT_RETENTION, findArchivable } from '../../../core/task/retention.ts'
import { toTimestamp } from '../../../core/time.ts'
import { anExecution, aStory, aTask } from '../../helpers/build.ts'

const NOW = new Date('2026-06-01T00:00:00Z')
const DAY_MS = 86_400_000
const daysAgo = (days: number): string => toTimestamp(new Date(NOW.getTime() - days * DAY_MS))

type Parts = NonNullable<Parameters<typeof aTask>[0]>

/** Made over REST, in a state since so many days. */
function finished(name: string, days: number, parts: Parts = {}): Task {
  const at = daysAgo(days)
  const decisions = [{ action: 'accept', at, by: 'ann' }] as const
  const metadata = { labels: { [LABELS.managedBy]: MANAGED_BY }, ...parts.metadata }
  return aTask({ name, ...parts, metadata, status: { state: 'COMPLETED', finishedAt: at, decisions, ...parts.status } })
}

function archivable(view: Partial<RetentionView>, count = 5000): string[] {
  const retention = { ...DEFAULT_RETENTION, closed: { ...DEFAULT_RETENTION.closed, count } }
  const whole = { tasks: [], stories: [], executionsOf: () => [], ...view }
  return findArchivable(whole, retention, NOW).map(({ metadata }) => metadata.name)
}

describe('what leaves the cluster for the archive', () => {
  it('is closed for longer than 30 days, or failed for longer than 90, the oldest first', () => {
    const failed = { status: { state: 'FAILED' } } as const
    const tasks = [
      finished('young', 29),
      finished('old', 31),
      finished('cancelled', 40, { status: { state: 'CANCELLED' } }),
      finished('failed', 80, failed),
      finished('failed-long-ago', 91, failed),
    ]
    assert.deepEqual(archivable({ tasks }), ['failed-long-ago', 'cancelled', 'old'])
  })

  it('is not what was restored a while ago, however old it is', () => {
    const restored = (days: number) =>
      finished(`restored-${days}`, 90, { metadata: { creationTimestamp: daysAgo(days) } })
    assert.deepEqual(archivable({ tasks: [restored(29), restored(31)] }), ['restored-31'])
    assert.deepEqual(archivable({ tasks: [restored(2), finished('young', 3)] }, 1), ['young'])
  })

  it('is beyond the count of its kind, whatever its age', () => {
    const tasks = [
      finished('a', 3),
      finished('b', 2),
      finished('c', 1),
      finished('f', 4, { status: { state: 'FAILED' } }),
    ]
    assert.deepEqual(archivable({ tasks }, 2), ['a'])
    assert.deepEqual(archivable({ tasks }, 0), ['a', 'b', 'c'])
  })

  it('is nothing that something refers to which may go on', () => {
    const tasks = [
      finished('dependency', 50),
      finished('parent', 50),
      finished('child', 50, { spec: { parentTaskId: 'open' } }),
      finished('in-story', 50, { spec: { storyId: 'open-story' } }),
      finished('in-done-story', 50, { spec: { storyId: 'done-story' } }),
      finished('in-deleted-story', 49, { spec: { storyId: 'deleted-story' } }),
      finished('needed-by-failed', 50),
      finished('needed-by-closed', 48),
      finished('failed', 40, { spec: { dependsOn: ['needed-by-failed'] }, status: { state: 'FAILED' } }),
      finished('closed', 20, { spec: { dependsOn: ['needed-by-closed'] } }),
      aTask({ name: 'open', spec: { dependsOn: ['dependency'], parentTaskId: 'parent' } }),
    ]
    const stories = [
      aStory({ name: 'open-story', status: { status: 'IN_PROGRESS' } }),
      aStory({ name: 'done-story', status: { status: 'DONE' } }),
    ]
    assert.deepEqual(archivable({ tasks, stories }), ['in-done-story', 'in-deleted-story', 'needed-by-closed'])
  })

  it('is nothing that was declared elsewhere, that is under way, or of which something was asked', () => {
    const asked = { [ANNOTATIONS.action]: 'run' }
    const spent = { ...asked, [ANNOTATIONS.actionId]: 'one' }
    const labels = { [LABELS.managedBy]: MANAGED_BY }
    const tasks = [
      finished('declared', 50, { metadata: { labels: {} } }),
      finished('deleted', 50, { metadata: { labels, deletionTimestamp: daysAgo(0) } }),
      finished('asked', 50, { metadata: { labels, annotations: asked } }),
      finished('asked-anew', 50, { metadata: { labels, annotations: spent } }),
      finished('spent', 50, {
        metadata: { labels, annotations: spent },
        status: { spentActions: [{ action: 'run', id: 'one' }] },
      }),
      finished('delivering', 50, {
        status: { delivery: { state: 'Pending', kind: 'Merge', requestedAt: daysAgo(50) } },
      }),
      finished('running', 50),
    ]
    const executionsOf = (task: string) => (task === 'running' ? [anExecution({ status: { state: 'RUNNING' } })] : [])
    assert.deepEqual(archivable({ tasks, executionsOf }), ['spent'])
  })

  it('is of a task that was declared elsewhere what it still holds', () => {
    const tasks = ['held', 'empty'].map((name) => finished(name, 50, { metadata: { labels: {} } }))
    const executionsOf = (task: string) => (task === 'held' ? [anExecution({ status: { state: 'COMPLETED' } })] : [])
    assert.deepEqual(archivable({ tasks, executionsOf }), ['held'])
  })

  it('never is unfinished, and nothing that may go on misses what it refers to, however tasks refer to one another', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const aName = fc.constantFrom(...names)
    const drawn = fc.record({
      state: fc.constantFrom(...TASK_STATE_VALUES),
      days: fc.integer({ min: 0, max: 200 }),
      dependsOn: fc.uniqueArray(aName, { maxLength: 3 }),
      parentTaskId: fc.option(aName, { nil: undefined }),
    })
    const all = fc.tuple(drawn, drawn, drawn, drawn, drawn, drawn)
    fc.assert(
      fc.property(all, fc.nat(3), (drafts, count) => {
        const tasks = drafts.map(({ state, days, dependsOn, parentTaskId }, i) =>
          finished(names[i] ?? '', days, {
            spec: { dependsOn, ...(parentTaskId === undefined ? {} : { parentTaskId }) },
            status: { state },
          }),
        )
        const gone = new Set(archivable({ tasks }, count))
        for (const [i, { state, dependsOn, parentTaskId = '' }] of drafts.entries()) {
          const isFailed = ['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'].includes(state)
          const isClosed = ['COMPLETED', 'CANCELLED'].includes(state)
          if (!isClosed) assert.ok([...dependsOn, parentTaskId].every((name) => !gone.has(name)))
          if (!isClosed && !isFailed) assert.ok(!gone.has(names[i] ?? ''))
        }
      }),
    )
  })
})
