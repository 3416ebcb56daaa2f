import assert from 'node:assert/strict'
import { findGrowth } from './helpers/growth.ts'
import { findPatterns } from './helpers/source-patterns.ts'

const FOLDERS = ['core', 'lib', 'api-server', 'runner', 'operator', 'embedded', 'kube', 'node', 'cli']

describe('the regular expressions of the source', function () {
  this.timeout(300_000)

  for (const { place, pattern } of findPatterns(FOLDERS).filter(({ pattern: { source } }) => hasRepetition(source))) {
    it(`${place} takes linear time: ${pattern}`, () => {
      for (const { prefix, unit, suffix } of attacks(pattern.source)) {
        const growth = findGrowth((size) => apply(pattern, prefix + unit.repeat(size) + suffix))
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

interface Attack {
  readonly prefix: string
  readonly unit: string
  readonly suffix: string
}

/** Texts of what the pattern itself is made of: its words, its characters and their pairs, again and again, then a misfit. */
function* attacks(source: string): Generator<Attack> {
  const words = wordsOf(source)
  const characters = [...new Set(['a', '1', ' ', ...charactersOf(source)])].slice(0, 16)
  const pairs = characters.flatMap((first) => characters.map((second) => first + second))
  for (const prefix of new Set(['', ...words, ...characters.slice(2, 6)]))
    for (const unit of new Set([...words, ...pairs])) yield { prefix, unit, suffix: '\n\u0001' }
}

/** Runs of what stands for itself, as it would be written: `repository `, `](`. */
function wordsOf(source: string): string[] {
  const plain = source
    .replaceAll(/(\\[^\w])|\[(?:[^\]\\]|\\.)*\]/g, (_, escaped: string | undefined) => escaped ?? '|')
    .replaceAll(/\(\?(?:[:=!]|<[=!])|\{\d+,?\d*\}|\\[bdDsSwW]|\\p\{[^}]*\}/gi, '|')
  const words = plain.match(/(?:[^\\|()*+?^$.]|\\.)+/g) ?? []
  return [...new Set(words.map((word) => word.replaceAll(/\\(.)/g, '$1')))]
    .filter(({ length }) => length > 1)
    .slice(0, 6)
}

/** Those that stand for something first: they are what parts of a text are told apart by. */
function charactersOf(source: string): string[] {
  const literal = source.replaceAll(/\\[bBdDsSwWpP](?:\{[^}]*\})?|(?<!\\)[$^]/g, '').replaceAll(/\\(\W)/g, '$1')
  const isWord = (character: string): boolean => /\w/.test(character)
  return [...literal].sort((a, b) => Number(isWord(a)) - Number(isWord(b)))
}
