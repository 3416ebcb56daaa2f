import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import * as fc from 'fast-check'
import { StoryCreate } from '../../../core/kinds/story.ts'
import { findBranchNameProblem, findObstacle, findReservedProblem } from '../../../core/story/branch-name.ts'
import { compileCheck } from '../../../lib/validate.ts'
import { runs } from '../../helpers/runs.ts'

/** What git says about a name; `@{-1}` and the like stand for other branches there, so they are no names. */
function gitTakes(name: string): boolean {
  if (name.includes('\0') || name.includes('@{')) return false
  try {
    execFileSync('git', ['check-ref-format', '--branch', name], { cwd: tmpdir(), stdio: 'ignore' })
    // The plumbing lets these pass; `git branch` does not.
    return name !== 'HEAD' && name !== '@'
  } catch {
    return false
  }
}

/** Characters and sequences that the rules are about, between harmless ones. */
const PARTS = [
  'a',
  'é',
  '9',
  '-',
  '.',
  '..',
  '/',
  '.lock',
  '@',
  '@{',
  '{',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  ']',
  '\\',
  ' ',
]
const MORE = ['\t', '\n', '\u007f', '\u0001', 'HEAD', 'lock', "'", '"', '#', '%', '\u00a0']

describe('the name of a branch', () => {
  it('is refused exactly where git refuses it', () => {
    const names = fc
      .array(fc.constantFrom(...PARTS, ...MORE), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''))
    const cases = fc.array(names, { minLength: 60, maxLength: 60 })
    fc.assert(
      fc.property(cases, (all) => {
        for (const name of all)
          assert.equal(findBranchNameProblem(name) === undefined, gitTakes(name), JSON.stringify(name))
      }),
      { numRuns: runs(5), endOnFailure: true },
    )
  })

  for (const name of [
    '',
    '@',
    'HEAD',
    'a.lock',
    'a/.b',
    'a//b',
    '/a',
    'a/',
    'a.',
    '-a',
    'a..b',
    'a@{b',
    'a b',
    'a\\b',
    'refs/heads/x',
    'ü'.repeat(126),
  ]) {
    it(`is not ${JSON.stringify(name)}, and what is wrong is said in words`, () => {
      assert.match(findBranchNameProblem(name) ?? '', /^must /)
    })
  }

  for (const name of [
    'main',
    'story/one-page',
    'a.b',
    'a-',
    '@a',
    'a@',
    'lock',
    'é/ü',
    "it's",
    'x'.repeat(250),
    'ü'.repeat(125),
    'refs',
  ]) {
    it(`may be ${name.slice(0, 20)}`, () => assert.equal(findBranchNameProblem(name), undefined))
  }

  it('has an obstacle in a name that goes on from it, and in one that it goes on from', () => {
    assert.equal(findObstacle('feat/sub', ['feature', 'feat']), 'feat')
    assert.equal(findObstacle('feat', ['feature', 'feat/sub']), 'feat/sub')
    assert.equal(findObstacle('feat', ['feat', 'feature', 'a/feat']), undefined)
  })

  it('is reserved where tasks could not push beside it, or to it alone', () => {
    for (const [name, prefix] of [
      ['slipway', undefined],
      ['slipway/x', undefined],
      ['a', 'a/b/'],
      ['bot-x', 'bot-'],
    ] as const)
      assert.match(findReservedProblem(name, prefix) ?? '', /^must not be .*branchPrefix/)
    for (const [name, prefix] of [
      ['slipways', undefined],
      ['slipway/x', 'agents/'],
      ['bot', 'bot-'],
    ] as const)
      assert.equal(findReservedProblem(name, prefix), undefined)
  })

  it('is refused by the schema of requests, naming the field', () => {
    const checked = compileCheck(StoryCreate)({ name: 'n', branch_name: 'story/a..b' })
    assert.deepEqual(checked.ok ? [] : checked.problems, [
      { field: 'branch_name', message: 'must not contain .. or @{' },
    ])
  })
})
