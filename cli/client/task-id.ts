const MAX_SLUG = 40
/** Without vowels, so that no words result, and without letters that look like others. */
const ALPHABET = 'bcdfghjkmnpqrstvwxz23456789'
const SUFFIX_LENGTH = 5

/**
 * Makes an id that a person can read and type: `add-a-changelog-entry-x7k2m`. The branch of the work has the same name.
 *
 * @param randomness at least 5 bytes, so that two tasks of one name hardly ever get the same id
 * @returns a DNS-1123 label of at most 46 characters
 */
export function readableId(name: string, randomness: Uint8Array): string {
  const plain = name.normalize('NFKD').toLowerCase()
  const words = plain.replaceAll(/\p{M}/gu, '').split(/[^a-z0-9]+/)
  let slug = ''
  for (const word of words.filter((each) => each !== '')) {
    const longer = slug === '' ? word.slice(0, MAX_SLUG) : `${slug}-${word}`
    if (longer.length > MAX_SLUG) break
    slug = longer
  }
  const letters = [...randomness.subarray(0, SUFFIX_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  // Some names made from it must be labels of RFC 1035, which begin with a letter.
  return `${/^[a-z]/.test(slug) ? slug : `task${slug === '' ? '' : `-${slug.slice(0, MAX_SLUG - 5)}`}`}-${letters.join('')}`
}

const MAX_NAME = 200

/** Makes the name of a task from its prompt: the first line that is not blank, cut at a word. */
export function nameOf(prompt: string): string {
  const line =
    prompt
      .split('\n')
      .map((text) => text.trim().replace(/^#+\s*/, ''))
      .find((text) => text !== '') ?? ''
  if (line.length <= MAX_NAME) return line
  const cut = line.slice(0, MAX_NAME - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_NAME / 2)).trimEnd()}…`
}
