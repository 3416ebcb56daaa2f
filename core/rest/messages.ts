/** What live connections carry: WebSocket messages and the events of a stream (specification §10.1). */
import { type Static, Type } from 'typebox'
import { closed, Instant, maybe, RecordId } from '../schema/fields.ts'
import { AgentRecord } from '../kinds/agent.ts'
import { EpicRecord } from '../kinds/epic.ts'
import type { CheckRecord } from './records/checks.ts'
import { ExecutionRecord } from './records/execution.ts'
import type { MessageRecord } from './records/task.ts'
import { ProjectRecord } from '../kinds/project.ts'
import { StoryRecord } from '../kinds/story.ts'
import { StoryEventRecord } from './records/story.ts'
import { TaskRecord } from '../kinds/task.ts'
import { ConversationEvent } from '../transcript/events.ts'
import { EXECUTION_STATE_VALUES, TASK_STATE_VALUES } from '../crd/enums.ts'

/** Types of live messages, each with the kind whose whole record it carries under that name. */
export const LIVE_MESSAGE_TYPES = {
  task_created: 'task',
  task_updated: 'task',
  /** Once per execution, when the task moves to RUNNING: before the clone. */
  task_started: 'task',
  /** The task came to rest; its state says how. */
  task_completed: 'task',
  /** The task asks a person. */
  task_question: 'task',
  /** Messages of this kind carry ids only. */
  task_deleted: undefined,
  execution_updated: 'execution',
  execution_deleted: undefined,
  /** The story, or its progress: its tasks done. */
  story_updated: 'story',
  story_deleted: undefined,
  story_event: 'story_event',
  /** The epic, or its progress: its stories done. */
  epic_updated: 'epic',
  epic_deleted: undefined,
  project_updated: 'project',
  project_deleted: undefined,
  /** The agent, or what it does: its state, its task, its queue. */
  agent_updated: 'agent_record',
  agent_deleted: undefined,
  /** Messages were missed: read again what is shown. */
  resync: undefined,
} as const

export type LiveMessageType = keyof typeof LIVE_MESSAGE_TYPES

export function isLiveMessageType(text: string): text is LiveMessageType {
  return Object.hasOwn(LIVE_MESSAGE_TYPES, text)
}

const types: readonly LiveMessageType[] = Object.keys(LIVE_MESSAGE_TYPES).filter(isLiveMessageType)

export const LiveMessage = closed({
  /** Opaque; `?since=<id>` resumes behind it. */
  id: Type.String(),
  type: Type.Enum(types),
  at: Instant,
  task_id: maybe(RecordId),
  execution_id: maybe(RecordId),
  story_id: maybe(RecordId),
  epic_id: maybe(RecordId),
  project_id: maybe(RecordId),
  agent: maybe(RecordId),
  /** Who decided, where a person's decision on the task, story or agent caused the message. */
  by: maybe(Type.String()),
  task: maybe(TaskRecord),
  execution: maybe(ExecutionRecord),
  project: maybe(ProjectRecord),
  story: maybe(StoryRecord),
  story_event: maybe(StoryEventRecord),
  epic: maybe(EpicRecord),
  /** Not under `agent`: that is the id. */
  agent_record: maybe(AgentRecord),
})

/** Payload of the SSE event `log`; the event's id is a position for `Last-Event-ID`. */
export const LogLine = closed({ stream: Type.Enum(['stdout', 'stderr']), line: Type.String() })

/** Payload of the SSE event `event`: one line of a conversation, which is an event and when the runner read it. */
export const ConversationLine = Type.Intersect([Type.Object({ at: Instant }), ConversationEvent])

/** Payload of the SSE event `end`, the last one of a stream. */
export const StreamEnd = closed({ state: Type.Enum([...new Set([...TASK_STATE_VALUES, ...EXECUTION_STATE_VALUES])]) })

export type LiveMessage = Static<typeof LiveMessage>
export type LogLine = Static<typeof LogLine>
export type ConversationLine = Static<typeof ConversationLine>
export type StreamEnd = Static<typeof StreamEnd>

/**
 * What the record of an execution says of its conversation: what people said, and what checks found. An agent can write any event
 * into its file, so what it has not said itself is read here.
 */
export interface ToldRecord {
  readonly messages?: readonly MessageRecord[] | undefined
  readonly checks?: readonly CheckRecord[] | undefined
}

/** Events of a stream of output, each with its payload. */
export const LOG_EVENTS = { log: LogLine, end: StreamEnd }
/** Events of a stream of a conversation, each with its payload. */
export const CONVERSATION_EVENTS = { event: ConversationLine, end: StreamEnd }

/** One server-sent event; `data` is sent as one line of JSON. */
export function formatEvent(event: 'log' | 'event' | 'end', data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** A comment: keeps proxies from closing a quiet stream, and no client sees it. */
export const HEARTBEAT = ': \n\n'
