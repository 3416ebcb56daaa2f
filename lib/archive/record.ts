/**
 * One archived task with its executions, as the bytes of a file: JSON lines (https://jsonlines.org), compressed with gzip
 * (RFC 1952). The first line is the header, with a checksum of the lines behind it; then come the Task and its Executions,
 * each as the Kubernetes API served it. `zcat` reads it.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Execution, Task } from '../../core/crd/types.ts'
import { asRecord, parseJson } from '../../core/json.ts'
import { messageOf } from '../error-message.ts'

export interface ArchivedTask {
  /** RFC 3339. */
  readonly archivedAt: string
  readonly task: Task
  readonly executions: readonly Execution[]
}

/** A record that was not read: it is not as it was written, or a newer version wrote it. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord'
}

/** Grows only by addition; a reader refuses what is newer (specification §14.1). */
const SCHEMA_VERSION = 1
/** Uncompressed: more than a task with all its executions can have. */
const MAX_BYTES = 256 * 1024 * 1024

const compress = promisify<Buffer, Buffer>(gzip)
const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** The bytes of a record; the same record gives the same bytes. */
export async function formatRecord({ archivedAt, task, executions }: ArchivedTask): Promise<Buffer> {
  const body = [task, ...executions].map((object) => `${JSON.stringify(object)}\n`).join('')
  const { namespace, name, uid } = task.metadata
  const header = { kind: 'ArchivedTask', schemaVersion: SCHEMA_VERSION, namespace, name, uid, archivedAt }
  return compress(Buffer.from(`${JSON.stringify({ ...header, sha256: checksum(body) })}\n${body}`))
}

/** @throws DamagedRecord that says what is wrong */
export async function parseRecord(bytes: Buffer): Promise<ArchivedTask> {
  const text = (await expand(bytes)).toString('utf8')
  const end = text.indexOf('\n')
  const { kind, schemaVersion, sha256, archivedAt } = asRecord(parseJson(text.slice(0, Math.max(end, 0))))
  if (kind !== 'ArchivedTask' || typeof archivedAt !== 'string') throw new DamagedRecord('it has no header')
  if (schemaVersion !== SCHEMA_VERSION)
    throw new DamagedRecord(`its schema version is ${String(schemaVersion)}, and this version reads ${SCHEMA_VERSION}`)
  const body = text.slice(end + 1)
  if (checksum(body) !== sha256) throw new DamagedRecord('its content does not have the checksum of its header')
  const [task, ...executions] = body.trimEnd().split('\n').map(parseJson)
  if (!isOfKind<Task>(task, 'Task')) throw new DamagedRecord('it holds no task')
  return { archivedAt, task, executions: executions.filter((object) => isOfKind<Execution>(object, 'Execution')) }
}

async function expand(bytes: Buffer): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    throw new DamagedRecord(`it cannot be decompressed: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** By its kind alone: with a checksum that is right it is what was written. */
function isOfKind<T extends Task | Execution>(object: unknown, kind: T['kind']): object is T {
  return asRecord(object)['kind'] === kind
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
