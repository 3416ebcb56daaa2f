import assert from 'node:assert/strict'
import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { formatCost, formatSpan, sayAge } from '../../../core/sentences/amounts.ts'
import { assertAllowed, changedFields, decisiveFields } from '../../../web/api/changes.ts'
import { skewFrom } from '../../../web/api/skew.ts'
import { readKey } from '../../../web/app/keys.ts'
import { versionColor } from '../../../web/model/version-color.ts'
import { attentions } from '../../../web/model/attention.ts'
import { checkedStateWords, executionStateWords, taskStateWords } from '../../../web/model/state-words.ts'
import { runWords } from '../../../web/model/task-words.ts'
import { anAgentRecord, aStoryRecord, aTaskRecord } from '../records.ts'

const NOW = Date.parse('2026-01-02T12:00:00Z')

describe('words of the UI', () => {
  it('say each state of a task without its name in capitals', () => {
    for (const state of TASK_STATE_VALUES)
      assert.doesNotMatch(taskStateWords(aTaskRecord({ state }), NOW).text, /[A-Z]{2}|_/)
  })

  it('say when a limit ends, unless the task does not go on by itself', () => {
    const at = '2026-01-02T15:00:00Z'
    const held = aTaskRecord({ state: 'BUDGET_EXCEEDED', resume_after: at })
    assert.match(taskStateWords({ ...held, goes_on: { at } }, NOW).text, /^Limit, resumes /)
    assert.equal(taskStateWords(held, NOW).text, 'Limit or budget')
  })

  it('tell a usage limit from a budget, of a task and of an attempt', () => {
    for (const [error_category, text] of [
      ['quota', 'Usage limit'],
      ['budget', 'Over budget'],
    ] as const) {
      assert.equal(taskStateWords(aTaskRecord({ state: 'BUDGET_EXCEEDED', error_category }), NOW).text, text)
      assert.equal(executionStateWords({ state: 'BUDGET_EXCEEDED', error_category }).text, text)
    }
  })

  it('name the checks that hold work back in the state itself', () => {
    const checks = [{ name: 'lint', round: 1, state: 'failed', required: true } as const]
    const text = (task: Partial<Task>) => checkedStateWords(aTaskRecord({ checks, ...task }), NOW).text
    assert.equal(text({ state: 'FAILED', error_category: 'checks' }), 'Failed: lint is red')
    assert.equal(text({ state: 'FAILED', error_category: 'checks', checks: [] }), 'Failed: checks are red')
    assert.equal(text({ state: 'READY' }), 'Ready for review')
  })

  it('say of a task that waits after a rejection that it was rejected, and of one that runs again that it runs', () => {
    const rejection_comment = 'Once more'
    const text = (state: 'PENDING' | 'RUNNING') => taskStateWords(aTaskRecord({ state, rejection_comment }), NOW).text
    assert.deepEqual([text('PENDING'), text('RUNNING')], ['Rejected', 'Running'])
  })

  it('say which attempt a button begins', () => {
    assert.equal(runWords(aTaskRecord({ state: 'PENDING' })), 'Run')
    assert.equal(runWords(aTaskRecord({ state: 'PENDING', rejection_comment: 'Once more' })), 'Run the next attempt')
    assert.equal(runWords(aTaskRecord({ state: 'FAILED' })), 'Start over')
  })

  it('tell spans and ages', () => {
    assert.deepEqual([0, 42_000, 252_000, 3_900_000, 3 * 86_400_000].map(formatSpan), [
      '0s',
      '42s',
      '4m12s',
      '1h05m',
      '3d',
    ])
    assert.deepEqual([-5, 18 * 60_000, 7_200_000, 90_000_000].map(sayAge), ['just now', '18m', '2h', '1d'])
    assert.deepEqual([undefined, 0, 0.001, 3.054].map(formatCost), [undefined, undefined, '< $0.01', '$3.05'])
  })

  it('colour a build by its commit', () => {
    assert.deepEqual([versionColor('e1e6cd9a'), versionColor('')], ['#e1e6cd', undefined])
  })
})

describe('what waits for a person', () => {
  it('is oldest first, and leaves out what goes on by itself and what this person can do nothing about', () => {
    const tasks = [
      aTaskRecord({ id: 'hopeless', state: 'FAILED', finished_at: '2026-01-01T11:00:00Z' }),
      aTaskRecord({ id: 'ready', actions: ['accept'], state: 'READY', finished_at: '2026-01-02T11:00:00Z' }),
      aTaskRecord({
        id: 'asks',
        actions: ['answer'],
        state: 'BLOCKED',
        question: 'Which?',
        updated_at: '2026-01-02T10:00:00Z',
      }),
      aTaskRecord({ id: 'waits', actions: ['cancel'], state: 'BLOCKED', goes_on: {} }),
      aTaskRecord({ id: 'retried', actions: ['run'], state: 'FAILED', goes_on: { at: '2026-01-02T15:00:00Z' } }),
      aTaskRecord({ id: 'failed', actions: ['run'], state: 'TIMED_OUT', finished_at: '2026-01-02T09:00:00Z' }),
      aTaskRecord({ id: 'runs', state: 'RUNNING' }),
    ]
    const stories = [
      aStoryRecord({ id: 'own', status: 'REVIEW_READY' }),
      aStoryRecord({ id: 'story', status: 'REVIEW_READY', actions: ['accept'], updated_at: '2026-01-02T08:00:00Z' }),
    ]
    const idle = anAgentRecord()
    const drained = anAgentRecord({ id: 'gemini', status: { ...idle.status, state: 'drained' } })
    const found = attentions({ tasks, stories, agents: [idle, drained] })
    assert.deepEqual(
      found.map(({ id, group }) => `${id} ${group}`),
      ['gemini agents', 'story review', 'failed failed', 'asks questions', 'ready review'],
    )
  })
})

describe('what has changed since a person looked', () => {
  it('names the fields, without those that change by themselves', () => {
    const seen = aTaskRecord({ state: 'READY', summary: 'one' })
    assert.deepEqual(changedFields('tasks', seen, { ...seen, waiting_for: 'x', updated_at: 'later' }), [])
    const agent = anAgentRecord()
    const atWork = { ...agent, status: { ...agent.status, state: 'running' } }
    assert.deepEqual(changedFields('agents', agent, atWork), [])
    assert.deepEqual(changedFields('agents', agent, { ...atWork, max_concurrent: 2 }), ['max_concurrent'])
    assert.deepEqual(changedFields('tasks', seen, { ...seen, state: 'PENDING', rejection_comment: 'no' }), [
      'state',
      'rejection_comment',
    ])
  })

  it('does not keep a person from stopping a run that has only gone on', () => {
    const seen = aTaskRecord({ state: 'RUNNING', execution_id: 'task-a-1' })
    const changed = (now: object): readonly string[] =>
      changedFields('tasks', seen, { ...seen, ...now }).filter((name) => decisiveFields('cancel')?.includes(name))
    assert.deepEqual(changed({ branch: 'slipway/task-a', cost_usd: 0.2 }), [])
    assert.deepEqual(changed({ state: 'READY' }), ['state'])
    assert.equal(decisiveFields('accept'), undefined)
  })

  it('refuses at the press what the server does not allow any more', () => {
    const seen = aTaskRecord({ name: 'Fix login', state: 'READY', actions: ['accept', 'reject'] })
    assertAllowed(seen, 'accept')
    assert.throws(() => assertAllowed({ ...seen, actions: ['reject'] }, 'accept'), {
      message: '“Fix login” can no longer be accepted. Nothing was done.',
    })
  })
})

describe('the clock of the server', () => {
  it('counts only where it differs by more than an answer takes', () => {
    const date = new Date(NOW).toUTCString()
    assert.deepEqual(
      [skewFrom(date, NOW + 900), skewFrom(date, NOW + 3_600_000), skewFrom(null, NOW)],
      [0, -3_600_000, 0],
    )
  })
})

describe('a key', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false }
  it('belongs to the field that has the focus, but for the palette', () => {
    assert.equal(readKey({ ...plain, key: '/' }, { prefix: undefined, isTyping: true }), undefined)
    assert.deepEqual(readKey({ ...plain, ctrlKey: true, key: 'k' }, { prefix: undefined, isTyping: true }), {
      kind: 'overlay',
      overlay: 'palette',
    })
  })

  it('names a view after g', () => {
    assert.deepEqual(readKey({ ...plain, key: 's' }, { prefix: 'g', isTyping: false }), { kind: 'view', key: 's' })
    assert.equal(readKey({ ...plain, key: 's' }, { prefix: undefined, isTyping: false }), undefined)
  })
})
