import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type Connection, type PageOptions, pageLines } from '../../../cli/client/task-table.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { aTaskRecord } from '../../web/records.ts'

const NOW = new Date('2026-11-21T12:10:05Z')
const LIVE: Connection = { kind: 'live' }
const style = { isTerminal: true, hasColor: false }
const bare = (line: string): string => line.replaceAll(/\p{Cc}\[[\d;]*m/gu, '')

describe('the page of slipway watch', () => {
  const running = aTaskRecord({
    id: 'add-login',
    name: 'Add a login',
    state: 'RUNNING',
    agent: { type: 'claude' },
    created_at: '2026-11-21T12:00:00Z',
    started_at: '2026-11-21T12:03:01Z',
  })
  const waiting = aTaskRecord({
    id: 'add-logout',
    name: 'Add a logout',
    state: 'QUEUED',
    waiting_for: 'next in line',
    created_at: '2026-11-21T12:01:00Z',
  })
  const done = aTaskRecord({
    id: 'add-page',
    name: 'Add a page',
    state: 'COMPLETED',
    created_at: '2026-11-21T12:02:00Z',
    started_at: '2026-11-21T12:02:00Z',
    finished_at: '2026-11-21T12:02:42Z',
  })
  const all = [done, waiting, running]
  const draw = (tasks: readonly Task[], options: Partial<PageOptions> = {}, connection: Connection = LIVE): string[] =>
    pageLines({ tasks, state: undefined, connection }, { style, width: 80, height: 24, now: NOW, ...options })

  it('counts the states, and shows what runs first, for how long, and what the others wait for', () => {
    assert.deepEqual(draw(all), [
      '1 QUEUED, 1 RUNNING, 1 COMPLETED',
      'TASK         STATE       AGENT    TIME    NAME           WAITING FOR',
      'add-login    RUNNING     claude   7m04s   Add a login',
      'add-logout   QUEUED                       Add a logout   next in line',
      'add-page     COMPLETED            42s     Add a page',
    ])
    const [, , line = ''] = draw(all, { now: new Date(NOW.getTime() + 1000) })
    assert.match(line, / 7m05s /)
  })

  it('shows what goes on by itself before what waits for an answer', () => {
    const asks = aTaskRecord({ id: 'asks', state: 'BLOCKED', question: 'Which?', created_at: '2026-11-21T12:09:00Z' })
    const parent = aTaskRecord({ id: 'parent', state: 'BLOCKED', goes_on: {}, created_at: '2026-11-21T12:00:00Z' })
    const [, , ...rows] = draw([asks, parent])
    assert.deepEqual(
      rows.map((row) => row.split(' ', 1)[0]),
      ['parent', 'asks'],
    )
  })

  it('marks and counts what needs a person, before what is over, and nothing that nobody can decide', () => {
    const asks = aTaskRecord({ id: 'asks', state: 'BLOCKED', question: 'Which?', actions: ['answer'] })
    const failed = aTaskRecord({ id: 'failed', state: 'FAILED', actions: ['resume'] })
    const over = aTaskRecord({ id: 'over', state: 'FAILED', actions: [] })
    const [counts, , ...rows] = draw([over, failed, asks, running])
    assert.equal(counts, '1 RUNNING, 2 FAILED, 1 BLOCKED; 2 for you')
    assert.deepEqual(
      rows.map((row) => row.split(/ {2,}/).filter((_, n, { length }) => n === 0 || n === length - 1)),
      [
        ['add-login', 'Add a login'],
        ['asks', 'your answer'],
        ['failed', 'your decision'],
        ['over', over.name],
      ],
    )
  })

  it('says of work that waits for a review again why it was not merged', () => {
    const delivery = { kind: 'merge', state: 'conflict', files: ['a.txt'] } as const
    const [, , row] = draw([aTaskRecord({ id: 'again', state: 'READY', actions: ['accept'], delivery })])
    assert.match(row ?? '', /^again .* your review, conflicts$/)
  })

  it('says how many tasks have no room', () => {
    const lines = draw(all, { height: 4 })
    assert.deepEqual([lines.length, lines.at(-1)], [4, 'and 2 more'])
    assert.match(lines[2] ?? '', /^add-login /)
    assert.equal(draw(all, { height: 5 }).length, 5)
  })

  it('never has more lines than the terminal, nor longer ones, nor what would steer it', () => {
    const task = fc.record({ id: fc.stringMatching(/^[a-z]{1,60}$/), name: fc.string({ unit: 'binary' }) })
    fc.assert(
      fc.property(
        fc.uniqueArray(task, { maxLength: 8, selector: ({ id }) => id }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        (tasks, width, height, isLost) => {
          const records = tasks.map(({ id, name }) => aTaskRecord({ id, name, waiting_for: name }))
          const connection: Connection = isLost ? { kind: 'lost', at: NOW, why: 'x\u001B[2J' } : LIVE
          const lines = draw(records, { width, height, style: { ...style, hasColor: true } }, connection).map(bare)
          assert.ok(lines.length <= height, `${lines.length} lines`)
          assert.ok(
            lines.every((line) => Array.from(line).length <= width && !/\p{Cc}/u.test(line)),
            lines.join('\n'),
          )
        },
      ),
    )
  })

  it('stands still in gray while the connection is lost, and says since when', () => {
    const at = new Date(NOW.getTime() - 65_000)
    const colored = { ...style, hasColor: true }
    const lines = draw(all, { style: colored, width: 120 }, { kind: 'lost', at, why: 'ECONNREFUSED' })
    assert.equal(bare(lines[0] ?? ''), 'Not connected for 1m05s, this is how it was then; trying again (ECONNREFUSED)')
    assert.match(bare(lines[3] ?? ''), /^add-login .* 5m59s /)
    const notGray = lines.slice(1).filter((line) => !line.startsWith('\u001B[90m') || /\[34m/.test(line))
    assert.deepEqual(notGray, [])
  })

  it('says that it reads, and that there is nothing', () => {
    assert.deepEqual(draw([], {}, { kind: 'starting' }), ['Reading the tasks …'])
    assert.match(draw([]).join(), /^No tasks\. Begin one: slipway run/)
    const none = pageLines({ tasks: [], state: 'READY', connection: LIVE }, { style, width: 80, height: 9, now: NOW })
    assert.deepEqual(none, ['No task is READY.'])
  })
})
