import assert from 'node:assert/strict'
import { readDrop } from '../../../web/features/board/drop.ts'

const CARD = { story: 'a', lane: 'checkout', column: 'backlog' }

describe('a drop on the board', () => {
  for (const [what, target, drop] of [
    [
      'on another card of its cell goes beside it',
      { ...CARD, story: 'b' },
      { kind: 'beside', other: 'b', edge: 'bottom' },
    ],
    ['on its own cell goes to the end', { lane: 'checkout', column: 'backlog' }, { kind: 'end' }],
    [
      'on another column is refused',
      { lane: 'checkout', column: 'done' },
      { kind: 'refused', from: 'backlog', to: 'done' },
    ],
    [
      'on another lane is refused',
      { lane: '-', column: 'backlog' },
      { kind: 'refused', from: 'backlog', to: 'backlog' },
    ],
  ] as const)
    it(what, () => assert.deepEqual(readDrop(CARD, target, 'bottom'), { story: 'a', ...drop }))

  for (const [what, source, target] of [
    ['of something else means nothing', { file: 'a.txt' }, CARD],
    ['from a column that does not exist means nothing', { ...CARD, column: 'toString' }, CARD],
    ['on a column that does not exist means nothing', CARD, { lane: 'checkout', column: 'elsewhere' }],
    ['beside the board means nothing', CARD, undefined],
  ] as const)
    it(what, () => assert.equal(readDrop(source, target, 'top'), undefined))
})
