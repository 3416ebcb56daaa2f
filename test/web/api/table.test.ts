import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { LiveMessage } from '../../../core/rest/messages.ts'
import { foldMessages } from '../../../web/api/fold.ts'
import { type Position, answerAfter, comparePositions, placeAfter } from '../../../web/api/position.ts'
import { type Table, join, NOTHING, partOf, recordsOf, tableOf } from '../../../web/api/table.ts'

interface Item {
  readonly id: string
  readonly version: number
}

const told = (message: number): Position => ({ message, ask: 0 })
const answered = (message: number, ask = 1): Position => ({ message, ask })

/** What happened at the server: at each step one record is written or deleted. */
type History = readonly { readonly id: string; readonly isDeleted: boolean }[]

const histories = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), isDeleted: fc.boolean() }), {
  maxLength: 20,
})

/** The records after the first `count` steps. */
function stateAfter(history: History, count: number): Item[] {
  const items = new Map<string, Item>()
  for (const [step, { id, isDeleted }] of history.slice(0, count).entries())
    if (isDeleted) items.delete(id)
    else items.set(id, { id, version: step + 1 })
  return [...items.values()]
}

/** The message about each step, and the answer to a list that was read after it. */
function messagesOf(history: History): Table<Item>[] {
  return history.map(({ id, isDeleted }, step) =>
    partOf<Item>([[id, { position: told(step + 1), ...(isDeleted ? {} : { record: { id, version: step + 1 } }) }]]),
  )
}

function listAfter(history: History, count: number): Table<Item> {
  return tableOf(stateAfter(history, count), answered(count))
}

const sorted = (items: readonly Item[]): Item[] => items.toSorted((a, b) => (a.id < b.id ? -1 : 1))

describe('the table of a kind', () => {
  it('is the newest state after any order and repetition of its messages, beside a list that was read at any time', () => {
    fc.assert(
      fc.property(histories, fc.nat({ max: 20 }), fc.infiniteStream(fc.nat()), (history, readAt, order) => {
        const count = Math.min(readAt, history.length)
        // Messages from before the list may come as well, and everything may come twice.
        const all = [...messagesOf(history), ...messagesOf(history), listAfter(history, count)]
        const keys = [...order.take(all.length)]
        const shuffled = all.map((part, index) => ({ part, key: keys[index] ?? 0 })).toSorted((a, b) => a.key - b.key)
        const table = shuffled.reduce((known, { part }) => join(known, part), NOTHING as Table<Item>)
        assert.deepEqual(sorted(recordsOf(table)), sorted(stateAfter(history, history.length)))
      }),
    )
  })

  it('never goes back: a record is at no time older than it was before', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat({ max: 39 }), { maxLength: 60 }), (history, picks) => {
        const parts = [...messagesOf(history), ...history.map((_, step) => listAfter(history, step))]
        let table: Table<Item> = NOTHING
        for (const pick of picks) {
          const next = parts.length === 0 ? NOTHING : join(table, parts[pick % parts.length] ?? NOTHING)
          for (const { id, version } of recordsOf(next)) {
            const before = table.rows.get(id)
            assert.ok(before === undefined || version >= Math.floor(before.record?.version ?? 0))
          }
          assert.ok(comparePositions(next.asOf, table.asOf) >= 0)
          table = next
        }
      }),
    )
  })

  it('keeps a message that is newer than a list that answers late', () => {
    const message = partOf<Item>([['a', { position: told(5), record: { id: 'a', version: 5 } }]])
    const late = tableOf([{ id: 'a', version: 3 }], answered(3))
    assert.deepEqual(recordsOf(join(message, late)), [{ id: 'a', version: 5 }])
  })

  it('does not bring back what a list does not hold any more, and takes a name that is used again', () => {
    const list = tableOf<Item>([], answered(4))
    const before = partOf<Item>([['a', { position: told(4), record: { id: 'a', version: 4 } }]])
    const after = partOf<Item>([['a', { position: told(5), record: { id: 'a', version: 5 } }]])
    assert.deepEqual(recordsOf(join(list, before)), [])
    assert.deepEqual(recordsOf(join(list, after)), [{ id: 'a', version: 5 }])
  })

  it('takes the list that was asked for last, where no message came between two', () => {
    const [before, after] = [tableOf([{ id: 'a', version: 1 }], answered(0, 1)), tableOf<Item>([], answered(0, 2))]
    for (const table of [join(before, after), join(after, before)]) assert.deepEqual(recordsOf(table), [])
  })

  it('gives the same array for the same table', () => {
    const table = tableOf([{ id: 'a', version: 1 }], answered(1))
    assert.equal(recordsOf(table), recordsOf(table))
  })
})

describe('the place of a message', () => {
  it('grows with the number, and from one run of the server to the next', () => {
    const first = placeAfter(undefined, 'aaa-7')
    const second = placeAfter(first, 'aaa-8')
    const restarted = placeAfter(second, 'bbb-1')
    const third = placeAfter(second, 'aaa-9')
    const inOrder = [first, second].map(({ position }) => position)
    inOrder.push(answerAfter(second, 1), answerAfter(second, 2), third.position, restarted.position)
    assert.deepEqual(inOrder.toSorted(comparePositions), inOrder)
  })

  it('is the order of arrival where the form of ids is not known', () => {
    const first = placeAfter(undefined, 'x')
    assert.ok(comparePositions(first.position, placeAfter(first, 'y').position) < 0)
  })
})

describe('a batch of messages', () => {
  const at = '2026-01-01T00:00:00Z'
  const message = (parts: Partial<LiveMessage> & Pick<LiveMessage, 'id' | 'type'>): LiveMessage => ({ at, ...parts })

  it('is sorted into the kinds, with what is deleted and what is to be read anew', () => {
    const folded = foldMessages(undefined, [
      message({ id: 'r-1', type: 'task_deleted', task_id: 'gone' }),
      message({ id: 'r-2', type: 'story_event', story_id: 's' }),
      message({ id: 'r-3', type: 'resync' }),
    ])
    assert.deepEqual([...folded.parts.tasks.rows], [['gone', { position: told(1) }]])
    assert.deepEqual([folded.storiesWithEvents, folded.isResync, folded.place?.position], [['s'], true, told(3)])
  })

  it('does not take the page back when a message comes twice', () => {
    const place = foldMessages(undefined, [message({ id: 'r-9', type: 'resync' })]).place
    assert.equal(
      foldMessages(place, [message({ id: 'r-4', type: 'task_deleted', task_id: 'x' })]).place?.position.message,
      9,
    )
  })
})
