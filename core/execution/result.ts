import { type Static, Type } from 'typebox'
import {
  ANSWER_FORM_VALUES,
  CACHE_MODE_VALUES,
  ERROR_CATEGORY_VALUES,
  OUTCOME_VALUES,
  REBASE_RESULT_VALUES,
} from '../crd/enums.ts'
import { CheckVerdict } from './checks.ts'
import { COMMIT_PATTERN, DIGEST_PATTERN, SESSION_ID_PATTERN } from './patterns.ts'
import { RESULT_LIMITS } from './result-limits.ts'

/** How an agent's run ended, in the words of the task state it leads to. */
export const OUTCOMES = OUTCOME_VALUES

/** Error categories of an execution (specification §3.10). */
export const ERROR_CATEGORIES = ERROR_CATEGORY_VALUES

const FileNames = (maxItems: number) =>
  Type.Array(Type.String({ maxLength: RESULT_LIMITS.fileNameLength }), { maxItems })

export const ExecutionError = Type.Object({
  category: Type.Enum(ERROR_CATEGORIES),
  /** For people: what happened and the way out. */
  message: Type.String({ maxLength: RESULT_LIMITS.errorLength }),
})

export const Question = Type.Object({
  text: Type.String({ maxLength: RESULT_LIMITS.questionLength }),
  header: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.questionHeaderLength })),
  options: Type.Optional(
    Type.Array(Type.String({ maxLength: RESULT_LIMITS.questionOptionLength }), {
      maxItems: RESULT_LIMITS.questionOptions,
    }),
  ),
  multiple: Type.Optional(Type.Boolean()),
})

/** Something that the agent made and that is not delivered. */
export const Undelivered = Type.Object({
  /** Relative to the clone; a branch is named by its name. */
  path: Type.String({ maxLength: RESULT_LIMITS.undeliveredPathLength }),
  reason: Type.String({ maxLength: RESULT_LIMITS.undeliveredReasonLength }),
})

const Tokens = Type.Object({
  input: Type.Integer({ minimum: 0 }),
  output: Type.Integer({ minimum: 0 }),
  cacheRead: Type.Integer({ minimum: 0 }),
  cacheWrite: Type.Integer({ minimum: 0 }),
})

/** What the agent step writes to outcome.json. An agent can forge it: it is checked by this schema and clamped. */
export const AgentOutcome = Type.Object({
  schemaVersion: Type.Literal(1),
  execution: Type.String(),
  jobNumber: Type.Integer({ minimum: 1 }),
  outcome: Type.Enum(OUTCOMES),
  error: Type.Optional(ExecutionError),
  exitCode: Type.Optional(Type.Integer()),
  startedAt: Type.String(),
  finishedAt: Type.String(),
  sessionId: Type.Optional(Type.String({ maxLength: 200, pattern: SESSION_ID_PATTERN })),
  summary: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.summaryLength })),
  questions: Type.Optional(Type.Array(Question, { maxItems: RESULT_LIMITS.questions })),
  costUSD: Type.Optional(Type.Number({ minimum: 0 })),
  tokens: Type.Optional(Tokens),
  turns: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Names of MCP servers that did not start. */
  failedServers: Type.Optional(
    Type.Array(Type.String({ maxLength: RESULT_LIMITS.failedServerLength }), { maxItems: RESULT_LIMITS.failedServers }),
  ),
  /** Whether the answer that was asked for has the form that it was asked in. */
  answer: Type.Optional(Type.Enum(ANSWER_FORM_VALUES)),
  /** RFC 3339; when a limit is known to end, or a remote that failed for a while is worth another try. */
  resumeAfter: Type.Optional(Type.String()),
  /** Why the work of an agent that succeeded could not be committed: the next attempt tries that alone. */
  uncommitted: Type.Optional(ExecutionError),
  undelivered: Type.Optional(Type.Array(Undelivered, { maxItems: RESULT_LIMITS.undelivered })),
  /** How many there are of them in all. */
  undeliveredCount: Type.Optional(Type.Integer({ minimum: 0 })),
})

/** How an execution ended, in a file that an earlier start of the same Job may have left; the rest of it is not needed. */
export const EarlierOutcome = Type.Pick(AgentOutcome, ['execution', 'jobNumber', 'outcome'])

export const Changes = Type.Object({
  files: Type.Integer({ minimum: 0 }),
  insertions: Type.Integer({ minimum: 0 }),
  deletions: Type.Integer({ minimum: 0 }),
})

const named = {
  commit: Type.String({ maxLength: 64 }),
  author: Type.String({ maxLength: RESULT_LIMITS.commitTextLength }),
  subject: Type.String({ maxLength: RESULT_LIMITS.commitTextLength }),
}

/** What a reviewer is told of the commits beside the diff; the CRD says what each field means. */
const Findings = {
  foreignCommits: Type.Optional(Type.Array(Type.Object(named), { maxItems: RESULT_LIMITS.namedCommits })),
  foreignCommitCount: Type.Optional(Type.Integer({ minimum: 1 })),
  hiddenCommits: Type.Optional(
    Type.Array(
      Type.Object({ ...named, path: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.shownPathLength })) }),
      {
        maxItems: RESULT_LIMITS.namedCommits,
      },
    ),
  ),
  bulk: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ maxLength: RESULT_LIMITS.shownPathLength }),
        files: Type.Optional(Type.Integer({ minimum: 1 })),
        bytes: Type.Optional(Type.Integer({ minimum: 1 })),
      }),
      { maxItems: RESULT_LIMITS.bulk },
    ),
  ),
}

/** What accepting a story adds to the default branch, as far as its tasks have brought it. */
const BranchReview = Type.Object({
  baseCommit: Type.String({ maxLength: 64 }),
  head: Type.String({ maxLength: 64 }),
  commits: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: RESULT_LIMITS.commits })),
  changes: Type.Optional(Changes),
  ...Findings,
})

/** How the commits stood to the branch that they go to, or to its base. */
export const RebaseReport = Type.Object({
  result: Type.Enum(REBASE_RESULT_VALUES),
  /** The commit of that branch. */
  onto: Type.Optional(Type.String({ maxLength: 64 })),
  /** Those that conflict. */
  files: Type.Optional(FileNames(RESULT_LIMITS.rebaseFiles)),
  message: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.errorLength })),
})

/** What deliver (or a prepare that failed) writes to result.json: the agent's outcome, checked, and what git says. */
export const ExecutionResult = Type.Object({
  ...AgentOutcome.properties,
  /** The step that wrote this file. */
  step: Type.Union([Type.Literal('prepare'), Type.Literal('deliver')]),
  /** Commit that diff and changes are against; the operator keeps it for later executions. */
  baseCommit: Type.Optional(Type.String({ maxLength: 64 })),
  /** Commits since the base, newest first, full hashes. */
  commits: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: RESULT_LIMITS.commits })),
  changes: Type.Optional(Changes),
  ...Findings,
  /** For work on a story's branch. */
  branchReview: Type.Optional(BranchReview),
  /**
   * What the branch was at before (absent: it did not exist), and after; the same where the branch had the work already. `from`:
   * the clone's own commit, where that was rebased.
   */
  push: Type.Optional(
    Type.Object({
      found: Type.Optional(Type.String({ maxLength: 64 })),
      base: Type.Optional(Type.String({ maxLength: 64 })),
      from: Type.Optional(Type.String({ maxLength: 64 })),
      head: Type.String({ maxLength: 64 }),
    }),
  ),
  branch: Type.Optional(Type.String({ maxLength: 250 })),
  /** Commit that the branch was brought to; of a delivery that failed, where it was found in place of the reviewed one. */
  head: Type.Optional(Type.String({ maxLength: 64 })),
  rebase: Type.Optional(RebaseReport),
  /** True once the branch is on the remote. */
  pushed: Type.Boolean(),
  /** What a delivery brought about: a commit's full hash, the page of a pull request. */
  delivered: Type.Optional(
    Type.Object({
      commit: Type.Optional(Type.String({ maxLength: 64 })),
      url: Type.Optional(Type.String({ maxLength: RESULT_LIMITS.urlLength })),
    }),
  ),
  /** How the checks of this Job ended, in their order; absent: it had none. */
  checks: Type.Optional(Type.Array(CheckVerdict, { maxItems: RESULT_LIMITS.checks })),
  /** What the work changes of the protected paths. */
  protectedChanges: Type.Optional(
    Type.Object({
      count: Type.Integer({ minimum: 1 }),
      paths: Type.Array(Type.String({ maxLength: RESULT_LIMITS.shownPathLength }), {
        maxItems: RESULT_LIMITS.protectedPaths,
      }),
    }),
  ),
  /** What deliver of a Prepare has sealed. */
  sealed: Type.Optional(
    Type.Object({
      digest: Type.String({ maxLength: 64, pattern: DIGEST_PATTERN }),
      commit: Type.String({ maxLength: 64, pattern: COMMIT_PATTERN }),
      isShared: Type.Boolean(),
      cache: Type.Array(Type.Object({ path: Type.String({ maxLength: 1024 }), mode: Type.Enum(CACHE_MODE_VALUES) }), {
        maxItems: 50,
      }),
      bytes: Type.Integer({ minimum: 0 }),
    }),
  ),
  /** Files in which the work and its base disagree. */
  conflicts: Type.Optional(FileNames(RESULT_LIMITS.conflicts)),
})

export type Outcome = (typeof OUTCOMES)[number]
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number]
export type ExecutionError = Static<typeof ExecutionError>
export type RebaseReport = Static<typeof RebaseReport>
export type Question = Static<typeof Question>
export type Undelivered = Static<typeof Undelivered>
export type AgentOutcome = Static<typeof AgentOutcome>
export type EarlierOutcome = Static<typeof EarlierOutcome>
export type ExecutionResult = Static<typeof ExecutionResult>
