/** Texts that make a regular expression try again and again, if anything does. */

/** A text is the prefix, the unit any number of times, and the suffix. */
export interface Attack {
  readonly prefix: string
  readonly unit: string
  readonly suffix: string
}

/** Texts of what the pattern itself is made of: its words, its characters and their pairs, again and again, then a misfit. */
export function* attacks(source: string): Generator<Attack> {
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
  return Array.from(literal).sort((a, b) => Number(isWord(a)) - Number(isWord(b)))
}
