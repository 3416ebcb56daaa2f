import * as fc from 'fast-check'
import { runs } from '../../helpers/runs.ts'
import { histories, playHistory } from './histories.ts'

describe('the default branch gets what was shown for review, in many histories', () => {
  it('after any of them', () =>
    fc.assert(
      fc.asyncProperty(histories, ({ isStory, events }) => playHistory(isStory, events)),
      { numRuns: runs(10) },
    ))
})
