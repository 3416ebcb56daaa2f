/**
 * The form of a backup: JSON lines (https://jsonlines.org), compressed with gzip (RFC 1952); `zcat` reads it.
 *
 * Each line begins with the SHA-256 of the checksum before it and of its own rest. So a line that was changed, left out,
 * moved or doubled is found at that line, and the last one stands for the whole. The header comes first, then objects,
 * owners before what they own, then folders, links and files with their content in pieces, and counts at the end.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { BackupObject } from '../../core/backup/objects.ts'
import { asRecord, parseJson } from '../../core/json.ts'
import { type Check, compileCheck } from '../validate.ts'

/** Grows only by addition; a reader refuses what is newer. */
export const SCHEMA_VERSION = 3

/** The size of a piece of a file, which is held in memory. */
export const PIECE_BYTES = 64 * 1024

const Text = Type.String()
const Mode = Type.Integer({ minimum: 0, maximum: 0o777 })
/** What a Date takes. */
export const MAX_MODIFIED_MS = 8.64e15
const Modified = Type.Number({ minimum: -MAX_MODIFIED_MS, maximum: MAX_MODIFIED_MS })
const MAX_TARGET_BYTES = 4095
const Count = Type.Integer({ minimum: 0 })

const Header = Type.Object({
  kind: Type.Literal('SlipwayBackup'),
  schemaVersion: Type.Integer(),
  /** RFC 3339. */
  createdAt: Text,
  /** Slipway's version. */
  version: Text,
  namespace: Type.String({ pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' }),
  hasSecrets: Type.Boolean(),
  hasWorkspaces: Type.Boolean(),
})
const Folder = Type.Object({ kind: Type.Literal('Folder'), path: Text, mode: Mode })
const Target = Type.String({ minLength: 1, maxLength: MAX_TARGET_BYTES, pattern: '^[^\\0]+$' })
const Link = Type.Object({ kind: Type.Literal('Link'), path: Text, target: Target })
/** Its content follows, piece by piece. */
const File = Type.Object({ kind: Type.Literal('File'), path: Text, mode: Mode, modifiedMs: Modified })
/** A piece of a file: text where it is UTF-8, or, since version 2, a number of zero bytes. */
const Data = Type.Object({
  kind: Type.Literal('Data'),
  text: Type.Optional(Text),
  base64: Type.Optional(Text),
  zeros: Type.Optional(Type.Integer({ minimum: 1, maximum: PIECE_BYTES })),
})
const End = Type.Object({
  kind: Type.Literal('End'),
  objects: Count,
  files: Count,
  bytes: Count,
  /** Tasks whose clones changed while they were copied: these are not restored. */
  changedWorkspaces: Type.Array(Text),
})
const Texts = Type.Record(Type.String(), Text)
const Owner = Type.Object({ apiVersion: Text, kind: Text, name: Text, uid: Text })
const Metadata = Type.Object({
  name: Type.String({ minLength: 1 }),
  uid: Type.Optional(Text),
  generation: Type.Optional(Type.Integer()),
  creationTimestamp: Type.Optional(Text),
  labels: Type.Optional(Texts),
  annotations: Type.Optional(Texts),
  finalizers: Type.Optional(Type.Array(Text)),
  ownerReferences: Type.Optional(Type.Array(Owner)),
})
const ObjectEntry = Type.Object({
  kind: Type.Literal('Object'),
  object: Type.Unsafe<BackupObject>(Type.Object({ kind: Text, metadata: Metadata })),
})

export type Header = Static<typeof Header>
export type FolderEntry = Static<typeof Folder>
export type LinkEntry = Static<typeof Link>
export type FileEntry = Static<typeof File>
export type DataEntry = Static<typeof Data>
export type End = Static<typeof End>
export type ObjectEntry = Static<typeof ObjectEntry>
export type Entry = Header | ObjectEntry | FolderEntry | LinkEntry | FileEntry | DataEntry | End

const CHECKS: ReadonlyMap<unknown, Check<Entry>> = new Map<unknown, Check<Entry>>([
  ['SlipwayBackup', compileCheck(Header)],
  ['Object', compileCheck(ObjectEntry)],
  ['Folder', compileCheck(Folder)],
  ['Link', compileCheck(Link)],
  ['File', compileCheck(File)],
  ['Data', compileCheck(Data)],
  ['End', compileCheck(End)],
])

/** A backup that is not as it was written, or that this version cannot read. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}

/** A line without its end, and the checksum that the next one begins from. */
export interface Sealed {
  readonly line: string
  readonly sha256: string
}

/** @param previous checksum of the line before; "" for the first */
export function sealEntry(previous: string, entry: Entry): Sealed {
  const body = JSON.stringify(entry)
  const sha256 = checksum(previous, body)
  return { line: `{"sha256":"${sha256}",${body.slice(1)}`, sha256 }
}

const SEAL = /^\{"sha256":"([0-9a-f]{64})",/

/** @returns undefined for a line that is not as it was written */
export function openLine(previous: string, line: string): { entry: Entry; sha256: string } | undefined {
  const sealed = SEAL.exec(line)
  const body = `{${line.slice(sealed?.[0].length ?? 0)}`
  const sha256 = checksum(previous, body)
  if (sealed?.[1] !== sha256) return undefined
  const entry = toEntry(parseJson(body))
  return entry === undefined ? undefined : { entry, sha256 }
}

function toEntry(value: unknown): Entry | undefined {
  const checked = CHECKS.get(asRecord(value)['kind'])?.(value)
  return checked?.ok === true ? checked.value : undefined
}

/** Whether Linux takes the target of a link: its length counts in bytes. */
export function isTargetOfLink(target: string): boolean {
  return Buffer.byteLength(target) <= MAX_TARGET_BYTES
}

/** What an entry is called in messages. */
export function nameOf(entry: Entry): string {
  switch (entry.kind) {
    case 'SlipwayBackup':
      return 'the header'
    case 'Object':
      return `${entry.object.kind} ${entry.object.metadata.name}`
    case 'Folder':
    case 'Link':
    case 'File':
      return `${entry.kind.toLowerCase()} ${entry.path}`
    case 'Data':
      return 'a piece of a file'
    case 'End':
      return 'the end'
    default:
      return entry satisfies never
  }
}

/** The entry of a piece of a file. */
export function toData(bytes: Buffer): DataEntry {
  if (isZero(bytes)) return { kind: 'Data', zeros: bytes.length }
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? { kind: 'Data', text } : { kind: 'Data', base64: bytes.toString('base64') }
}

export function bytesOf({ text, base64 = '', zeros }: DataEntry): Buffer {
  if (zeros !== undefined) return Buffer.alloc(zeros)
  return text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text)
}

const ZEROS = Buffer.alloc(PIECE_BYTES)

/** Whether a piece has zero bytes only, as a hole of a sparse file is read. */
export function isZero(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.equals(ZEROS.subarray(0, bytes.length))
}

function checksum(previous: string, body: string): string {
  return createHash('sha256').update(previous).update(body).digest('hex')
}
