import { trimEndOf } from './trim.ts'

/** Crockford's base 32 in lower case: sorts as it counts and is valid in a DNS-1123 label. */
const TIME_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A lower-case, time-sortable id such as `task-01jd3k9m2q7x4n8v5c6b0a1d2e` (a ULID behind its kind).
 *
 * @param at        gives the first ten characters, milliseconds since 1970
 * @param randomness at least 10 bytes
 * @throws RangeError when there are fewer
 */
export function makeId(kind: string, at: Date, randomness: Uint8Array): string {
  if (randomness.length < 10) throw new RangeError('an id needs 10 random bytes')
  let time = ''
  for (let rest = at.getTime(), i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    time = TIME_ALPHABET.charAt(rest % 32) + time
  let bits = 0n
  for (const byte of randomness.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte)
  let random = ''
  for (let i = 0; i < 16; i++, bits >>= 5n) random = TIME_ALPHABET.charAt(Number(bits & 31n)) + random
  return `${kind}-${time}${random}`
}

const MAX_SLUG = 36
/** Without vowels, so that no words result, and without letters that look like others. */
const LETTERS = 'bcdfghjkmnpqrstvwxz'
const SUFFIX_ALPHABET = `${LETTERS}23456789`
const SUFFIX_LENGTH = 5

/**
 * An id that a person can read and type, made of whole words of a name: `add-a-changelog-entry`.
 *
 * @param kind is the id where the name has no letter from a to z, and begins it where the name begins with a digit
 * @returns a DNS-1123 label of at most 36 characters, so that the suffix of {@link readableId} and the names of a plan's
 * tasks, which begin with the story's, still fit
 */
export function slugOf(name: string, kind: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '')
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '')
  // Some names made from it must be labels of RFC 1035, which begin with a letter.
  const [first = kind, ...rest] = /^[a-z]/.test(words[0] ?? '') ? words : [kind, ...words]
  let slug = first.slice(0, MAX_SLUG)
  for (const word of rest) {
    const longer = `${slug}-${word}`
    if (longer.length > MAX_SLUG) break
    slug = longer
  }
  return slug
}

/**
 * The slug of a name with five letters or digits behind it: for what is taken by another record, and for tasks and
 * stories always, because a branch of that name may have outlived the record that it was made for.
 *
 * @param randomness at least 5 bytes, so that two records of one name hardly ever get the same id
 */
export function readableId(name: string, kind: string, randomness: Uint8Array): string {
  const suffix = [...randomness.subarray(0, SUFFIX_LENGTH)].map((byte, i) => {
    // Only executions of a task may end in - and a number: the delivery that is named after a story would be refused.
    const alphabet = i === 0 ? LETTERS : SUFFIX_ALPHABET
    return alphabet.charAt(byte % alphabet.length)
  })
  return `${slugOf(name, kind)}-${suffix.join('')}`
}

/** What a repository is called, by its address or path: `shop` of `git@host:team/shop.git`. */
export function repositoryName(url: string): string {
  const path = trimEndOf(url.trim(), '/').replace(/\.git$/, '')
  return path.split(/[/:]/).at(-1) ?? ''
}
