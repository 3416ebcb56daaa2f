/** Crockford's base 32 in lower case: sorts as it counts and is valid in a DNS-1123 label. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

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
    time = ALPHABET.charAt(rest % 32) + time
  let bits = 0n
  for (const byte of randomness.subarray(0, 10)) bits = (bits << 8n) | BigInt(byte)
  let random = ''
  for (let i = 0; i < 16; i++, bits >>= 5n) random = ALPHABET.charAt(Number(bits & 31n)) + random
  return `${kind}-${time}${random}`
}
