/**
 * The messages to the agent of this execution, and what became of each (docs/adr/0014-a-voice.md).
 *
 * None is given twice: that a message is about to be given is on the disk before it is, so a later Job knows of which ones
 * nobody can say whether the agent has them. The receipts lie in the agent's own folder: one that changes them harms only
 * what it is told itself.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTION_FILES, INBOX_FOLDER, inboxFile, MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import type { InboxMessage, MessageReceipt } from '../../core/execution/messages.ts'
import { MESSAGE_ID_PATTERN } from '../../core/execution/patterns.ts'
import { parseJson } from '../../core/json.ts'
import { toMicroTimestamp } from '../../core/time.ts'
import {
  ifPlain,
  ifThere,
  inFolderNoFollow,
  readNames,
  readRegularNoFollow,
  readStartNoFollow,
  UnsafePath,
} from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { isInboxMessage, isMessageReceipt } from '../validators.ts'
import { openAgentFile } from './agent-files.ts'

export interface Inbox {
  /** Messages that nobody has begun to give, oldest first. */
  waiting(): Promise<readonly InboxMessage[]>
  /** Messages that an earlier Job has begun to give and may have given, oldest first. */
  uncertain(): Promise<readonly InboxMessage[]>
  /** Records that messages are about to be given; resolves when that is on the disk. */
  giving(messages: readonly InboxMessage[]): Promise<void>
  given(messages: readonly InboxMessage[]): Promise<void>
  close(): Promise<void>
}

type State = MessageReceipt['state']

/** More than the operator writes: the status of an execution holds 100. */
const MAX_FILES = 1000
/** 8 KiB of text, with each character escaped, and the rest. */
const MAX_MESSAGE_BYTES = 64 * 1024

/** Opens the inbox of the execution, which may not be there before its first message is. The caller closes it. */
export async function openInbox(context: StepContext): Promise<Inbox> {
  const { clock } = context
  const states = await readStates(context)
  const { file } = await openAgentFile(context, EXECUTION_FILES.receipts)
  const read = createReader(context)
  const isIn = (state: State | undefined) => async () => (await read()).filter(({ id }) => states.get(id) === state)
  const record = async (messages: readonly InboxMessage[], state: State): Promise<void> => {
    const at = toMicroTimestamp(clock.now())
    const fresh = messages.filter(({ id }) => states.get(id) !== state)
    await file.appendFile(
      fresh.map(({ id }) => `${JSON.stringify({ id, state, at } satisfies MessageReceipt)}\n`).join(''),
    )
    await file.datasync()
    for (const { id } of messages) states.set(id, state)
  }
  return {
    waiting: isIn(undefined),
    uncertain: isIn('giving'),
    giving: (messages) => record(messages, 'giving'),
    given: (messages) => record(messages, 'given'),
    close: () => file.close(),
  }
}

/** What earlier Jobs of this execution have recorded. */
async function readStates({ paths }: StepContext): Promise<Map<string, State>> {
  const states = new Map<string, State>()
  for (const line of (await readReceipts(paths.execution)).split('\n')) {
    const receipt = parseJson(line)
    if (isMessageReceipt(receipt) && states.get(receipt.id) !== 'given') states.set(receipt.id, receipt.state)
  }
  return states
}

async function readReceipts(execution: string): Promise<string> {
  try {
    const bytes = await ifThere(readStartNoFollow(execution, EXECUTION_FILES.receipts, MAX_FILE_BYTES.receipts))
    return bytes?.toString('utf8') ?? ''
  } catch (error) {
    if (!(error instanceof UnsafePath)) throw error
    // The agent of an earlier Job has put something else there, which would not open for writing.
    await rm(join(execution, EXECUTION_FILES.receipts), { recursive: true, force: true })
    return ''
  }
}

/** Reads all messages, oldest first; each file once, because none changes. */
function createReader({ paths, say }: StepContext): () => Promise<readonly InboxMessage[]> {
  const known = new Map<string, InboxMessage | undefined>()
  const listNames = (folder: string): Promise<string[]> => readNames(folder, MAX_FILES)
  const readOne = async (id: string): Promise<InboxMessage | undefined> => {
    const bytes = await ifPlain(readRegularNoFollow(paths.execution, inboxFile(id), MAX_MESSAGE_BYTES))
    const message = parseJson(bytes?.toString('utf8') ?? '')
    if (isInboxMessage(message) && message.id === id) return message
    say(`${inboxFile(id)} is no message: it is left out`)
    return undefined
  }
  return async () => {
    const names = (await ifPlain(inFolderNoFollow(paths.execution, [INBOX_FOLDER], listNames))) ?? []
    for (const id of names.flatMap(toId)) if (!known.has(id)) known.set(id, await readOne(id))
    return [...known.values()].filter((message) => message !== undefined).sort(byAge)
  }
}

const ID = new RegExp(MESSAGE_ID_PATTERN)

/** The operator's files have other names while they are being written. */
function toId(name: string): readonly string[] {
  const id = name.replace(/\.json$/, '')
  return name !== id && ID.test(id) ? [id] : []
}

/** Messages of the same time are in the order of their ids, so that it is the same for everybody. */
function byAge(a: InboxMessage, b: InboxMessage): number {
  const [one, other] = [Date.parse(a.at), Date.parse(b.at)]
  return one === other || Number.isNaN(one - other) ? (a.at + a.id < b.at + b.id ? -1 : 1) : one - other
}
