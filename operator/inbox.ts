/** The inbox of an execution on the data volume, and the receipts that its agent's step leaves (core/execution/messages.ts). */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AgentMessage } from '../core/crd/types.ts'
import { EXECUTION_FILES, executionPath, INBOX_FOLDER, inboxFile, MAX_FILE_BYTES } from '../core/execution/layout.ts'
import { type InboxMessage, MessageReceipt } from '../core/execution/messages.ts'
import { MAX_MESSAGES } from '../core/execution/say.ts'
import { parseBounded } from '../core/json.ts'
import { withoutAbsent } from '../core/omit.ts'
import { ifThere, readRegularNoFollow, safeJoin, writeFileUnsynced } from '../lib/files.ts'
import type { Clock } from '../lib/clock.ts'
import { compileCheck } from '../lib/validate.ts'
import { type ShortWaits, createShortWaits } from './short-waits.ts'
import { readFolder } from './volume.ts'

/** What the volume says of the messages of an execution. */
export interface FoundMessages {
  /** Ids of those that are in the inbox. */
  readonly inbox: ReadonlySet<string>
  /** The last one of each message that the agent's step has left. The agent can have forged them. */
  readonly receipts: ReadonlyMap<string, MessageReceipt>
}

/** The same, and whether a write of the inbox goes on. */
export interface ObservedMessages extends FoundMessages {
  readonly isBeingWritten: boolean
}

/** Work on the inboxes of executions, by their names: a volume that does not answer for one must hold up nothing else of it. */
export interface Inboxes {
  readonly looks: ShortWaits<FoundMessages>
  readonly writes: ShortWaits<void>
}

export function createInboxes(clock: Pick<Clock, 'schedule'>): Inboxes {
  return {
    looks: createShortWaits(clock, { keepsLate: true }),
    writes: createShortWaits(clock, { keepsLate: false }),
  }
}

const checkReceipt = compileCheck(MessageReceipt)

/**
 * Puts messages into the inbox, where each appears whole. Not synced: what a power cut takes is written again, as long as
 * the agent was not given it.
 *
 * @param lost aborts when another operator leads
 */
export async function writeInboxMessages(
  root: string,
  { execution, messages }: { readonly execution: string; readonly messages: readonly AgentMessage[] },
  lost?: AbortSignal,
): Promise<void> {
  for (const message of messages) await writeInboxMessage(root, execution, message, lost)
}

async function writeInboxMessage(
  root: string,
  execution: string,
  { id, at, by, mode, text }: AgentMessage,
  lost: AbortSignal | undefined,
): Promise<void> {
  const path = safeJoin(root, `${executionPath(execution)}/${inboxFile(id)}`)
  // Of a Job that an earlier version made, whose agent's step does not look.
  await mkdir(dirname(path), { recursive: true, mode: 0o770 })
  lost?.throwIfAborted()
  const file: InboxMessage = { schemaVersion: 1, id, at, mode, text, ...withoutAbsent({ by }) }
  await writeFileUnsynced(path, JSON.stringify(file))
}

/** What is in the inbox, and what the agent's step says of it; of lines that are none of ours, nothing. */
export async function readMessages(root: string, execution: string): Promise<FoundMessages> {
  const names = await readFolder(root, `${executionPath(execution)}/${INBOX_FOLDER}`)
  const inbox = new Set(names.flatMap((name) => /^([a-z0-9]+)\.json$/.exec(name)?.[1] ?? []))
  const folder = safeJoin(root, executionPath(execution))
  const reading = readRegularNoFollow(folder, EXECUTION_FILES.receipts, MAX_FILE_BYTES.receipts)
  const text = await ifThere(reading.then(String), 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'UNSAFE_PATH')
  return { inbox, receipts: parseReceipts(text ?? '') }
}

/** Two for each message, and as many again where a Job was lost between them. */
const MAX_RECEIPTS = 4 * MAX_MESSAGES

/** `given` stands, whatever a line behind it says. */
function parseReceipts(text: string): ReadonlyMap<string, MessageReceipt> {
  const receipts = new Map<string, MessageReceipt>()
  // Thousands of lines that are none would keep the operator busy at each look.
  const lines = text.split('\n').filter((line) => line.startsWith('{"id":'))
  for (const line of lines.slice(-MAX_RECEIPTS)) {
    const checked = checkReceipt(parseBounded(line))
    if (checked.ok && receipts.get(checked.value.id)?.state !== 'given') receipts.set(checked.value.id, checked.value)
  }
  return receipts
}
