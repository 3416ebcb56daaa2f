import { EXECUTION_STATE_VALUES } from '../../crd/enums.ts'
import { ERROR_CATEGORIES } from '../../execution/result.ts'
import { Instant, RecordId, closed, maybe } from '../../schema/fields.ts'
import { PURPOSES } from '../../enum-values.ts'
import { CHECK_FIELDS, CheckRecord } from './checks.ts'
import { FINDINGS, RebaseRecord } from './delivery.ts'
import { GivenEnvironment, SealedRecord } from './environment.ts'
import { ChangesRecord, MessageRecord, QuestionRecord } from './task.ts'
import { type Static, Type } from 'typebox'

/** What a person told the agent. */
const Said = closed({ text: Type.String(), by: maybe(Type.String()), at: Instant })

export const ExecutionRecord = closed({
  id: RecordId,
  task_id: maybe(RecordId),
  story_id: maybe(RecordId),
  /** Named where it is not that of the task or story. */
  project_id: maybe(RecordId),
  agent: maybe(Type.String()),
  model: maybe(Type.String()),
  attempt: maybe(Type.Integer()),
  resumes: maybe(RecordId),
  answer: maybe(Said),
  /** What its agent was asked to change in earlier work, until that is done. */
  revision: maybe(Said),
  /** How its agent began, where its task goes on from another one; `told` says why it got no copy of the session. */
  continued: maybe(closed({ task_id: RecordId, told: maybe(Type.String()) })),
  purpose: Type.Enum(PURPOSES),
  state: Type.Enum(EXECUTION_STATE_VALUES),
  /** Services of the project that ended although the run went on; absent where none did. */
  services: maybe(Type.Array(closed({ name: Type.String(), restarts: Type.Integer(), reason: maybe(Type.String()) }))),
  phases: Type.Array(closed({ name: Type.String(), started_at: maybe(Instant), finished_at: maybe(Instant) })),
  waiting_for: maybe(Type.String()),
  /** What a setup has prepared for its agent; absent where the project has nothing of the kind. */
  environment: maybe(GivenEnvironment),
  /** Of purpose prepare: what it has made. */
  sealed: maybe(SealedRecord),
  pod: maybe(closed({ name: maybe(Type.String()), phase: maybe(Type.String()), reason: maybe(Type.String()) })),
  sandbox_dir: maybe(Type.String()),
  stdout_path: maybe(Type.String()),
  stderr_path: maybe(Type.String()),
  artifact_dir: maybe(Type.String()),
  exit_code: maybe(Type.Integer()),
  session_id: maybe(Type.String()),
  cost_usd: maybe(Type.Number()),
  tokens: maybe(
    closed({
      input: maybe(Type.Integer()),
      output: maybe(Type.Integer()),
      cache_read: maybe(Type.Integer()),
      cache_write: maybe(Type.Integer()),
    }),
  ),
  turns: maybe(Type.Integer()),
  questions: maybe(Type.Array(QuestionRecord)),
  /** Oldest first; absent where nobody said anything. */
  messages: maybe(Type.Array(MessageRecord)),
  failed_servers: maybe(Type.Array(Type.String())),
  summary: maybe(Type.String()),
  error: maybe(Type.String()),
  error_category: maybe(Type.Enum(ERROR_CATEGORIES)),
  fix_commits: Type.Array(Type.String()),
  branch: maybe(Type.String()),
  base_commit: maybe(Type.String()),
  changes: maybe(ChangesRecord),
  head: maybe(Type.String()),
  ...FINDINGS,
  rebase: maybe(RebaseRecord),
  /** Of each round, in order; absent where none ran. */
  checks: maybe(Type.Array(CheckRecord)),
  /** The round that it is in, or ended in; absent: there was one. */
  rounds: maybe(Type.Integer()),
  /** When that round began; absent: with the execution. */
  round_started_at: maybe(Instant),
  ...CHECK_FIELDS,
  undelivered: maybe(Type.Array(closed({ path: Type.String(), reason: Type.String() }))),
  undelivered_count: maybe(Type.Integer()),
  auth_retried: Type.Boolean(),
  created_at: Instant,
  started_at: maybe(Instant),
  finished_at: maybe(Instant),
})

export const ArtifactRecord = closed({ name: Type.String(), size: Type.Integer(), modified_at: Instant })

/** `log` is the end of what a service printed; `problem` says why it is not whole. */
export const ServiceLogRecord = closed({ name: Type.String(), log: Type.String(), problem: maybe(Type.String()) })

/** In the order in which they start; at most ten. */
export const ServiceLogsRecord = closed({ services: Type.Array(ServiceLogRecord) })

export type ServiceLogRecord = Static<typeof ServiceLogRecord>
export type ExecutionRecord = Static<typeof ExecutionRecord>
export type ArtifactRecord = Static<typeof ArtifactRecord>
