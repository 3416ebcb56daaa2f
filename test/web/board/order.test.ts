import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  type Placed,
  type Target,
  comparePlaces,
  moveTo,
  planMove,
  withPriorities,
} from '../../../web/features/board/order.ts'
import { targetBeside, targetOfStep } from '../../../web/features/board/targets.ts'
import { PLACE_GAP as GAP } from '../../../core/story/columns.ts'
import { runs } from '../../helpers/runs.ts'

const column = (...priorities: number[]): Placed[] =>
  priorities.map((priority, index) => ({ id: `s${index}`, priority, created_at: `2026-01-0${9 - index}T00:00:00Z` }))

const idsOf = (stories: readonly Placed[]): string[] => stories.toSorted(comparePlaces).map(({ id }) => id)

/** The column as it stands once the plan is stored. */
function afterPlan(stories: readonly Placed[], moved: string, target: Target): readonly Placed[] {
  return withPriorities(
    stories,
    new Map(planMove(stories, moved, target).writes.map(({ id, priority }) => [id, priority])),
  )
}

const columns = fc
  .array(fc.integer({ min: -5000, max: 5000 }), { minLength: 2, maxLength: 9 })
  .map((priorities) => column(...priorities))

describe('a move in a column', () => {
  it('numbers a column that nobody has ordered, with gaps, and writes one story from then on', () => {
    const fresh = column(0, 0, 0, 0)
    const first = planMove(fresh, 's3', { before: 's1' })
    assert.deepEqual(first.order, ['s0', 's3', 's1', 's2'])
    assert.deepEqual(first.writes, [
      { id: 's0', priority: GAP },
      { id: 's3', priority: 2 * GAP },
      { id: 's1', priority: 3 * GAP },
      { id: 's2', priority: 4 * GAP },
    ])
    const numbered = afterPlan(fresh, 's3', { before: 's1' })
    assert.deepEqual(planMove(numbered, 's2', { before: 's0' }).writes, [{ id: 's2', priority: 0 }])
    assert.deepEqual(planMove(numbered, 's0', { after: 's2' }).writes, [{ id: 's0', priority: 5 * GAP }])
    assert.deepEqual(planMove(numbered, 's2', { after: 's0' }).writes, [{ id: 's2', priority: 1.5 * GAP }])
  })

  it('numbers the column again when there is no room between two', () => {
    const writes = planMove(column(1, 2, 3), 's2', { before: 's1' }).writes
    assert.deepEqual(
      writes.map(({ priority }) => priority),
      [GAP, 2 * GAP, 3 * GAP],
    )
  })

  it('writes nothing where nothing moves', () => {
    assert.deepEqual(planMove(column(1, 2, 3), 's1', { before: 's2' }).writes, [])
    assert.deepEqual(planMove(column(0, 0), 's0', { before: 'not-there' }).writes, [])
  })

  it('leaves the column in the order that the person made, whatever its priorities were', () => {
    fc.assert(
      fc.property(columns, fc.nat(), fc.nat(), fc.boolean(), (stories, from, to, isBefore) => {
        const ids = idsOf(stories)
        const moved = ids[from % ids.length] ?? ''
        const other = ids.filter((id) => id !== moved)[to % (ids.length - 1)] ?? ''
        const target = isBefore ? { before: other } : { after: other }
        assert.deepEqual(idsOf(afterPlan(stories, moved, target)), moveTo(ids, moved, target))
      }),
    )
  })

  it('keeps priorities 32-bit integers through a thousand moves', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { minLength: 200, maxLength: 1000 }), (picks) => {
        let stories: readonly Placed[] = column(0, 0, 0, 0, 0)
        for (const pick of picks) {
          const ids = idsOf(stories)
          stories = afterPlan(stories, ids[pick] ?? '', { before: ids[0] ?? '' })
        }
        for (const { priority } of stories) assert.ok(Number.isInteger(priority) && Math.abs(priority) < 2 ** 31)
      }),
      { numRuns: runs(10) },
    )
  })

  it('may be stored by two people at once: whichever write of a story is the last, the next move heals ties', () => {
    fc.assert(
      fc.property(columns, fc.infiniteStream(fc.boolean()), (stories, isFirst) => {
        const ids = idsOf(stories)
        const one = planMove(stories, ids[0] ?? '', { after: ids.at(-1) ?? '' }).writes
        const other = planMove(stories, ids.at(-1) ?? '', { before: ids[0] ?? '' }).writes
        const stored = new Map([...one, ...other].map(({ id, priority }) => [id, priority]))
        for (const { id, priority } of one) if (isFirst.next().value === true) stored.set(id, priority)
        const raced = withPriorities(stories, stored)
        const now = idsOf(raced)
        const target = { after: now[1] ?? '' }
        assert.deepEqual(idsOf(afterPlan(raced, now[0] ?? '', target)), moveTo(now, now[0] ?? '', target))
      }),
    )
  })
})

describe('stories with priorities that are not stored yet', () => {
  it('stay the same objects from one event to the next, so that only cards with news are drawn again', () => {
    const [stories, pending, made] = [column(0, 0, 0), new Map([['s1', GAP]]), new WeakMap<Placed, Placed>()]
    const [first, second] = withPriorities(stories, pending, made)
    const told = stories.map((story) => (story.id === 's0' ? { ...story } : story))
    const again = withPriorities(told, pending, made)
    assert.deepEqual([again[1] === second, again[0] === first, second?.priority], [true, false, GAP])
    assert.equal(withPriorities(told, new Map([['s1', 2 * GAP]]), made)[1]?.priority, 2 * GAP)
  })
})

describe('where a card goes', () => {
  const cell = ['a', 'b', 'c']

  it('is beside the card that it is dropped on', () => {
    assert.deepEqual(targetBeside(cell, 'c', 'a', 'top'), { before: 'a' })
    assert.deepEqual(targetBeside(cell, 'a', 'b', 'bottom'), { before: 'c' })
    assert.deepEqual(targetBeside(cell, 'a', 'c', 'bottom'), { after: 'c' })
    assert.equal(targetBeside(cell, 'a', 'of-another-lane', 'top'), undefined)
  })

  it('is one place up or down with a key, as far as there is one', () => {
    assert.deepEqual(targetOfStep(cell, 'b', -1), { before: 'a' })
    assert.deepEqual(targetOfStep(cell, 'a', 1), { before: 'c' })
    assert.equal(targetOfStep(cell, 'a', -1), undefined)
    assert.equal(targetOfStep(cell, 'c', 1), undefined)
  })
})
