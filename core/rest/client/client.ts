/**
 * The typed client of the REST API. Its types are those of the route table, which compile to nothing, and what it needs
 * at run time is the generated table of methods and paths: a browser that imports it loads no schema.
 */
import type { Static, TSchema } from 'typebox'
import type { AgentRecord } from '../../kinds/agent.ts'
import type { AgentStatusRecord } from '../records/agent.ts'
import type { DropRecord } from '../records/drop.ts'
import type { EpicRecord } from '../../kinds/epic.ts'
import type { EnvironmentRecord } from '../records/environment.ts'
import type { ExecutionRecord } from '../records/execution.ts'
import type { KubernetesRecord } from '../records/kubernetes.ts'
import type { ProjectRecord } from '../../kinds/project.ts'
import type { ScriptRecord } from '../records/script.ts'
import type { SessionRecord, VersionRecord } from '../records/server.ts'
import type { StatsRecord } from '../../stats/record.ts'
import type { StoryRecord } from '../../kinds/story.ts'
import type { StoryEventRecord, StoryGraphRecord } from '../records/story.ts'
import type { TaskRecord } from '../../kinds/task.ts'
import type { ValidationRecord } from '../records/task.ts'
import type { AnyRoute } from '../routes.ts'
import type { BodyRule, BYTES, Content, JsonBodyRule, RawBodyRule } from '../route.ts'
import type { CallOptions, RawContent, Transport } from './call.ts'
import type { ServerEvent } from './events.ts'
import { OPERATIONS } from './operations.ts'

/** An operation of the API by its id; opening the WebSocket is none, for it answers with no body of ours. */
export type Operation = keyof typeof OPERATIONS

/** What an operation takes: `params` of the path, `query`, `body` (sent as JSON) or `raw` (sent as it is), `ifMatch`. */
export type Input<Id extends Operation> = InputOf<Rows[Id]>

/** What an operation gives: the record, the text, the bytes, the events, or nothing. */
export type Answer<Id extends Operation> = AnswerOf<SuccessOf<Rows[Id]['responses']>>

/** A method for each operation. Each throws {@link ApiFailure} for a status of 400 and above. */
export type ApiClient = {
  readonly [Id in Operation]: (
    ...args: NoMembers extends Input<Id>
      ? [input?: Input<Id>, options?: CallOptions]
      : [input: Input<Id>, options?: CallOptions]
  ) => Answer<Id>
}

export type Agent = DeepReadonly<AgentRecord>
export type AgentStatus = DeepReadonly<AgentStatusRecord>
export type Drop = DeepReadonly<DropRecord>
export type Epic = DeepReadonly<EpicRecord>
export type Environment = DeepReadonly<EnvironmentRecord>
export type Execution = DeepReadonly<ExecutionRecord>
export type Kubernetes = DeepReadonly<KubernetesRecord>
export type Project = DeepReadonly<ProjectRecord>
export type Script = DeepReadonly<ScriptRecord>
export type Session = DeepReadonly<SessionRecord>
export type Stats = DeepReadonly<StatsRecord>
export type Story = DeepReadonly<StoryRecord>
export type StoryEvent = DeepReadonly<StoryEventRecord>
export type StoryGraph = DeepReadonly<StoryGraphRecord>
export type Task = DeepReadonly<TaskRecord>
export type TaskCreate = Input<'createTask'>['body']
export type Validation = DeepReadonly<ValidationRecord>
export type Version = DeepReadonly<VersionRecord>

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** Extends a type exactly when all its members may be left out. */
type NoMembers = Readonly<Record<string, never>>

type Rows = { readonly [Row in AnyRoute as Row['id']]: Row }

type InputOf<Row extends AnyRoute> = Member<'params', Row['params']> &
  Member<'query', Row['query']> &
  BodyMember<Row['body']> &
  (412 extends Row['errors'][number] ? { readonly ifMatch?: string | undefined } : unknown)

/** A member that may be left out when all its fields may be; none where there are no fields. */
type Member<Name extends string, S extends TSchema> = keyof Static<S> extends never
  ? unknown
  : NoMembers extends Static<S>
    ? { readonly [N in Name]?: Readonly<Static<S>> }
    : { readonly [N in Name]: Readonly<Static<S>> }

type BodyMember<B extends BodyRule | undefined> = B extends RawBodyRule
  ? { readonly raw: RawContent }
  : B extends JsonBodyRule<infer S> & { readonly isOptional: true }
    ? { readonly body?: DeepReadonly<Static<S>> }
    : B extends JsonBodyRule<infer S>
      ? { readonly body: DeepReadonly<Static<S>> }
      : unknown

type SuccessOf<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)]

type AnswerOf<C> = C extends { readonly kind: 'eventStream' }
  ? AsyncIterable<ServerEvent>
  : C extends Content<infer S>
    ? Promise<
        C extends { readonly kind: 'json' }
          ? DeepReadonly<Static<S>>
          : C extends { readonly kind: 'none' }
            ? void
            : C extends { readonly kind: 'file'; readonly contentType: typeof BYTES }
              ? ArrayBuffer
              : string
      >
    : never

/** A client that sends by `transport`; nothing is sent until a method is called. */
export function createApiClient(transport: Transport): ApiClient
export function createApiClient(transport: Transport): Readonly<Record<string, unknown>> {
  const methods = Object.entries(OPERATIONS).map(([id, { method, path, receive }]) => [
    id,
    (input: object = {}, options?: CallOptions) => transport[receive]({ ...input, method, path }, options),
  ])
  return Object.fromEntries(methods)
}
