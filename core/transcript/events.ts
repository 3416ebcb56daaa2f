/**
 * The conversation of an execution: one shape for every agent (docs/conversation.md).
 *
 * The runner makes it from what a CLI prints, stores it as one JSON object per line (events.jsonl), and the API
 * serves it as it is stored. An agent can write the file itself: readers check each line and trust no text in it.
 */
import { type Static, Type } from 'typebox'
import { MESSAGE_MODES } from '../enum-values.ts'
import { Question } from '../execution/result.ts'

const Text = Type.String()
const maybe = Type.Optional

/** What happened in a conversation, without its time. */
export const ConversationEvent = Type.Union([
  /** The CLI has begun or taken up a session. */
  Type.Object({ kind: Type.Literal('session'), session_id: maybe(Text), model: maybe(Text) }),
  /** What the agent says. `is_partial`: the next text goes on in the same paragraph. */
  Type.Object({ kind: Type.Literal('text'), text: Text, is_partial: maybe(Type.Boolean()) }),
  Type.Object({ kind: Type.Literal('thinking'), text: Text }),
  /** A tool that the agent uses; its result carries the same `call_id`. */
  Type.Object({ kind: Type.Literal('tool_call'), call_id: Text, tool: Text, input: Type.Unknown() }),
  Type.Object({ kind: Type.Literal('tool_result'), call_id: Text, text: Text, is_error: Type.Boolean() }),
  /** A change of a file by a tool; `before` is absent where the file is written whole. */
  Type.Object({ kind: Type.Literal('edit'), call_id: Text, path: Text, before: maybe(Text), after: maybe(Text) }),
  /** The agent's own list of steps, whole at each change. */
  Type.Object({
    kind: Type.Literal('todo'),
    items: Type.Array(Type.Object({ text: Text, state: Type.Enum(['pending', 'in_progress', 'completed']) })),
  }),
  /** Tokens, cost and turns so far. */
  Type.Object({
    kind: Type.Literal('usage'),
    tokens: Type.Object({
      input: Type.Integer(),
      output: Type.Integer(),
      cache_read: Type.Integer(),
      cache_write: Type.Integer(),
    }),
    cost_usd: maybe(Type.Number()),
    turns: maybe(Type.Integer()),
  }),
  /** The provider slows the agent down or stops it. */
  Type.Object({
    kind: Type.Literal('limit'),
    state: Type.Enum(['warning', 'retrying', 'reached']),
    message: Text,
    resets_at: maybe(Text),
  }),
  Type.Object({ kind: Type.Literal('question'), questions: Type.Array(Question) }),
  /** What a person said to the agent while it worked, where the agent was given it. */
  Type.Object({
    kind: Type.Literal('message'),
    id: Text,
    by: maybe(Text),
    mode: Type.Enum(MESSAGE_MODES),
    text: Text,
  }),
  /** What the checks of this round found red is what the agent is asked to mend; the execution's record says what it is. */
  Type.Object({ kind: Type.Literal('checks'), round: Type.Integer({ minimum: 1 }) }),
  /** The CLI's own word on how it ended. */
  Type.Object({ kind: Type.Literal('result'), is_error: Type.Boolean(), text: maybe(Text) }),
  /** A line that is no message of the CLI. */
  Type.Object({ kind: Type.Literal('output'), text: Text }),
])

export type ConversationEvent = Static<typeof ConversationEvent>
export type TodoItem = Extract<ConversationEvent, { kind: 'todo' }>['items'][number]
