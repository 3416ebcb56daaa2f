/**
 * One look at every file of what is to be sealed, by the calls of the system that return at once: among tens of thousands of small
 * files, those that wait for a thread take several times as long. Nobody else can write there.
 */
import {
  type Dirent,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
} from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { countOf, formatSize } from '../../core/sentences/amounts.ts'
import { spellings } from '../redact.ts'
import { MAX_RELOCATED_BYTES } from './relocate.ts'
import { MAX_RELOCATED_PATHS } from './seal-file.ts'
import { makeSearch, type Search } from './search.ts'
import type { SetupSecret } from './setup-secrets.ts'

/** What is looked for, and what was found in all caches so far. */
export interface Inspection {
  readonly search: Search
  /** The variable whose value a needle of the search spells; undefined: it is a place. */
  readonly secretOf: (needle: number) => string | undefined
  /** What all files together may have. */
  readonly maxBytes: number
  /** Bytes that a match has at most. */
  readonly longest: number
  readonly seen: Seen
  /** What a person should know of what was left out, in words. */
  readonly notices: () => readonly string[]
}

interface Seen {
  bytes: number
  entries: number
  special: number
  relocated: number
  notRelocated: number
}

/** What one cache holds. */
export interface Inspected {
  /** Files and links that name a place, with `/` between segments. */
  readonly relocated: string[]
  /** Why it must not be kept. */
  readonly refusal?: string
}

const MAX_ENTRIES = 5_000_000

/** @param places absolute paths that files of the caches may name */
export function makeInspection(
  secrets: readonly SetupSecret[],
  places: readonly string[],
  maxBytes: number,
): Inspection {
  const words = secrets.flatMap(({ name, value }) => spellings(value).map((text) => ({ name, text })))
  const needles = [...places.map((text) => ({ name: undefined, text })), ...words].map(({ name, text }) => ({
    name,
    bytes: Buffer.from(text),
  }))
  const seen: Seen = { bytes: 0, entries: 0, special: 0, relocated: 0, notRelocated: 0 }
  return {
    search: makeSearch(needles.map(({ bytes }) => bytes)),
    secretOf: (needle) => needles[needle]?.name,
    maxBytes,
    longest: Math.max(...needles.map(({ bytes }) => bytes.length)),
    seen,
    notices: () => [
      ...(seen.special > 0
        ? [`left out ${countOf(seen.special, 'pipe, socket or device', 'pipes, sockets and devices')}`]
        : []),
      ...(seen.notRelocated > 0
        ? [`${countOf(seen.notRelocated, 'more file')} name the place of the setup, and go on to name it in copies`]
        : []),
    ],
  }
}

/** Ends the look at a tree; the message is why it must not be kept. */
class Refused extends Error {}

/** Looks at a tree of our own; takes from its files what would let them run as another user, and leaves out what is no file. */
export async function inspectTree(top: string, inspection: Inspection, signal: AbortSignal): Promise<Inspected> {
  const relocated: string[] = []
  try {
    await inspectFolder({ ...inspection, relocated, signal, buffer: Buffer.alloc(BUFFER_BYTES) }, Buffer.from(top), '')
    return { relocated }
  } catch (error) {
    if (error instanceof Refused) return { relocated: [], refusal: error.message }
    throw error
  }
}

const BUFFER_BYTES = 4 * 1024 * 1024

interface Look extends Inspection {
  readonly relocated: string[]
  readonly signal: AbortSignal
  readonly buffer: Buffer
}

type Entry = Dirent<Buffer>

/** @param below of the folder, with a slash at its end; empty at the top */
async function inspectFolder(look: Look, folder: Buffer, below: string): Promise<void> {
  const { mode } = lstatSync(folder)
  const wanted = (mode & 0o777) | 0o700
  if ((mode & 0o7777) !== wanted) chmodSync(folder, wanted)
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([folder, SLASH, entry.name])
    const name = `${below}${entry.name.toString('utf8')}`
    count(look)
    refuseSecret(look, entry.name, name)
    if (entry.isDirectory()) await inspectFolder(look, path, `${name}/`)
    else if (inspectEntry(look, entry, path, name)) keep(look, entry, name)
    if (look.seen.entries % PAUSE_AFTER === 0) await pause(look)
  }
}

const SLASH = Buffer.from('/')
const PAUSE_AFTER = 256

/** Lets a signal be heard. */
async function pause({ signal }: Look): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}

function count({ seen }: Look): void {
  seen.entries += 1
  if (seen.entries > MAX_ENTRIES)
    throw new Refused(`all caches together have more than ${countOf(MAX_ENTRIES, 'file')}`)
}

/** Whether it names a place that a copy is to name otherwise. */
function inspectEntry(look: Look, entry: Entry, path: Buffer, name: string): boolean {
  if (entry.isSymbolicLink()) return findIn(look, readlinkSync(path, 'buffer'), name)
  if (entry.isFile()) return inspectFile(look, path, name)
  rmSync(path)
  look.seen.special += 1
  return false
}

function keep({ relocated, seen }: Look, entry: Entry, name: string): void {
  // What is no UTF-8 has no name in a seal.
  const hasName = Buffer.from(entry.name.toString('utf8')).equals(entry.name) && !name.includes('\ufffd')
  if (!hasName || seen.relocated >= MAX_RELOCATED_PATHS) seen.notRelocated += 1
  else {
    seen.relocated += 1
    relocated.push(name)
  }
}

function inspectFile(look: Look, path: Buffer, name: string): boolean {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size, mode } = fstatSync(file)
    const wanted = (mode & 0o777) | 0o400
    if ((mode & 0o7777) !== wanted) fchmodSync(file, wanted)
    look.seen.bytes += size
    if (look.seen.bytes > look.maxBytes)
      throw new Refused(`all caches together have more bytes than the volume (${formatSize(look.maxBytes)})`)
    return readThrough(look, file, name) && size <= MAX_RELOCATED_BYTES
  } finally {
    closeSync(file)
  }
}

/** Reads a file in parts that overlap by what a match may have; whether it is a text that names a place. */
function readThrough(look: Look, file: number, name: string): boolean {
  const { buffer, longest } = look
  let [kept, namesPlace, isText] = [0, false, true]
  for (;;) {
    const read = readSync(file, buffer, kept, buffer.length - kept, null)
    if (read === 0) return namesPlace && isText
    const part = buffer.subarray(0, kept + read)
    isText &&= !part.includes(0, kept)
    if (findIn(look, part, name)) namesPlace = true
    kept = Math.min(longest - 1, part.length)
    buffer.copyWithin(0, part.length - kept, part.length)
  }
}

/** Whether the bytes name a place. @throws Refused where they hold a secret */
function findIn({ search, secretOf }: Look, bytes: Buffer, name: string): boolean {
  let namesPlace = false
  for (let found = search(bytes); found !== undefined; found = search(bytes, found.at + 1)) {
    const variable = secretOf(found.needle)
    if (variable !== undefined)
      throw new Refused(
        `${name} holds the value of the secret variable ${variable}: let the setup put it elsewhere, or remove it there`,
      )
    namesPlace = true
  }
  return namesPlace
}

function refuseSecret(look: Look, bytes: Buffer, name: string): void {
  findIn(look, bytes, name)
}
