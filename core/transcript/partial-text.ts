import type { ConversationEvent } from './events.ts'
import { eventText } from './fields.ts'

/**
 * A text that arrives in pieces of a few characters, as events that are worth one each: some hundred characters, or a
 * line. Its last character always waits for the end, so that every text that was begun is ended by an event of its own.
 */
export interface PartialText {
  /** Whether the text has begun: {@link end} gives its last event. */
  readonly isOpen: boolean
  push(piece: string): ConversationEvent[]
  /** Ends the text, should one have begun. */
  end(): ConversationEvent[]
}

/** In UTF-16 units: about a second of what a model writes. */
const WORTH_AN_EVENT = 240
const WORTH_A_LINE = 60

export function createPartialText(): PartialText {
  let waiting = ''
  return {
    get isOpen() {
      return waiting !== ''
    },
    push(piece) {
      waiting += piece
      const isWorth = waiting.length > WORTH_AN_EVENT || (waiting.length > WORTH_A_LINE && piece.includes('\n'))
      if (!isWorth) return []
      // Half of a surrogate pair is no character.
      const at = waiting.length - (/[\uDC00-\uDFFF]/.test(waiting.slice(-1)) ? 2 : 1)
      const said = waiting.slice(0, at)
      waiting = waiting.slice(at)
      return [{ kind: 'text', text: eventText(said), is_partial: true }]
    },
    end() {
      const rest = waiting
      waiting = ''
      return rest === '' ? [] : [{ kind: 'text', text: eventText(rest) }]
    },
  }
}
