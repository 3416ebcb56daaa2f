import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import type { TaskState, TaskStatus } from '../../core/crd/types.ts'
import { findNotification, MAX_PAYLOAD_BYTES, PUSH_PRIORITIES, toPushPayload } from '../../core/notify.ts'
import { actionsAllowed, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { clip } from '../../core/text.ts'
import { aTask, text } from '../helpers/build.ts'

const AT = '2026-01-01T10:00:00Z'
const LATER = '2026-01-01T11:00:00Z'
const question = { items: [{ text: text('Which one?') }], askedAt: AT }

const statuses: fc.Arbitrary<TaskStatus> = fc.record(
  {
    state: fc.constantFrom<TaskState>(...TASK_STATE_VALUES),
    question: fc.constant(question),
    finishedAt: fc.constantFrom(AT, LATER),
    resumeAfter: fc.constant(LATER),
    execution: fc.constantFrom('task-a-1', 'task-a-2'),
    summary: fc.string({ unit: 'binary', maxLength: 2000 }).map(text),
  },
  { requiredKeys: ['state'] },
)
const tasks = fc.record({ status: statuses, title: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }) })
const build = ({ status, title }: { readonly status: TaskStatus; readonly title: string }) =>
  aTask({ status, spec: { title } })

describe('who is notified', () => {
  const told: Partial<Record<TaskState, string>> = {
    BLOCKED: 'urgent',
    FAILED: 'high',
    TIMED_OUT: 'high',
    BUDGET_EXCEEDED: 'high',
    READY: 'low',
    COMPLETED: 'low',
  }
  for (const state of TASK_STATE_VALUES) {
    it(`of a ${state} task: ${told[state] ?? 'nobody'}`, () => {
      const status = { state, ...(state === 'BLOCKED' ? { question } : {}) }
      assert.equal(findNotification(aTask({ status: { state: 'QUEUED' } }), aTask({ status }))?.urgency, told[state])
    })
  }

  it('of a BLOCKED task that waits for its subtasks: nobody', () => {
    assert.equal(findNotification(undefined, aTask({ status: { state: 'BLOCKED' } })), undefined)
  })

  it('of a failure that is tried again by itself: nobody, unless the task is suspended', () => {
    const status = { state: 'FAILED', resumeAfter: LATER } as const
    assert.equal(findNotification(undefined, aTask({ status })), undefined)
    assert.equal(findNotification(undefined, aTask({ status, spec: { suspend: true } }))?.urgency, 'high')
  })

  it('of an accepted task: by whom, before its summary', () => {
    const decisions = [{ action: 'accept', by: 'alice', at: AT }] as const
    const bodyOf = (status: TaskStatus) => findNotification(undefined, aTask({ status }))?.body
    assert.equal(
      bodyOf({ state: 'COMPLETED', decisions: [...decisions], summary: text('Done.') }),
      'Accepted by alice. Done.',
    )
    assert.equal(bodyOf({ state: 'COMPLETED', summary: text('Done.') }), 'Done.')
  })

  it('of a task that is being deleted: nobody', () => {
    const task = aTask({ metadata: { deletionTimestamp: AT }, status: { state: 'READY' } })
    assert.equal(findNotification(undefined, task), undefined)
  })

  it('anew when the same state is reached by another execution, or again after a decision', () => {
    const first = aTask({ status: { state: 'FAILED', execution: 'task-a-1', finishedAt: AT } })
    const second = aTask({ status: { state: 'FAILED', execution: 'task-a-2', finishedAt: AT } })
    const decisions = [{ action: 'resume', by: 'me', at: LATER } as const]
    const third = aTask({ status: { state: 'FAILED', execution: 'task-a-2', finishedAt: AT, decisions } })
    assert.ok(findNotification(first, second))
    assert.ok(findNotification(second, third))
  })

  it('when the last automatic attempt is given up', () => {
    const before = aTask({ status: { state: 'FAILED', finishedAt: AT, resumeAfter: LATER } })
    assert.ok(findNotification(before, aTask({ status: { state: 'FAILED', finishedAt: AT } })))
  })

  it('never twice of what has not changed, whatever the task', () => {
    fc.assert(
      fc.property(tasks, (parts) => {
        assert.equal(findNotification(build(parts), build(parts)), undefined)
      }),
    )
  })

  it('by the same key, whether the change was seen or the task found afterwards', () => {
    fc.assert(
      fc.property(tasks, tasks, (before, after) => {
        const seen = findNotification(build(before), build(after))
        if (seen !== undefined) assert.deepEqual(seen, findNotification(undefined, build(after)))
      }),
    )
  })

  it('with the actions that the task allows', () => {
    fc.assert(
      fc.property(tasks, (parts) => {
        const notification = findNotification(undefined, build(parts))
        if (notification !== undefined)
          assert.deepEqual(notification.actions, actionsAllowed(build(parts), NO_SURROUNDINGS))
      }),
    )
  })

  it('of READY work, says first how its checks went, who waived them and what it changes of protected files', () => {
    const check = { name: clip('test', 40), state: 'Passed', round: 1 } as const
    const protectedChanges = { count: 2, paths: [clip('a', 1024), clip('b', 1024)] }
    const status = { state: 'READY', summary: text('Adds it.'), checks: [check] } as const
    const bodyOf = (more: Partial<TaskStatus>) =>
      findNotification(undefined, aTask({ status: { ...status, ...more } }))?.body
    assert.equal(bodyOf({ protectedChanges }), '1 check green, changes 2 protected files. Adds it.')
    const checksWaived = { by: clip('ada', 200), reason: clip('flaky', 4096), at: AT }
    assert.equal(bodyOf({ checksWaived }), 'Checks waived by ada: flaky. Adds it.')
    assert.equal(bodyOf({ checks: [] }), 'Adds it.')
  })

  it('of a parent that became READY with its last subtask, by when that was', () => {
    const conditions = [
      { type: 'Ready', status: 'True', lastTransitionTime: LATER, reason: 'Done', message: text('') },
    ] as const
    const task = aTask({ status: { state: 'READY', finishedAt: AT, conditions } })
    assert.equal(findNotification(undefined, task)?.at, LATER)
  })
})

describe('the payload of a notification', () => {
  const payloadOf = (parts: Parameters<typeof build>[0], publicUrl?: string) => {
    const notification = findNotification(undefined, build(parts))
    return notification && toPushPayload(notification, publicUrl)
  }

  it('is JSON of at most 3,000 bytes, whatever title, text and URL', () => {
    const urls = fc.option(fc.webUrl({ size: 'large' }), { nil: undefined })
    fc.assert(
      fc.property(tasks, urls, (parts, url) => {
        const text = payloadOf(parts, url)
        if (text === undefined) return
        assert.ok(Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES)
        assert.doesNotMatch((JSON.parse(text) as { title: string }).title, /[\p{Cc}\p{Cs}]/u)
      }),
    )
  })

  it('keeps within 3,000 bytes by a relative link when the public URL is too long', () => {
    const payload = payloadOf(
      { status: { state: 'READY', summary: text('"'.repeat(999)) }, title: 'x' },
      `https://${'a'.repeat(3000)}`,
    )
    assert.ok(payload !== undefined && Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES)
    assert.equal((JSON.parse(payload) as { url: string }).url, '/tasks/task-a')
  })

  it('links to the task below the public URL, with one slash between', () => {
    const text = payloadOf({ status: { state: 'READY' }, title: 'x' }, 'https://a.example/b//')
    assert.equal((JSON.parse(text ?? '{}') as { url: string }).url, 'https://a.example/b/tasks/task-a')
  })

  it('has a topic that push services accept', () => {
    const metadata = { uid: '0b8f8a3c-3b1f-4c8e-9d55-8a4a1f6f2f10' }
    const topic = findNotification(undefined, aTask({ metadata, status: { state: 'READY' } }))?.topic
    assert.equal(topic, '0b8f8a3c3b1f4c8e9d558a4a1f6f2f10')
  })

  it('is sent with an urgency that RFC 8030 knows, and kept for hours', () => {
    assert.deepEqual(
      Object.entries(PUSH_PRIORITIES).map(([urgency, { header }]) => [urgency, header]),
      [
        ['urgent', 'high'],
        ['high', 'high'],
        ['low', 'low'],
      ],
    )
  })
})
