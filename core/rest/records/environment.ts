import { type Static, Type } from 'typebox'
import { CACHE_MODES, ENVIRONMENT_STATES } from '../../enum-values.ts'
import { closed, Instant, maybe, RecordId } from '../../schema/fields.ts'

const cachedFolders = Type.Array(closed({ path: Type.String(), mode: Type.Enum(CACHE_MODES) }))

/** What a setup of a project has prepared, or is about to. */
export const EnvironmentRecord = closed({
  /** The execution that runs the setup; its log is the setup's. */
  execution: RecordId,
  state: Type.Enum(ENVIRONMENT_STATES),
  /** Whether the repository says how it is prepared, and not the project. */
  from_repository: Type.Boolean(),
  /** Of what it is made from, in hex. */
  digest: maybe(Type.String()),
  image: maybe(Type.String()),
  commit: maybe(Type.String()),
  /** The task or the story that alone uses it; absent: all tasks of the project do. */
  only_for: maybe(closed({ task_id: maybe(RecordId), story_id: maybe(RecordId) })),
  cache: maybe(cachedFolders),
  bytes: maybe(Type.Integer()),
  started_at: maybe(Instant),
  built_at: maybe(Instant),
  seconds: maybe(Type.Number()),
  /** To the hour. */
  used_at: maybe(Instant),
  /** Why it failed, with the last lines of the setup. */
  message: maybe(Type.String()),
})

/** The environment that an execution begins with. */
export const GivenEnvironment = closed({
  /** The one that prepared it; absent while it is waited for, and where the agent starts without. */
  execution: maybe(RecordId),
  digest: maybe(Type.String()),
  commit: maybe(Type.String()),
  is_shared: maybe(Type.Boolean()),
  waiting_since: maybe(Instant),
  /** Why the agent started without it. */
  problem: maybe(Type.String()),
})

/** What an execution of purpose prepare has made. */
export const SealedRecord = closed({
  digest: maybe(Type.String()),
  commit: maybe(Type.String()),
  is_shared: maybe(Type.Boolean()),
  cache: maybe(cachedFolders),
  bytes: maybe(Type.Integer()),
})

export type EnvironmentRecord = Static<typeof EnvironmentRecord>
export type GivenEnvironment = Static<typeof GivenEnvironment>
export type SealedRecord = Static<typeof SealedRecord>
