import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { formatAlternates, parseAlternates } from '../../../core/execution/alternates.ts'

const key = fc.stringMatching(/^[0-9a-f]{32}$/)
const number = fc.integer({ min: 1, max: 999_999_999 })
const generation = fc.record({ key, number }, { noNullPrototype: true })

describe('the alternates file of a clone', () => {
  it('is read as what was written', () => {
    fc.assert(
      fc.property(generation, (written) => assert.deepEqual(parseAlternates(formatAlternates(written)), written)),
    )
  })

  it('is nothing known once a character is added, left out or changed, unless it names another mirror', () => {
    const change = fc.tuple(
      fc.nat(90),
      fc.constantFrom(0, 1),
      fc.constantFrom('', '\n', '/', '.', '0', '1', 'a', '#', '"', '\0', '\r', '\u0661'),
    )
    fc.assert(
      fc.property(generation, change, (written, [at, removed, added]) => {
        const text = formatAlternates(written)
        const changed = text.slice(0, at) + added + text.slice(at + removed)
        const read = parseAlternates(changed)
        if (read !== undefined) assert.equal(formatAlternates(read), changed)
      }),
      { numRuns: 2000 },
    )
  })

  const good = formatAlternates({ key: 'a'.repeat(32), number: 3 })
  for (const [what, text] of [
    ['a second line', `${good}/etc\n`],
    ['a line before it', `/etc\n${good}`],
    ['a comment', `# ${good}`],
    ['no end of the line', good.trimEnd()],
    ['an absolute path', `/${good}`],
    ['a path that goes on', good.replace('/objects', '/objects/../../../x/objects')],
    ['a generation with a leading zero', good.replace('/3/', '/03/')],
    ['generation 0', good.replace('/3/', '/0/')],
    ['nothing', ''],
  ] as const)
    it(`is nothing known with ${what}`, () => assert.equal(parseAlternates(text), undefined))
})
