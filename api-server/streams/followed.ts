/** What can be followed of an execution, and how its lines become server-sent events (specification §8.15). */
import { parseBounded } from '../../core/json.ts'
import { ConversationLine, formatEvent } from '../../core/rest/messages.ts'
import { compileCheck } from '../../lib/validate.ts'

/** Longest line of a conversation that is shown: twice what the runner writes of a tool's input or an edit. */
const MAX_CONVERSATION_LINE_BYTES = 1024 * 1024
const MAX_LOG_LINE_BYTES = 256 * 1024

type FollowedName = 'stdout' | 'stderr' | 'events'

export interface Followed {
  /** Read in this order; between the lines of two files there is none. */
  readonly files: readonly FollowedName[]
  /** A longer line is read in pieces, so that one without end cannot fill the memory. */
  readonly maxLineBytes: number
  /** The event of a line; undefined for one that is not shown. */
  readonly print: (file: FollowedName, line: string, id: string) => string | undefined
}

/** Both output files, line by line as they are. */
export const OUTPUT: Followed = {
  files: ['stdout', 'stderr'],
  maxLineBytes: MAX_LOG_LINE_BYTES,
  print: (file, line, id) => (file === 'events' ? undefined : formatEvent('log', { stream: file, line }, id)),
}

const check = compileCheck(ConversationLine)

/**
 * The conversation. The agent can write that file too: what is no event of a conversation is left out, and the rest is
 * printed anew, so that no line of it can pass for an event of ours. So is one deeper, or of more values, than any tool's
 * input: to print it would end the stream.
 */
export const CONVERSATION: Followed = {
  files: ['events'],
  maxLineBytes: MAX_CONVERSATION_LINE_BYTES,
  print(_file, line, id) {
    const checked = check(parseBounded(line))
    return checked.ok ? formatEvent('event', checked.value, id) : undefined
  },
}
