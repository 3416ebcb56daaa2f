/**
 * What a record looks like on the disk, so that damage is noticed: each carries a checksum over its key and its text, and
 * one record of its own, the summary, tells how many there are and what all checksums give together. A record that was
 * changed fails its own checksum; one that is missing, moved or older than it should be is missed by the summary.
 *
 * CRC-32 finds damage, not intent: whoever can write the file can write its checksums.
 */
import { crc32 } from 'node:zlib'

/** Sorts before every resource's prefix and belongs to none. */
export const SUMMARY_KEY = '!summary'

/** Sums up all other records. */
export interface Summary {
  /** The last commit's revision; 0 if there was none. */
  readonly revision: number
  readonly records: number
  /** All checksums, combined by exclusive or. */
  readonly digest: number
}

export const EMPTY_SUMMARY: Summary = { revision: 0, records: 0, digest: 0 }

/** Digits of a checksum in front of a text, and the blank between them. */
const DIGITS = 8
const TEXT_START = DIGITS + 1

/** The text as it is stored: its checksum in 8 hexadecimal digits, a blank, the text. */
export function seal(key: string, text: string): string {
  return `${sum(key, text).toString(16).padStart(DIGITS, '0')} ${text}`
}

/** The text of a stored record; undefined when its checksum does not match. */
export function unseal(key: string, stored: string): string | undefined {
  const text = stored.slice(TEXT_START)
  return stored[DIGITS] === ' ' && checksumOf(stored) === sum(key, text) ? text : undefined
}

/** The checksum that a stored record carries, whether or not it matches; NaN when it carries none. */
function checksumOf(stored: string): number {
  return /^[0-9a-f]{8} /.test(stored) ? Number.parseInt(stored.slice(0, DIGITS), 16) : Number.NaN
}

/** The summary once a record is replaced; undefined stands for none, before or after. */
export function replaceRecord(
  { revision, records, digest }: Summary,
  before: string | undefined,
  after: string | undefined,
): Summary {
  const sums = [before, after].filter((stored) => stored !== undefined).map(checksumOf)
  return {
    revision,
    records: records + Number(after !== undefined) - Number(before !== undefined),
    digest: sums.reduce((all, one) => all ^ one, digest) >>> 0,
  }
}

/** Reads a summary's text; undefined when it is none. */
export function parseSummary(text: string): Summary | undefined {
  const fields = /^(\d+) (\d+) (\d+)$/.exec(text)?.slice(1).map(Number)
  if (fields === undefined || !fields.every(Number.isSafeInteger)) return undefined
  const [revision = 0, records = 0, digest = 0] = fields
  return { revision, records, digest }
}

export function formatSummary({ revision, records, digest }: Summary): string {
  return `${revision} ${records} ${digest}`
}

function sum(key: string, text: string): number {
  return crc32(text, crc32(`${key}\n`))
}
