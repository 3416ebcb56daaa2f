import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { suggest } from '../../cli/suggest.ts'

const KNOWN = ['run', 'tasks', 'restart', 'resume', 'projects', 'project']

describe('the suggestion for a word that is not known', () => {
  for (const [typed, meant] of [
    ['rnu', 'run'],
    ['task', 'tasks'],
    ['projet', 'project'],
    ['resmue', 'resume'],
    ['deploy', undefined],
    ['', undefined],
  ] as const)
    it(`is ${meant ?? 'none'} for ${JSON.stringify(typed)}`, () => assert.equal(suggest(typed, KNOWN), meant))

  it('is the word itself where it is known, and the word that lost one letter', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,12}$/), fc.nat(), (word, at) => {
        const i = at % word.length
        assert.equal(suggest(word, ['zz-other', word]), word)
        assert.equal(suggest(word.slice(0, i) + word.slice(i + 1), ['--------------------', word]), word)
      }),
    )
  })
})
