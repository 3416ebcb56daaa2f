import assert from 'node:assert/strict'
import { COMMIT_PATTERN, RESOURCE_NAME_PATTERN, SESSION_ID_PATTERN } from '../core/execution/patterns.ts'
import { DURATION_PATTERN } from '../core/time.ts'
import { URL_FORMS } from '../lib/git-url.ts'
import { attacks } from './helpers/attacks.ts'
import { findGrowth } from './helpers/growth.ts'
import { findPatterns } from './helpers/source-patterns.ts'

const FOLDERS = ['core', 'lib', 'api-server', 'runner', 'operator', 'embedded', 'kube', 'node', 'cli']

/** Those that are not written as literals. */
const NAMED = Object.entries({
  ...URL_FORMS,
  DURATION_PATTERN,
  COMMIT_PATTERN,
  RESOURCE_NAME_PATTERN,
  SESSION_ID_PATTERN,
}).map(([place, source]) => ({
  place,
  pattern: new RegExp(source),
}))

describe('the regular expressions of the source', function () {
  const patterns = [...findPatterns(FOLDERS), ...NAMED].filter(({ pattern: { source } }) => hasRepetition(source))

  for (const { place, pattern } of patterns) {
    it(`${place} takes linear time: ${pattern}`, async () => {
      for (const { prefix, unit, suffix } of attacks(pattern.source)) {
        const growth = await findGrowth((size) => apply(pattern, prefix + unit.repeat(size) + suffix))
        assert.equal(growth, undefined, JSON.stringify({ prefix, unit, suffix }))
      }
    })
  }
})

/** Without one its work is bounded by its own length. */
function hasRepetition(source: string): boolean {
  return /[*+]|\{\d+,\d*\}/.test(source)
}

/** As it is used: to find all matches, or one. */
function apply(pattern: RegExp, text: string): void {
  if (pattern.global) text.replace(pattern, '')
  else if (pattern.sticky) takeAll(new RegExp(pattern), text)
  else pattern.test(text)
}

function takeAll(pattern: RegExp, text: string): void {
  while (pattern.lastIndex < text.length && pattern.exec(text) !== null);
}
