import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Task } from '../../../core/rest/client/client.ts'
import { STORY_STATUS_VALUES, TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import { agentItems, attentions, storyItems, taskItems } from '../../../web/model/attention.ts'
import { causeOf, formatPutAway, membersOf, parsePutAway, rowsOf, standingOf } from '../../../web/model/inbox-rows.ts'
import { anAgentRecord, aStoryRecord, aTaskRecord } from '../records.ts'

const failed = (id: string, error: string, parts: Partial<Task> = {}): Task =>
  aTaskRecord({
    id,
    state: 'FAILED',
    error,
    project: 'shop',
    agent: { type: 'claude' },
    actions: ['run', 'resume'],
    execution_id: `${id}-1`,
    finished_at: '2026-01-02T09:00:00Z',
    ...parts,
  })
const ofTasks = (tasks: readonly Task[]) => attentions({ tasks, stories: [], agents: [] })

describe('the rows of the inbox', () => {
  it('are as many as the page counts list by list, whatever is put away', () => {
    const tasks = fc.array(
      fc.record({
        state: fc.constantFrom(...TASK_STATE_VALUES),
        canDecide: fc.boolean(),
        isRetried: fc.boolean(),
        error: fc.constantFrom('no space left', 'exit 3', undefined),
      }),
    )
    fc.assert(
      fc.property(tasks, fc.array(fc.constantFrom(...STORY_STATUS_VALUES)), fc.boolean(), (states, statuses, isOdd) => {
        const idle = anAgentRecord()
        const all = {
          tasks: states.map(({ state, canDecide, isRetried, error }, n) =>
            aTaskRecord({
              id: `task-${n}`,
              state,
              actions: canDecide ? ['cancel'] : [],
              ...(error === undefined ? {} : { error }),
              ...(isRetried ? { goes_on: { at: '2026-01-02T15:00:00Z' } } : {}),
            }),
          ),
          stories: statuses.map((status, n) => aStoryRecord({ id: `story-${n}`, status, actions: ['accept'] })),
          agents: [anAgentRecord({ status: { ...idle.status, state: 'drained' } })],
        }
        const isShown = ({ id }: { readonly id: string }): boolean => !isOdd || !/[13579]$/.test(id)
        const lists = [all.tasks.flatMap(taskItems), all.stories.flatMap(storyItems), all.agents.flatMap(agentItems)]
        const counted = lists.map((items) => rowsOf(items.filter(isShown)).length).reduce((sum, part) => sum + part)
        const rows = rowsOf(attentions(all).filter(isShown))
        assert.equal(rows.length, counted)
        assert.deepEqual(
          rows.flatMap((row) => membersOf(row).map(({ id }) => id)).toSorted(),
          attentions(all)
            .filter(isShown)
            .map(({ id }) => id)
            .toSorted(),
        )
      }),
    )
  })

  it('have failures of one cause in one, where the first of them stands', () => {
    const rows = rowsOf(
      ofTasks([
        failed('fix-login', 'push of slipway/fix-login refused: quota of 5000 MB used', {
          branch: 'slipway/fix-login',
        }),
        failed('other', 'no test command', { finished_at: '2026-01-02T10:00:00Z' }),
        failed('dark-mode', 'push of slipway/dark-mode refused: quota of 5021 MB used', {
          branch: 'slipway/dark-mode',
          finished_at: '2026-01-02T11:00:00Z',
        }),
      ]),
    )
    assert.deepEqual(
      rows.map((row) => membersOf(row).map(({ id }) => id)),
      [['fix-login', 'dark-mode'], ['other']],
    )
  })

  it('keep failures apart that one remedy does not help', () => {
    const one = failed('task-one', 'exit 1')
    const others: Readonly<Record<string, Task>> = {
      message: failed('task-two', 'broken pipe'),
      'exit code': failed('task-two', 'exit 137'),
      project: failed('task-two', 'exit 1', { project: 'site' }),
      category: failed('task-two', 'exit 1', { error_category: 'git' }),
      state: failed('task-two', 'exit 1', { state: 'TIMED_OUT' }),
    }
    for (const [what, other] of Object.entries(others)) assert.notEqual(causeOf(one), causeOf(other), what)
    const login = { error_category: 'auth' } as const
    assert.equal(
      causeOf(failed('task-one', 'sign in again', login)),
      causeOf(failed('task-two', 'sign in again', { ...login, project: 'site' })),
    )
    assert.notEqual(
      causeOf(failed('task-one', 'sign in again', login)),
      causeOf(failed('task-two', 'sign in again', { ...login, agent: { type: 'codex' } })),
    )
    assert.equal(causeOf(failed('task-one', '')), undefined)
  })

  it('take times, hashes and long numbers in a message for no cause of their own', () => {
    const causes = [
      ['at 2026-01-02T09:00:00.120Z', 'at 2026-01-03T10:07:31.004Z'],
      ['9:05:01 no host', '10:45:59 no host'],
      ['commit 0c9f3aa1 is gone', 'commit 4be21977 is gone'],
      ['process 41233 was killed', 'process 90721 was killed'],
    ].map((messages) => messages.map((message) => causeOf(failed('a-task', message))))
    for (const [one, other] of causes) assert.equal(one, other)
  })
})

describe('what was put away', () => {
  it('comes back with any change of what it waits for, and not without one', () => {
    const task = failed('a-task', 'exit 1')
    const [before] = ofTasks([task])
    assert.ok(before)
    const changes: Readonly<Record<string, Partial<Task>>> = {
      'another attempt': { execution_id: 'a-task-2' },
      'another state': { state: 'READY' },
      'a decision': { decisions: [{ action: 'resume', at: '2026-01-02T12:00:00Z' }] },
      'failed again': { finished_at: '2026-01-02T13:00:00Z' },
    }
    for (const [what, change] of Object.entries(changes)) {
      const [after] = ofTasks([{ ...task, ...change }])
      assert.notEqual(after && standingOf(after), standingOf(before), what)
    }
    const [same] = ofTasks([{ ...task, priority: 3, updated_at: '2026-01-03T00:00:00Z' }])
    assert.equal(same && standingOf(same), standingOf(before))
  })

  it('is kept without the words of a question', () => {
    const asking = (question: string) => ofTasks([aTaskRecord({ state: 'BLOCKED', actions: ['answer'], question })])
    const [before, after] = [asking('Is the password x?'), asking('Is the password y?')]
    assert.doesNotMatch(
      formatPutAway(before, () => true),
      /password/,
    )
    assert.notDeepEqual(before.map(standingOf), after.map(standingOf))
  })

  it('is kept without what has gone, and what else stands in the browser counts as nothing', () => {
    const items = ofTasks([failed('one-task', 'x'), failed('two-task', 'y')])
    const kept = formatPutAway(items, ({ id }) => id === 'one-task')
    assert.deepEqual(
      items.map((item) => parsePutAway(kept).has(standingOf(item))),
      [true, false],
    )
    for (const text of [null, '{', '{"a":1}', '[1]']) assert.equal(parsePutAway(text).size, 0)
  })
})
