/**
 * Messages to a running agent, as operator and runner hand them over in files (layout.ts: inboxFile, `receipts`).
 *
 * Source: docs/adr/0014-a-voice.md.
 */
import { type Static, Type } from 'typebox'
import { MESSAGE_MODE_VALUES } from '../crd/enums.ts'
import { MESSAGE_ID_PATTERN } from './patterns.ts'

/** One message: a file of the inbox. Written whole by the operator, and never changed. */
export const InboxMessage = Type.Object({
  schemaVersion: Type.Literal(1),
  id: Type.String({ pattern: MESSAGE_ID_PATTERN }),
  /** Absent: unknown. */
  by: Type.Optional(Type.String()),
  /** RFC 3339, UTC. The order of messages. */
  at: Type.String(),
  mode: Type.Enum(MESSAGE_MODE_VALUES),
  text: Type.String(),
})

export type InboxMessage = Static<typeof InboxMessage>

/** One line of the receipts: the runner is about to give a message, or has given it. */
export const MessageReceipt = Type.Object({
  id: Type.String({ pattern: MESSAGE_ID_PATTERN }),
  state: Type.Enum(['giving', 'given']),
  at: Type.String(),
})

export type MessageReceipt = Static<typeof MessageReceipt>
