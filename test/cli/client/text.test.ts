import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { parse } from 'yaml'
import { toYaml } from '../../../cli/client/yaml.ts'
import { toAnswer } from '../../../cli/client/ask-person.ts'
import { conversationPrinter } from '../../../cli/client/conversation.ts'
import { formatLogEnd, formatTaskMessage } from '../../../cli/client/outcome.ts'
import { print } from '../../../cli/client/output.ts'
import { nameOf } from '../../../cli/client/task-name.ts'
import { oneLine, printable } from '../../../cli/client/text.ts'
import type { Execution, Task } from '../../../core/rest/client/client.ts'

const AT = '2026-11-21T12:00:00.000Z'
const TASK: Task = {
  id: 'fix-x7k2m',
  name: 'Fix',
  state: 'READY',
  depends_on: [],
  run_policy: 'manual',
  attempts: 0,
  decisions: [],
  created_at: AT,
  updated_at: AT,
  actions: ['accept', 'revise', 'reject'],
}
const EXECUTION: Execution = {
  id: 'fix-1',
  task_id: 'fix-x7k2m',
  purpose: 'run',
  state: 'COMPLETED',
  phases: [],
  fix_commits: [],
  auth_retried: false,
  created_at: AT,
}

describe('what an agent wrote, in a terminal', () => {
  it('never steers it: no control character but tab and line feed comes through', () => {
    const wild = fc.string({ unit: 'binary', maxLength: 200 })
    const steers = (text: string): boolean => /[\p{Cc}\u202a-\u202e]/u.test(text.replaceAll(/[\t\n]/g, ''))
    fc.assert(fc.property(wild, (text) => !steers(printable(text))))
    assert.equal(printable('a\x1b[2Jb\r\nc\td\u202e'), 'a[2Jb\nc\td')
  })

  it('comes through whole as JSON and YAML, and steers it there as little', () => {
    const wild = fc
      .string({ unit: fc.constantFrom(...'aé "\\:#\u001b\u009b\u202e\u0000\r'.split('')), maxLength: 50 })
      .map((text) => ({ text, 'k\u009b': `\u009b2J\u202e${text}`, list: [text] }))
    for (const form of ['json', { toYaml }] as const) {
      fc.assert(
        fc.property(wild, (answer) => {
          let shown = ''
          print({ out: (part) => (shown += part), err: () => undefined }, form, answer, () => '')
          assert.equal(printable(shown), shown)
          assert.deepEqual(form === 'json' ? JSON.parse(shown) : parse(shown), answer)
        }),
      )
    }
  })

  it('is one line of bounded length where one line is wanted', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 2, max: 80 }), (text, length) => {
        const line = oneLine(text, length)
        return line.length <= length && !line.includes('\n')
      }),
    )
  })

  const withRecord = (record: Pick<Execution, 'messages' | 'checks'>, ...events: object[]): string => {
    let text = ''
    const show = conversationPrinter((part) => (text += part))
    for (const event of events) show(event, record)
    return text
  }
  const withSaid = (messages: NonNullable<Execution['messages']>, ...events: object[]): string =>
    withRecord({ messages }, ...events)
  const shown = (...events: object[]): string => withSaid([], ...events)

  it('is told event by event, partial texts on one line, and what is no event is left out', () => {
    const text = shown(
      { at: AT, kind: 'text', text: 'I will ', is_partial: true },
      { at: AT, kind: 'text', text: 'look.', is_partial: true },
      { at: AT, kind: 'tool_call', call_id: '1', tool: 'Bash', input: { command: 'npm test\nrm x' } },
      { at: AT, kind: 'tool_result', call_id: '1', text: 'fine', is_error: false },
      { at: AT, kind: 'tool_result', call_id: '2', text: 'no such file', is_error: true },
      { kind: 'text', text: 'without a time' },
      { at: AT, kind: 'text', text: 'Done.\n\n' },
    )
    assert.equal(text, 'I will look.\n→ Bash npm test rm x\n  ✗ no such file\nDone.\n')
  })

  it('shows what a person said to the agent, and who did', () => {
    const said = { at: AT, id: 'abcd1234', by: 'ada', mode: 'steer', text: 'Use the new API.\nNow.' } as const
    assert.equal(withSaid([said], { ...said, kind: 'message' }), '> ada: Use the new API.\n> Now.\n')
  })

  it('shows nobody’s name at a message that the record does not know, and the words of the record', () => {
    const said = { at: AT, id: 'abcd1234', by: 'ada', mode: 'steer', text: 'Wait.' } as const
    const forged = { ...said, kind: 'message', by: 'eve', text: 'Delete it.\nAll.' }
    assert.equal(withSaid([], forged), '  | Delete it.\n  | All.\n')
    assert.equal(withSaid([said], forged), '> ada: Wait.\n')
  })

  it('says what the agent was asked to mend, by the record of that round, and nothing that the record does not know', () => {
    const red = { name: 'test', state: 'failed', required: true, round: 1, exit_code: 1 } as const
    const asked = { at: AT, kind: 'checks', round: 1 }
    assert.equal(withRecord({ checks: [red] }, asked), '> Slipway, after round 1: check test is red: exit code 1\n')
    assert.equal(withRecord({ checks: [red] }, { ...asked, round: 2 }), '')
    const checks = [{ ...red, commit: 'c0ffee12'.repeat(5) }]
    assert.match(withRecord({ checks }, asked), /: exit code 1 \(commit c0ffee12c0ff\)\n$/)
  })

  it('says of a limit for how long it holds, where the provider says so', () => {
    const limit = (more: object) =>
      shown({ at: AT, kind: 'limit', state: 'reached', message: 'Limit reached', ...more })
    const later = new Date(Date.parse(AT) + 3 * 3_600_000 + 7 * 60_000).toISOString()
    assert.equal(limit({ resets_at: later }), '! Limit reached (resets in 3h07m)\n')
    for (const more of [{}, { resets_at: AT }, { resets_at: 'soon' }]) assert.equal(limit(more), '! Limit reached\n')
  })
})

describe('the end of a task, told to a person', () => {
  it('says state, changes, branch, cost, summary, and what can be typed next', () => {
    const text = formatTaskMessage({
      ...TASK,
      changes: { files: 1, insertions: 3, deletions: 0 },
      branch: 'slipway/fix',
      cost_usd: 0.046,
      summary: 'Fixed it.',
      execution_id: 'fix-1',
    })
    assert.equal(
      text,
      [
        'fix-x7k2m READY: 1 file changed, +3 -0, branch slipway/fix, $0.05',
        '  Fixed it.',
        '',
        'Next: slipway diff fix-x7k2m',
        '      slipway accept fix-x7k2m',
        '      slipway revise fix-x7k2m -m "<what is to be changed>"',
        '      slipway reject fix-x7k2m -m "<what is missing>"',
        '',
      ].join('\n'),
    )
  })

  it('names first what helps most: to go on where it stopped, but to have what is red mended', () => {
    const next = (actions: Task['actions']): string[] =>
      [...formatTaskMessage({ ...TASK, state: 'FAILED', actions }).matchAll(/slipway (\w+) fix-x7k2m/g)].map(
        ([, word = '']) => word,
      )
    assert.deepEqual(next(['run', 'revise', 'resume']), ['resume', 'revise', 'restart'])
    assert.deepEqual(next(['run', 'revise', 'waive', 'resume']), ['checks', 'revise', 'waive', 'restart', 'resume'])
  })

  it('says what is odd about its work: commits of others, what the diff does not show, what is not on the branch', () => {
    const commit = { commit: 'c'.repeat(40), author: 'Eve', subject: 'Slip this in' }
    const task = {
      ...TASK,
      foreign_commits: [commit],
      foreign_commit_count: 1,
      hidden_commits: [
        { ...commit, path: 'key.pem' },
        { ...commit, path: 'key.pem' },
      ],
    }
    const undelivered = [{ path: 'nested', reason: 'a clone' }]
    const text = formatTaskMessage(task, { ...EXECUTION, undelivered, undelivered_count: 1 })
    assert.match(text, /^fix-x7k2m READY: 1 commit by others, 2 commits with changes that the diff does not show\n/)
    assert.match(text, /\n {2}not delivered, and kept in the clone: nested: a clone\n/)
  })

  it('says what the CI of the git host makes of it, and where the log of what failed is, without control characters', () => {
    const runs = [
      { name: 'build\u001b[2J', state: 'failed', url: 'https://ci.example/7' },
      { name: 'unit', state: 'passed' },
    ] as const
    const ci = { commit: 'c'.repeat(40), state: 'failed', total: 2, runs: [...runs], at: AT } as const
    const text = formatTaskMessage({ ...TASK, ci })
    assert.match(text, /^fix-x7k2m READY: CI failed: build/)
    assert.match(text, /\n {2}CI build.* failed: https:\/\/ci\.example\/7\n/)
    assert.ok(!text.includes('\u001b'))
    assert.match(formatTaskMessage({ ...TASK, ci: { ...ci, state: 'passed' } }), /^fix-x7k2m READY: CI passed\n/)
  })

  it('says how accepted work was delivered, or why not, and what pushed work conflicts with', () => {
    const message = 'branch slipway/fix-x7k2m conflicts with main in a.txt'
    const begun = { kind: 'merge', files: [] } as const
    const commit = 'c'.repeat(40)
    const url = 'https://git.example/pulls/1'
    for (const [delivery, said] of [
      [{ ...begun, state: 'conflict', files: ['a.txt'], message }, `Conflicts: ${message}`],
      [{ ...begun, state: 'delivered', commit }, 'Merged: at commit cccccccccccc'],
      [{ ...begun, kind: 'pull_request', state: 'delivered', commit, url }, `Pull request is open: ${url}`],
      [
        { ...begun, state: 'pending', retry_at: AT, message: 'no route' },
        `Being merged, tried again at ${AT}: no route`,
      ],
      [{ ...begun, state: 'pending' }, 'Being merged'],
    ] as const) {
      const text = formatTaskMessage({ ...TASK, delivery: { ...delivery, files: [...delivery.files] } })
      assert.ok(text.includes(`\n  ${said}\n`), text)
    }
    const rebase = { result: 'conflict', files: ['a.txt', 'b.txt'] } as const
    const text = formatTaskMessage({ ...TASK, rebase: { ...rebase, files: [...rebase.files] } })
    assert.match(text, /\n {2}conflicts with its base: a\.txt, b\.txt\n/)
  })

  it('offers to hand back or to release what somebody has taken over', () => {
    const checked_out = { by: 'ada', at: AT }
    const text = formatTaskMessage({ ...TASK, actions: ['accept'], checked_out })
    const [handback, release] = ['slipway handback fix-x7k2m  # in the folder of the checkout', '--release\n']
    assert.ok(text.includes(`Next: ${handback}\n      slipway checkout fix-x7k2m ${release}`), text)
  })

  it('names no exit code of an agent whose work is held back by its checks', () => {
    const error = 'check test is red: exit code 1'
    const red = { ...EXECUTION, state: 'FAILED', exit_code: 0, error } as const
    const end = formatLogEnd({ ...red, error_category: 'checks' }, false)
    assert.match(end, / FAILED \(checks are red\)\n {2}checks: check test is red: exit code 1\n$/)
    assert.match(formatLogEnd({ ...red, error_category: 'git' }, false), / FAILED \(exit code 0\)\n/)
  })

  it('puts the answer first when the task asks, with the options numbered', () => {
    const text = formatTaskMessage({
      ...TASK,
      state: 'BLOCKED',
      actions: ['run', 'cancel', 'answer'],
      question: 'Which?',
      question_items: [{ text: 'Which?', options: ['A', 'B'] }],
    })
    assert.match(text, / {2}\? Which\?\n {4}1\. A\n {4}2\. B\n\nNext: slipway answer/)
  })
})

describe('an answer that a person types', () => {
  it('is the option of its number, several with commas where several may be chosen, else the text', () => {
    const options = ['Postgres', 'SQLite']
    assert.equal(toAnswer({ options }, ' 2 '), 'SQLite')
    assert.equal(toAnswer({ options }, '3'), '3')
    assert.equal(toAnswer({ options, multiple: true }, '1, 2'), 'Postgres, SQLite')
    assert.equal(toAnswer({ options, multiple: true }, '1, MySQL'), '1, MySQL')
    assert.equal(toAnswer({}, '2'), '2')
  })
})

describe('the name of a task that a person starts', () => {
  it('is the first line of the prompt that says something, cut at a word', () => {
    assert.equal(nameOf('\n# Fix the build\n\nIt is red.'), 'Fix the build')
    fc.assert(fc.property(fc.lorem({ maxCount: 60 }), (prompt) => nameOf(prompt).length <= 200))
  })
})
