import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import type { StoryStatus } from '../../../core/crd/types.ts'
import { canMoveStory, STORY_MOVES, STORY_SYSTEM_MOVES } from '../../../core/story/transitions.ts'

/** What a person may do, written out from specification §5.2: `from > to`. */
const BY_PEOPLE: ReadonlySet<string> = new Set([
  'DISCOVERY > FRAMING',
  'DISCOVERY > BACKLOG',
  'FRAMING > DISCOVERY',
  'FRAMING > BACKLOG',
  'BACKLOG > FRAMING',
  'BACKLOG > PRIORITIZED',
  'PRIORITIZED > BACKLOG',
  'PRIORITIZED > IN_PROGRESS',
  'IN_PROGRESS > PRIORITIZED',
  'IN_PROGRESS > VALIDATING',
  'IN_PROGRESS > SHIPPABLE',
  'SHIPPABLE > VALIDATING',
  'SHIPPABLE > REVIEW_READY',
  'SHIPPABLE > IN_PROGRESS',
  'VALIDATING > REVIEW_READY',
  'VALIDATING > IN_PROGRESS',
  'REVIEW_READY > DONE',
  'REVIEW_READY > IN_PROGRESS',
])

/** What task events cause, by the same section, and what an evaluation does that every criterion passed. */
const BY_THE_SYSTEM: ReadonlySet<string> = new Set([
  'DISCOVERY > IN_PROGRESS',
  'FRAMING > IN_PROGRESS',
  'BACKLOG > IN_PROGRESS',
  'PRIORITIZED > IN_PROGRESS',
  'DISCOVERY > SHIPPABLE',
  'FRAMING > SHIPPABLE',
  'BACKLOG > SHIPPABLE',
  'PRIORITIZED > SHIPPABLE',
  'IN_PROGRESS > SHIPPABLE',
  'VALIDATING > SHIPPABLE',
  'REVIEW_READY > SHIPPABLE',
  'SHIPPABLE > IN_PROGRESS',
  'VALIDATING > IN_PROGRESS',
  'REVIEW_READY > IN_PROGRESS',
  'VALIDATING > REVIEW_READY',
])

describe('the transition tables of stories', () => {
  for (const from of STORY_STATUS_VALUES)
    for (const to of STORY_STATUS_VALUES) {
      const person = BY_PEOPLE.has(`${from} > ${to}`)
      it(`a person ${person ? 'may' : 'may not'} move a story from ${from} to ${to}`, () => {
        assert.equal(canMoveStory(from, to), person)
      })
      const system = BY_THE_SYSTEM.has(`${from} > ${to}`)
      it(`the system ${system ? 'may' : 'may not'} move a story from ${from} to ${to}`, () => {
        assert.equal(systemMoves(from).includes(to), system)
      })
    }

  it('have a row for each status of the CRD and for nothing else', () => {
    const statuses = [...STORY_STATUS_VALUES].sort()
    assert.deepEqual(Object.keys(STORY_MOVES).sort(), statuses)
    assert.deepEqual(Object.keys(STORY_SYSTEM_MOVES).sort(), statuses)
  })

  it('are never left, and never leave DONE, whatever people try', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STORY_STATUS_VALUES), { maxLength: 60 }), (wishes) => {
        let status: StoryStatus = 'DISCOVERY'
        for (const wish of wishes) {
          const wasDone: boolean = status === 'DONE'
          if (canMoveStory(status, wish)) status = wish
          if (wasDone && status !== 'DONE') return false
        }
        return STORY_STATUS_VALUES.includes(status)
      }),
    )
  })

  it('let people reach every status from DISCOVERY', () => {
    const reached = new Set<StoryStatus>(['DISCOVERY'])
    for (const status of reached) for (const next of STORY_MOVES[status]) reached.add(next)
    assert.deepEqual(reached, new Set(STORY_STATUS_VALUES))
  })

  it('lead to DONE only from REVIEW_READY, and never by the system', () => {
    assert.deepEqual(
      STORY_STATUS_VALUES.filter((from) => canMoveStory(from, 'DONE')),
      ['REVIEW_READY'],
    )
    assert.ok(STORY_STATUS_VALUES.every((from) => !systemMoves(from).includes('DONE')))
  })
})

function systemMoves(from: StoryStatus): readonly StoryStatus[] {
  return STORY_SYSTEM_MOVES[from]
}
