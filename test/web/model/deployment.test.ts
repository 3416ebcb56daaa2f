import assert from 'node:assert/strict'
import { deployedWords } from '../../../web/model/deployment.ts'

const COMMIT = 'c'.repeat(40)

describe('whether work is deployed', () => {
  for (const [deployed_commit, includes_fix, commits, words] of [
    [COMMIT, true, undefined, 'yes, in cccccccccccc'],
    [COMMIT, true, 1, 'yes: its commit in cccccccccccc'],
    [COMMIT, true, 3, 'yes: all 3 commits in cccccccccccc'],
    [COMMIT, false, 3, 'not in cccccccccccc'],
    ['', false, undefined, 'not known'],
  ] as const)
    it(`is "${words}"`, () => assert.equal(deployedWords({ deployed_commit, includes_fix }, commits), words))
})
