import * as fc from 'fast-check'
import { runs } from '../../helpers/runs.ts'
import { type Event, histories, playHistory } from './histories.ts'

/** Those that once went wrong elsewhere. */
const KNOWN: readonly [title: string, isStory: boolean, events: readonly Event[]][] = [
  ['a task remade under a used name', false, ['commit', 'remade', 'commit', 'accept']],
  ["a stranger's pushes before and between", false, ['push', 'commit', 'push', 'amend', 'accept']],
  ['work that is squashed on the host', false, ['commit', 'squashed', 'commit', 'accept']],
  ['a default branch that goes back', false, ['main', 'commit', 'rewound', 'accept']],
  ['a default branch that loses what the work merged', false, ['commit', 'main', 'merge', 'rewound', 'accept']],
  [
    'a default branch that loses what the work was rebased onto',
    false,
    ['commit', 'main', 'rebase', 'rewound', 'accept'],
  ],
  ['work that is taken back before the default branch is merged', false, ['hide', 'main', 'merge', 'accept']],
  ['a story on an old branch', true, ['push', 'main', 'commit', 'accept']],
  ['a restored task that is merged twice', true, ['commit', 'accept', 'restored', 'commit', 'accept']],
]

describe('the default branch gets what was shown for review', () => {
  for (const isBorrowed of [false, true])
    for (const [title, isStory, events] of KNOWN)
      it(`after ${title}${isBorrowed ? ', beside a mirror' : ''}`, () => playHistory({ isStory, isBorrowed, events }))

  it('after any history', () => fc.assert(fc.asyncProperty(histories, playHistory), { numRuns: runs(10) }))
})
