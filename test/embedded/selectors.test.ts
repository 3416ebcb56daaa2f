import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { compileJsonPath } from '../../embedded/jsonpath.ts'
import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from '../../embedded/selectors.ts'
import { ApiError } from '../../embedded/status.ts'
import { formatDuration } from '../../embedded/table/age.ts'

const word = fc.stringMatching(/^[a-z](?:[-a-z0-9]{0,8}[a-z0-9])?$/)
const labels = fc.dictionary(word, word, { noNullPrototype: true })
const isMatch = (selector: string, of: Record<string, string>): boolean =>
  matchesLabels(parseLabelSelector(selector), of)

describe('embedded: label selectors', () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'c' }, false],
    ['a!=b', {}, true],
    ['a in (b, c)', { a: 'c' }, true],
    ['a notin (b,c)', { a: 'b' }, false],
    ['a notin (b)', {}, true],
    ['a', { a: '' }, true],
    ['!a', { a: 'x' }, false],
    ['a=', { a: '' }, true],
    ['a>3', { a: '4' }, true],
    ['a<3', { a: 'x' }, false],
    ['example.com/a=b,!c', { 'example.com/a': 'b' }, true],
    ['toString', {}, false],
  ]
  for (const [selector, of, expected] of cases) {
    it(`${expected ? 'selects' : 'leaves out'} ${JSON.stringify(of)} by "${selector}"`, () => {
      assert.equal(isMatch(selector, of), expected)
    })
  }

  for (const selector of ['=a', 'a in b', 'a=b=c', 'a b', '/=x', 'a>b', 'a=!']) {
    it(`refuses "${selector}" with 400`, () => {
      assert.throws(
        () => parseLabelSelector(selector),
        (error) => error instanceof ApiError && error.code === 400,
      )
    })
  }

  it('selects an object by all of its own labels', () => {
    fc.assert(
      fc.property(labels, (of) =>
        isMatch(
          Object.entries(of)
            .map(([key, value]) => `${key}=${value}`)
            .join(','),
          of,
        ),
      ),
    )
  })

  it('selects by a requirement exactly what its negation leaves out', () => {
    fc.assert(
      fc.property(labels, word, word, word, (of, key, a, b) => {
        assert.notEqual(isMatch(`${key}=${a}`, of), isMatch(`${key}!=${a}`, of))
        assert.notEqual(isMatch(`${key} in (${a},${b})`, of), isMatch(`${key} notin (${a},${b})`, of))
        assert.notEqual(isMatch(key, of), isMatch(`!${key}`, of))
      }),
    )
  })
})

describe('embedded: field selectors', () => {
  const parse = (text: string) => parseFieldSelector(text, (field) => field.startsWith('spec.'))

  it('takes a missing field for the empty text', () => {
    assert.equal(
      matchesFields(parse('spec.a='), () => undefined),
      true,
    )
    assert.equal(
      matchesFields(parse('spec.a!='), () => undefined),
      false,
    )
  })

  it('reads any value back that was escaped', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const escape = (text: string): string => text.replaceAll(/[\\,=]/g, '\\$&')
        const parsed = parse(`spec.a=${escape(a)},spec.b!=${escape(b)}`)
        assert.deepEqual(
          parsed.map(({ value }) => value),
          [a, b],
        )
      }),
    )
  })

  it('refuses a field that the kind does not offer', () => {
    assert.throws(() => parse('status.x=1'), /field label not supported: status.x/)
  })
})

describe('embedded: JSONPath of printer columns', () => {
  const root = {
    spec: { 'a.b': 1, list: [{ n: 'x' }, { n: 'y' }] },
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  }
  const cases: [string, unknown[]][] = [
    ['.spec.list[1].n', ['y']],
    ['.spec.list[*].n', ['x', 'y']],
    ['.spec.a\\.b', [1]],
    [".spec['a.b']", [1]],
    ['.conditions[?(@.type=="Ready")].status', ['True']],
    ['.conditions[?(@.type=="None")].status', []],
    ['.none.deeper', []],
    ['.toString', []],
    ['{.spec.list[0].n}', ['x']],
  ]
  for (const [path, expected] of cases) {
    it(`finds ${JSON.stringify(expected)} at ${path}`, () => assert.deepEqual(compileJsonPath(path)(root), expected))
  }

  it('refuses what it does not know', () => assert.throws(() => compileJsonPath('.a[1:2]'), SyntaxError))
})

describe('embedded: ages', () => {
  const cases: [number, string][] = [
    [0, '0s'],
    [119, '119s'],
    [125, '2m5s'],
    [600, '10m'],
    [10_800, '3h'],
    [12_000, '3h20m'],
    [90_000, '25h'],
    [190_800, '2d5h'],
    [800_000, '9d'],
    [34_128_000, '395d'],
    [70_000_000, '2y80d'],
  ]
  for (const [seconds, expected] of cases) {
    it(`prints ${seconds} seconds as ${expected}`, () => assert.equal(formatDuration(seconds), expected))
  }
})
