import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Execution } from '../../../core/rest/client/client.ts'
import { attemptsOf, compareAttempts, verdictWords } from '../../../web/model/attempts.ts'
import { pageOf, parseOpen, parseOpenSearch } from '../../../web/model/open.ts'
import { parseComments, printComments } from '../../../web/model/review-draft.ts'
import { acceptEffect, acceptQuestion } from '../../../core/sentences/accept.ts'
import { projectOf } from '../../../web/model/on-accept.ts'
import { nextWords } from '../../../web/model/task-words.ts'
import { timelineOf } from '../../../web/model/timeline.ts'
import { firstTab, parseTaskSearch } from '../../../web/features/task/search.ts'
import { aTaskRecord } from '../records.ts'

const at = (second: number): string => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1_000).toISOString()

function anExecution(id: string, parts: Partial<Execution> = {}): Execution {
  return {
    id,
    purpose: 'run',
    state: 'COMPLETED',
    phases: [],
    fix_commits: [],
    auth_retried: false,
    created_at: at(0),
    ...parts,
  }
}

describe('the attempts of a task', () => {
  const first = anExecution('t-1', { created_at: at(1), started_at: at(1), finished_at: at(5) })
  const second = anExecution('t-2', { created_at: at(8), started_at: at(8), purpose: 'resume', cost_usd: 2 })
  const delivery = anExecution('t-d1', { created_at: at(9), purpose: 'deliver' })

  it('are numbered from the first, newest first; a delivery is none', () => {
    assert.deepEqual(
      attemptsOf([delivery, second, first]).map(({ name }) => name),
      ['Delivery', 'Attempt 2', 'Attempt 1'],
    )
  })

  it('have what a person decided about their work', () => {
    const decisions = [
      { action: 'run' as const, at: at(0) },
      { action: 'reject' as const, by: 'ada', at: at(6) },
      { action: 'run' as const, at: at(7) },
    ]
    const [latest, earlier] = attemptsOf([first, second], decisions)
    assert.equal(earlier?.verdict && verdictWords(earlier.verdict), 'rejected by ada')
    assert.equal(latest?.verdict, undefined)
    const [, changed] = attemptsOf([first, second], [{ action: 'revise', by: 'ada', at: at(7) }])
    assert.equal(changed?.verdict && verdictWords(changed.verdict), 'sent back for changes by ada')
  })

  it('are compared by what at least one of them has', () => {
    const facts = compareAttempts(first, second, Date.parse(at(20)))
    assert.deepEqual(
      facts.filter(({ left, right }) => left !== right),
      [
        { label: 'Kind', left: 'fresh start', right: 'continued' },
        { label: 'Time', left: '4s', right: '12s' },
        { label: 'Cost', left: '–', right: '$2.00' },
      ],
    )
    assert.ok(facts.every(({ label }) => label !== 'Turns'))
  })
})

describe('the timeline of a task', () => {
  it('has an end before the decision about it, and a decision before what it leads to, within one second', () => {
    const task = aTaskRecord({
      created_at: at(0),
      decisions: [
        { action: 'run', at: at(0) },
        { action: 'reject', at: at(0.9), comment: 'no' },
        { action: 'run', at: at(0.9) },
      ],
    })
    const executions = [
      anExecution('t-1', { started_at: at(0), finished_at: at(0) }),
      anExecution('t-2', { created_at: at(0), started_at: at(1), finished_at: at(2) }),
    ]
    assert.deepEqual(
      timelineOf(task, executions)
        .map(({ title }) => title)
        .toReversed(),
      [
        'The task was created',
        'Somebody ran the task',
        'Attempt 1 began (fresh start)',
        'Attempt 1 ended: Succeeded',
        'Somebody rejected the work',
        'Somebody ran the task',
        'Attempt 2 began (fresh start)',
        'Attempt 2 ended: Succeeded',
      ],
    )
  })

  it('holds each decision and each attempt once, never a later second before an earlier one', () => {
    const instant = fc.integer({ min: 0, max: 30 }).map(at)
    const decision = fc.record({
      action: fc.constantFrom('run' as const, 'reject' as const, 'cancel' as const),
      at: instant,
    })
    const execution = fc.record({
      from: fc.integer({ min: 0, max: 30 }),
      span: fc.option(fc.integer({ min: 0, max: 9 })),
    })
    fc.assert(
      fc.property(fc.array(decision), fc.array(execution, { maxLength: 6 }), (given, spans) => {
        const decisions = given.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
        const executions = spans.map(({ from, span }, index) =>
          anExecution(`t-${index}`, {
            created_at: at(from),
            started_at: at(from),
            ...(span === null ? {} : { finished_at: at(from + span) }),
          }),
        )
        const entries = timelineOf(aTaskRecord({ created_at: at(0), decisions }), executions)
        const ends = spans.filter(({ span }) => span !== null).length
        assert.equal(new Set(entries.map(({ id }) => id)).size, decisions.length + spans.length + ends + 1)
        const times = entries.map((entry) => Date.parse(entry.at))
        assert.deepEqual(
          times,
          times.toSorted((a, b) => b - a),
        )
      }),
    )
  })
})

describe('what is open in the panel', () => {
  it('comes back from the URL, for any id', () => {
    const anyId = fc.string({ minLength: 1 }).filter((id) => id !== '.' && id !== '..')
    fc.assert(
      fc.property(fc.constantFrom('task' as const, 'story' as const), anyId, (kind, id) => {
        const { open } = parseOpenSearch({ open: `${kind}:${id}` })
        assert.deepEqual(parseOpen(open), { kind, id })
        assert.ok(
          new URL(pageOf({ kind, id }), 'http://host/').pathname.startsWith(kind === 'task' ? '/tasks/' : '/stories/'),
        )
      }),
    )
  })

  it('has the tab that was chosen, as long as something is open', () => {
    assert.deepEqual(parseOpenSearch({ open: 'task:a', openTab: 'diff' }), { open: 'task:a', openTab: 'diff' })
    for (const openTab of [7, '', 'a b', 'A', 'x'.repeat(21)])
      assert.deepEqual(parseOpenSearch({ open: 'task:a', openTab }), { open: 'task:a' })
    assert.deepEqual(parseOpenSearch({ openTab: 'diff' }), {})
  })

  it('is nothing where the parameter names neither a task nor a story', () => {
    for (const open of [undefined, 7, '', 'task:', 'task:.', 'story:..', 'agent:claude', ['task:a']])
      assert.deepEqual(parseOpenSearch({ open }), {})
  })
})

describe('the address of a task', () => {
  it('leaves out what is unknown', () => {
    assert.deepEqual(parseTaskSearch({ tab: 'diff', action: 'accept', more: 1 }), { tab: 'diff', action: 'accept' })
    assert.deepEqual(parseTaskSearch({ tab: 'nothing', action: 'delete' }), {})
  })

  it('opens work to review at its diff where there is room', () => {
    const changes = { files: 1, insertions: 1, deletions: 0 }
    assert.deepEqual(
      [
        firstTab({ state: 'READY', changes }, true),
        firstTab({ state: 'READY', changes }, false),
        firstTab({ state: 'FAILED', changes }, true),
      ],
      ['diff', 'overview', 'overview'],
    )
  })
})

describe('comments on lines', () => {
  it('come back from their draft, and what is none is left out', () => {
    const parts = {
      file: fc.string(),
      side: fc.constantFrom('old' as const, 'new' as const),
      line: fc.integer(),
      text: fc.string(),
    }
    const comment = fc.oneof(
      fc.record(parts, { noNullPrototype: true }),
      fc.record({ ...parts, execution: fc.string() }, { noNullPrototype: true }),
    )
    fc.assert(
      fc.property(fc.array(comment), (comments) => {
        assert.deepEqual(parseComments(printComments(comments)), comments)
      }),
    )
    assert.deepEqual(parseComments('[{"file":"a"},7,{"file":"a","side":"both","line":1,"text":"x"}]'), [])
  })
})

describe('what accepting does', () => {
  const project = { default_branch: 'main' }

  it('is not known until the project is, and says why', () => {
    const unread = { data: undefined, error: null }
    assert.deepEqual(projectOf(undefined, unread), { isKnown: true, project: 'none' })
    const problemOf = (reading: Parameters<typeof projectOf>[1]): string => {
      const found = projectOf('p', reading)
      return found.isKnown ? 'known' : found.problem
    }
    assert.match(problemOf(unread), /the project p is being read\.$/)
    assert.match(problemOf({ data: undefined, error: new Error('away') }), /could not be read \(away\)/)
    assert.equal(problemOf({ data: null, error: null }), 'known', 'a project that was deleted delivers nothing')
    assert.equal(problemOf({ data: project, error: new Error('a later read failed') }), 'known')
  })

  it('is asked about many at once by what it does with each', () => {
    const effects = (['merge', 'merge', 'pull_request', 'none'] as const).map((on_accept) =>
      acceptEffect({ branch: 'b' }, { ...project, on_accept }),
    )
    assert.equal(
      acceptQuestion(4, effects),
      'Accept 4 without a look at each? It merges the work of 2, opens 1 pull request and leaves the work of 1 unmerged.',
    )
    assert.match(acceptQuestion(1, effects.slice(0, 1)), /It merges the work of 1\.$/)
    assert.match(acceptQuestion(1, undefined), /It does what their projects say\.$/)
  })
})

describe('what happens after a decision', () => {
  it('is said while it is under way, and no longer', () => {
    const answered = { decisions: [{ action: 'answer' as const, by: 'ada', at: at(0) }], run_policy: 'manual' as const }
    assert.equal(nextWords({ ...answered, state: 'QUEUED' }), 'ada answered; the agent goes on in the same session.')
    assert.equal(nextWords({ ...answered, state: 'READY' }), undefined)
    const rejected = { ...answered, decisions: [{ action: 'reject' as const, at: at(0) }], state: 'PENDING' as const }
    assert.match(nextWords(rejected) ?? '', /^Somebody sent the work back\. Run the task/)
    const archived = { ...rejected, archived_at: at(0) }
    assert.match(nextWords(archived) ?? '', /^This task is archived/)
  })
})
