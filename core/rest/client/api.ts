// Generated from the OpenAPI document by tools/generate.ts; do not edit.

import type { Call, CallOptions, RawContent, Transport } from './call.ts'
import type { ServerEvent } from './events.ts'

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ConversationLine".
 */
export type ConversationLine = {
  readonly at: string
} & (
  | {
      readonly kind: 'session'
      readonly session_id?: string
      readonly model?: string
    }
  | {
      readonly kind: 'text'
      readonly text: string
      readonly is_partial?: boolean
    }
  | {
      readonly kind: 'thinking'
      readonly text: string
    }
  | {
      readonly kind: 'tool_call'
      readonly call_id: string
      readonly tool: string
      readonly input: unknown
    }
  | {
      readonly kind: 'tool_result'
      readonly call_id: string
      readonly text: string
      readonly is_error: boolean
    }
  | {
      readonly kind: 'edit'
      readonly call_id: string
      readonly path: string
      readonly before?: string
      readonly after?: string
    }
  | {
      readonly kind: 'todo'
      readonly items: {
        readonly text: string
        readonly state: 'pending' | 'in_progress' | 'completed'
      }[]
    }
  | {
      readonly kind: 'usage'
      readonly tokens: {
        readonly input: number
        readonly output: number
        readonly cache_read: number
        readonly cache_write: number
      }
      readonly cost_usd?: number
      readonly turns?: number
    }
  | {
      readonly kind: 'limit'
      readonly state: 'warning' | 'retrying' | 'reached'
      readonly message: string
      readonly resets_at?: string
    }
  | {
      readonly kind: 'question'
      readonly questions: {
        readonly text: string
        readonly header?: string
        /**
         * @maxItems 50
         */
        readonly options?: readonly string[]
        readonly multiple?: boolean
      }[]
    }
  | {
      readonly kind: 'result'
      readonly is_error: boolean
      readonly text?: string
    }
  | {
      readonly kind: 'output'
      readonly text: string
    }
)

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Task".
 */
export interface Task {
  /**
   * Name of the resource; never changes.
   */
  readonly id: string
  /**
   * What people call it.
   */
  readonly name: string
  /**
   * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
   */
  readonly description?: string
  /**
   * Name of the Project in this namespace that the repository, the image and the git credentials are taken from. A project that does not exist (yet) makes the task Stalled until it does.
   */
  readonly project?: string
  /**
   * The prompt that the task was elaborated from, kept for the record. At most 128 KiB.
   */
  readonly elaboration_input?: string
  /**
   * URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only. Default: remoteUrl of the project.
   */
  readonly repository_url?: string
  /**
   * Image of the container that the agent runs in; it needs glibc, libstdc++, bash and git. Default: the project's image, else the agent's.
   */
  readonly container_image?: string
  readonly agent?: AgentConfig
  /**
   * Who chose the agent: a request, the task itself, the rules, or a model.
   */
  readonly chosen_by?: 'request' | 'spec' | 'rules' | 'model'
  /**
   * Why this agent was chosen, in words.
   */
  readonly agent_reason?: string
  /**
   * Where the task stands; absent means PENDING. Moves that the transition table (docs/states.md) does not list are refused.
   */
  readonly state:
    | 'PENDING'
    | 'QUEUED'
    | 'RUNNING'
    | 'READY'
    | 'COMPLETED'
    | 'FAILED'
    | 'TIMED_OUT'
    | 'CANCELLED'
    | 'BUDGET_EXCEEDED'
    | 'BLOCKED'
  /**
   * Names of the tasks in this namespace that must be READY or COMPLETED before this one starts. The task waits without holding its agent's slot. At most 100; a name that does not exist or a cycle makes the task Stalled until it is mended.
   */
  readonly depends_on: readonly string[]
  /**
   * Name of the task that this one is a part of. A parent that succeeds while subtasks are unfinished is BLOCKED until they are READY or COMPLETED.
   */
  readonly parent_task_id?: string
  /**
   * Name of the Story that the task belongs to: it then works on the story's branch instead of a branch of its own.
   */
  readonly story_id?: string
  /**
   * Order among the queued tasks of an agent: lower first, then the time of queueing. Absent counts as 0. A change counts at once for what is still queued.
   */
  readonly priority?: number
  /**
   * Manual (default): the task waits until a person runs it. Auto: it is queued once, as soon as it exists; after a reject it waits for a person as well.
   */
  readonly run_policy: 'manual' | 'auto'
  /**
   * How long the agent step may take.
   */
  readonly timeout_seconds?: number
  /**
   * Most automatic attempts (retries that nobody asked for, after a limit or a lost pod) since the last run, resume or answer by a person; people may run a task as often as they like. Default 3.
   */
  readonly max_attempts?: number
  /**
   * Most that one execution may cost, in US dollars, for agents that report a cost. Passed: the task is BUDGET_EXCEEDED and never retried by itself. Default: no limit.
   */
  readonly budget_usd?: number
  /**
   * True: the task is neither started nor resumed by itself, and stays queued when a person runs it. What runs goes on. Default false.
   */
  readonly suspend?: boolean
  /**
   * Automatic starts since the last run, resume or answer by a person.
   */
  readonly attempts: number
  /**
   * The latest execution.
   */
  readonly execution_id?: string
  /**
   * What the agent says it did. At most 16 KiB; the whole text is in the execution's files.
   */
  readonly summary?: string
  /**
   * Why it did not succeed; absent otherwise.
   */
  readonly error?: string
  /**
   * What kind of failure it was.
   */
  readonly error_category?:
    | 'quota'
    | 'budget'
    | 'rate_limit'
    | 'timeout'
    | 'git'
    | 'auth'
    | 'credentials'
    | 'no_repository'
    | 'cancelled'
    | 'lost'
    | 'unavailable'
    | 'failed'
  /**
   * Branch that the work is pushed to.
   */
  readonly branch?: string
  /**
   * Where a person looks at the branch, for hosts whose address scheme is known.
   */
  readonly branch_url?: string
  /**
   * Where a person sees the branch beside its base.
   */
  readonly compare_url?: string
  readonly changes?: Changes
  /**
   * How the work stood to the branch that it goes to, or to its base while that branch was not on the remote, when it was delivered. Absent when nothing was delivered.
   */
  readonly rebase?: {
    readonly result: 'up_to_date' | 'rebased' | 'conflict' | 'behind'
    readonly onto?: string
    readonly files: readonly string[]
    readonly message?: string
  }
  /**
   * The commit that the branch was brought to last: what a person reviews, and what is delivered on accept. Absent until something was pushed.
   */
  readonly head?: {
    readonly commit: string
    readonly at: string
  }
  /**
   * What became of the accepted work by the project's `onAccept`; of a story it is told on the last task of its chain. Absent where nothing is to be delivered.
   */
  readonly delivery?: {
    readonly kind: 'merge' | 'pull_request'
    readonly state: 'pending' | 'delivered' | 'failed' | 'conflict' | 'moved'
    readonly execution_id?: string
    readonly reviewed?: string
    readonly commit?: string
    readonly url?: string
    readonly message?: string
    readonly files: readonly string[]
    readonly requested_at?: string
    readonly retry_at?: string
    readonly at?: string
  }
  /**
   * What all executions of the task cost together, in US dollars.
   */
  readonly cost_usd?: number
  /**
   * What the agent asks, or what a person must decide.
   */
  readonly question?: string
  /**
   * Each question with its options.
   */
  readonly question_items?: readonly Question[]
  /**
   * The options of the first question.
   */
  readonly question_options?: readonly string[]
  /**
   * What the person wrote who rejected the task last; the agent gets it at the next run. At most 64 KiB.
   */
  readonly rejection_comment?: string
  /**
   * What people decided, oldest first; the last 50.
   */
  readonly decisions: readonly Decision[]
  /**
   * When a FAILED or BUDGET_EXCEEDED task is resumed by itself, attempts permitting; absent means that it waits for a person (RFC 3339, UTC).
   */
  readonly resume_after?: string
  /**
   * When it was created.
   */
  readonly created_at: string
  /**
   * When anything about it changed last.
   */
  readonly updated_at: string
  /**
   * When the task was queued last; the order within a priority (RFC 3339, UTC).
   */
  readonly queued_at?: string
  /**
   * When the latest execution started (RFC 3339, UTC).
   */
  readonly started_at?: string
  /**
   * When the latest execution ended (RFC 3339, UTC).
   */
  readonly finished_at?: string
  /**
   * The moves that this caller may make now; a user interface offers exactly these.
   */
  readonly actions: ('run' | 'accept' | 'reject' | 'cancel' | 'resume' | 'answer')[]
  /**
   * Why the task waits, in words.
   */
  readonly waiting_for?: string
  readonly deployment_status?: DeploymentStatus
}

/**
 * Which agent works on the task, and how. Absent means that Slipway chooses one.
 */
export interface AgentConfig {
  readonly type?: string
  readonly model?: string
  readonly instructions?: string
  readonly allowed_tools?: readonly string[]
}

/**
 * What git counts between the base commit and the work.
 */
export interface Changes {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Question".
 */
export interface Question {
  readonly text: string
  readonly header?: string
  readonly options?: readonly string[]
  readonly multiple?: boolean
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Decision".
 */
export interface Decision {
  readonly action: 'run' | 'accept' | 'reject' | 'cancel' | 'resume' | 'answer'
  readonly by?: string
  readonly at: string
  readonly comment?: string
}

/**
 * Whether the running build contains the work; on READY tasks only.
 */
export interface DeploymentStatus {
  readonly deployed_commit: string
  /**
   * The commits that the execution made, as full hashes.
   */
  readonly fix_commits: readonly string[]
  readonly includes_fix: boolean
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "TaskCreate".
 */
export interface TaskCreate {
  /**
   * Name of the resource; never changes.
   */
  readonly id?: string
  /**
   * Name of the task for people, one line; the subject of the commit that keeps what an agent left uncommitted. The only required field. At most 200 characters.
   */
  readonly name: string
  /**
   * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
   */
  readonly description?: string
  /**
   * Name of the Project in this namespace that the repository, the image and the git credentials are taken from. A project that does not exist (yet) makes the task Stalled until it does.
   */
  readonly project?: string
  /**
   * The prompt that the task was elaborated from, kept for the record. At most 128 KiB.
   */
  readonly elaboration_input?: string
  /**
   * URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only. Default: remoteUrl of the project.
   */
  readonly repository_url?: string
  /**
   * Image of the container that the agent runs in; it needs glibc, libstdc++, bash and git. Default: the project's image, else the agent's.
   */
  readonly container_image?: string
  /**
   * Which agent works on the task, and how. Absent means that Slipway chooses one.
   */
  readonly agent?: {
    /**
     * Name of the Agent to use, such as claude, gemini or script. Followed on the first run, a hint afterwards; script is always followed. Absent: Slipway chooses.
     */
    readonly type?: string
    /**
     * Model that the agent is to use. Default: the agent's default model.
     */
    readonly model?: string
    /**
     * What the agent is told beside the description; for the script agent the script itself. At most 128 KiB.
     */
    readonly instructions?: string
    /**
     * @maxItems 100
     *
     * Items: Name of a tool.
     */
    readonly allowed_tools?: readonly string[]
  }
  /**
   * Names of the tasks in this namespace that must be READY or COMPLETED before this one starts. The task waits without holding its agent's slot. At most 100; a name that does not exist or a cycle makes the task Stalled until it is mended.
   *
   * @maxItems 100
   *
   * Items: Name of a task.
   */
  readonly depends_on?: readonly string[]
  /**
   * Name of the task that this one is a part of. A parent that succeeds while subtasks are unfinished is BLOCKED until they are READY or COMPLETED.
   */
  readonly parent_task_id?: string
  /**
   * Name of the Story that the task belongs to: it then works on the story's branch instead of a branch of its own.
   */
  readonly story_id?: string
  /**
   * Order among the queued tasks of an agent: lower first, then the time of queueing. Absent counts as 0. A change counts at once for what is still queued.
   */
  readonly priority?: number
  /**
   * Manual (default): the task waits until a person runs it. Auto: it is queued once, as soon as it exists; after a reject it waits for a person as well.
   */
  readonly run_policy?: 'manual' | 'auto'
  /**
   * How long the agent step may take.
   */
  readonly timeout_seconds?: number
  /**
   * Most automatic attempts (retries that nobody asked for, after a limit or a lost pod) since the last run, resume or answer by a person; people may run a task as often as they like. Default 3.
   */
  readonly max_attempts?: number
  /**
   * Most that one execution may cost, in US dollars, for agents that report a cost. Passed: the task is BUDGET_EXCEEDED and never retried by itself. Default: no limit.
   */
  readonly budget_usd?: number
  /**
   * True: the task is neither started nor resumed by itself, and stays queued when a person runs it. What runs goes on. Default false.
   */
  readonly suspend?: boolean
  /**
   * Deprecated: the older name of `agent`, read as `agent` and written back as `agent` on the next update. Give one of the two.
   */
  readonly claude?: {
    /**
     * Name of the Agent to use, such as claude, gemini or script. Followed on the first run, a hint afterwards; script is always followed. Absent: Slipway chooses.
     */
    readonly type?: string
    /**
     * Model that the agent is to use. Default: the agent's default model.
     */
    readonly model?: string
    /**
     * What the agent is told beside the description; for the script agent the script itself. At most 128 KiB.
     */
    readonly instructions?: string
    /**
     * @maxItems 100
     *
     * Items: Name of a tool.
     */
    readonly allowed_tools?: readonly string[]
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "TaskEdit".
 */
export interface TaskEdit {
  /**
   * Name of the resource; never changes.
   */
  readonly id?: {
    readonly [k: string]: unknown
  }
  /**
   * What people call it.
   */
  readonly name?: string | null
  /**
   * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
   */
  readonly description?: string | null
  /**
   * Name of the Project in this namespace that the repository, the image and the git credentials are taken from. A project that does not exist (yet) makes the task Stalled until it does.
   */
  readonly project?: string | null
  /**
   * The prompt that the task was elaborated from, kept for the record. At most 128 KiB.
   */
  readonly elaboration_input?: string | null
  /**
   * URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only. Default: remoteUrl of the project.
   */
  readonly repository_url?: string | null
  /**
   * Image of the container that the agent runs in; it needs glibc, libstdc++, bash and git. Default: the project's image, else the agent's.
   */
  readonly container_image?: string | null
  /**
   * Which agent works on the task, and how. Absent means that Slipway chooses one.
   */
  readonly agent?: {
    readonly type?: string | null
    readonly model?: string | null
    readonly instructions?: string | null
    readonly allowed_tools?: string[] | null
  } | null
  /**
   * Who chose the agent: a request, the task itself, the rules, or a model.
   */
  readonly chosen_by?: {
    readonly [k: string]: unknown
  }
  /**
   * Why this agent was chosen, in words.
   */
  readonly agent_reason?: {
    readonly [k: string]: unknown
  }
  /**
   * Where the task stands; absent means PENDING. Moves that the transition table (docs/states.md) does not list are refused.
   */
  readonly state?: {
    readonly [k: string]: unknown
  }
  /**
   * Names of the tasks in this namespace that must be READY or COMPLETED before this one starts. The task waits without holding its agent's slot. At most 100; a name that does not exist or a cycle makes the task Stalled until it is mended.
   */
  readonly depends_on?: string[] | null
  /**
   * Name of the task that this one is a part of. A parent that succeeds while subtasks are unfinished is BLOCKED until they are READY or COMPLETED.
   */
  readonly parent_task_id?: string | null
  /**
   * Name of the Story that the task belongs to: it then works on the story's branch instead of a branch of its own.
   */
  readonly story_id?: string | null
  /**
   * Order among the queued tasks of an agent: lower first, then the time of queueing. Absent counts as 0. A change counts at once for what is still queued.
   */
  readonly priority?: number | null
  /**
   * Manual (default): the task waits until a person runs it. Auto: it is queued once, as soon as it exists; after a reject it waits for a person as well.
   */
  readonly run_policy?: ('manual' | 'auto') | null
  /**
   * How long the agent step may take.
   */
  readonly timeout_seconds?: number | null
  /**
   * Most automatic attempts (retries that nobody asked for, after a limit or a lost pod) since the last run, resume or answer by a person; people may run a task as often as they like. Default 3.
   */
  readonly max_attempts?: number | null
  /**
   * Most that one execution may cost, in US dollars, for agents that report a cost. Passed: the task is BUDGET_EXCEEDED and never retried by itself. Default: no limit.
   */
  readonly budget_usd?: number | null
  /**
   * True: the task is neither started nor resumed by itself, and stays queued when a person runs it. What runs goes on. Default false.
   */
  readonly suspend?: boolean | null
  /**
   * Automatic starts since the last run, resume or answer by a person.
   */
  readonly attempts?: {
    readonly [k: string]: unknown
  }
  /**
   * The latest execution.
   */
  readonly execution_id?: {
    readonly [k: string]: unknown
  }
  /**
   * What the agent says it did. At most 16 KiB; the whole text is in the execution's files.
   */
  readonly summary?: {
    readonly [k: string]: unknown
  }
  /**
   * Why it did not succeed; absent otherwise.
   */
  readonly error?: {
    readonly [k: string]: unknown
  }
  /**
   * What kind of failure it was.
   */
  readonly error_category?: {
    readonly [k: string]: unknown
  }
  /**
   * Branch that the work is pushed to.
   */
  readonly branch?: {
    readonly [k: string]: unknown
  }
  /**
   * Where a person looks at the branch, for hosts whose address scheme is known.
   */
  readonly branch_url?: {
    readonly [k: string]: unknown
  }
  /**
   * Where a person sees the branch beside its base.
   */
  readonly compare_url?: {
    readonly [k: string]: unknown
  }
  /**
   * What git counts between the base commit and the work.
   */
  readonly changes?: {
    readonly [k: string]: unknown
  }
  /**
   * How the work stood to the branch that it goes to, or to its base while that branch was not on the remote, when it was delivered. Absent when nothing was delivered.
   */
  readonly rebase?: {
    readonly [k: string]: unknown
  }
  /**
   * The commit that the branch was brought to last: what a person reviews, and what is delivered on accept. Absent until something was pushed.
   */
  readonly head?: {
    readonly [k: string]: unknown
  }
  /**
   * What became of the accepted work by the project's `onAccept`; of a story it is told on the last task of its chain. Absent where nothing is to be delivered.
   */
  readonly delivery?: {
    readonly [k: string]: unknown
  }
  /**
   * What all executions of the task cost together, in US dollars.
   */
  readonly cost_usd?: {
    readonly [k: string]: unknown
  }
  /**
   * What the agent asks, or what a person must decide.
   */
  readonly question?: {
    readonly [k: string]: unknown
  }
  /**
   * Each question with its options.
   */
  readonly question_items?: {
    readonly [k: string]: unknown
  }
  /**
   * The options of the first question.
   */
  readonly question_options?: {
    readonly [k: string]: unknown
  }
  /**
   * What the person wrote who rejected the task last; the agent gets it at the next run. At most 64 KiB.
   */
  readonly rejection_comment?: {
    readonly [k: string]: unknown
  }
  /**
   * What people decided, oldest first; the last 50.
   */
  readonly decisions?: {
    readonly [k: string]: unknown
  }
  /**
   * When a FAILED or BUDGET_EXCEEDED task is resumed by itself, attempts permitting; absent means that it waits for a person (RFC 3339, UTC).
   */
  readonly resume_after?: {
    readonly [k: string]: unknown
  }
  /**
   * When it was created.
   */
  readonly created_at?: {
    readonly [k: string]: unknown
  }
  /**
   * When anything about it changed last.
   */
  readonly updated_at?: {
    readonly [k: string]: unknown
  }
  /**
   * When the task was queued last; the order within a priority (RFC 3339, UTC).
   */
  readonly queued_at?: {
    readonly [k: string]: unknown
  }
  /**
   * When the latest execution started (RFC 3339, UTC).
   */
  readonly started_at?: {
    readonly [k: string]: unknown
  }
  /**
   * When the latest execution ended (RFC 3339, UTC).
   */
  readonly finished_at?: {
    readonly [k: string]: unknown
  }
  /**
   * The moves that this caller may make now; a user interface offers exactly these.
   */
  readonly actions?: {
    readonly [k: string]: unknown
  }
  /**
   * Why the task waits, in words.
   */
  readonly waiting_for?: {
    readonly [k: string]: unknown
  }
  /**
   * Whether the running build contains the work; on READY tasks only.
   */
  readonly deployment_status?: {
    readonly [k: string]: unknown
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Execution".
 */
export interface Execution {
  /**
   * Name of the resource; never changes.
   */
  readonly id: string
  readonly task_id?: string
  readonly story_id?: string
  /**
   * Name of the Agent in this namespace that runs; absent for deliveries, which run none.
   */
  readonly agent?: string
  /**
   * Model that the agent is told to use; absent means the agent's default.
   */
  readonly model?: string
  /**
   * The how many-th automatic start of the task this is, counted from 1.
   */
  readonly attempt?: number
  /**
   * Run (fresh start of a task), Resume (in the kept clone and session), Elaborate, Validate, Classify or Evaluate (beside the slot, on a throw-away clone, for an answer), Deliver (no agent; works on branches of the remote).
   */
  readonly purpose: 'run' | 'resume' | 'elaborate' | 'validate' | 'classify' | 'evaluate' | 'deliver'
  /**
   * How the execution stands; absent means PENDING. BLOCKED means that the agent asked a question.
   */
  readonly state:
    'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'TIMED_OUT' | 'CANCELLED' | 'BUDGET_EXCEEDED' | 'BLOCKED'
  /**
   * The steps and their times, in order.
   */
  readonly phases: {
    readonly name: string
    readonly started_at?: string
    readonly finished_at?: string
  }[]
  /**
   * The latest pod, as it was seen last.
   */
  readonly pod?: {
    readonly name?: string
    readonly phase?: string
    readonly reason?: string
  }
  /**
   * Folder with the clone and the agent's home, on the data volume. Kept while the work is not delivered.
   */
  readonly sandbox_dir?: string
  /**
   * File with the agent's standard output, on the data volume. At most 1 GiB, then cut with a marker.
   */
  readonly stdout_path?: string
  /**
   * File with the agent's standard error, on the data volume. At most 1 GiB, then cut with a marker.
   */
  readonly stderr_path?: string
  /**
   * Folder with the files that the agent kept for people, on the data volume.
   */
  readonly artifact_dir?: string
  /**
   * Exit code of the agent's program.
   */
  readonly exit_code?: number
  /**
   * The agent's own name for its session; a resume continues it.
   */
  readonly session_id?: string
  /**
   * What the execution cost, in US dollars, when the agent reports it.
   */
  readonly cost_usd?: number
  /**
   * Tokens used, when the agent reports them.
   */
  readonly tokens?: {
    readonly input?: number
    readonly output?: number
    readonly cache_read?: number
    readonly cache_write?: number
  }
  /**
   * Turns of the conversation between agent and model.
   */
  readonly turns?: number
  /**
   * What the agent says it did. At most 16 KiB here; the whole text is a file on the data volume.
   */
  readonly summary?: string
  /**
   * Why it did not succeed; absent otherwise.
   */
  readonly error?: string
  /**
   * What kind of failure it was.
   */
  readonly error_category?:
    | 'quota'
    | 'budget'
    | 'rate_limit'
    | 'timeout'
    | 'git'
    | 'auth'
    | 'credentials'
    | 'no_repository'
    | 'cancelled'
    | 'lost'
    | 'unavailable'
    | 'failed'
  /**
   * The commits that the execution made, as full hashes.
   */
  readonly fix_commits: readonly string[]
  /**
   * Branch that is checked out; absent means the default branch.
   */
  readonly branch?: string
  readonly changes?: Changes1
  /**
   * Full hash of the commit that the branch was brought to. Of a delivery that failed, the commit that the branch was found at in place of the reviewed one.
   */
  readonly head?: string
  /**
   * How the work stood to the branch that it goes to, or to its base while that branch was not on the remote, when it was delivered. Absent when nothing was delivered.
   */
  readonly rebase?: {
    readonly result: 'up_to_date' | 'rebased' | 'conflict' | 'behind'
    readonly onto?: string
    readonly files: readonly string[]
    readonly message?: string
  }
  /**
   * True when credentials were copied afresh after an authentication error; that happens once.
   */
  readonly auth_retried: boolean
  /**
   * When it was created.
   */
  readonly created_at: string
  /**
   * When the execution became RUNNING (RFC 3339, UTC).
   */
  readonly started_at?: string
  /**
   * When it ended (RFC 3339, UTC).
   */
  readonly finished_at?: string
}

/**
 * What git counts between the base commit and the work.
 */
export interface Changes1 {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Agent".
 */
export interface Agent {
  /**
   * Name of the resource; never changes.
   */
  readonly id: string
  /**
   * What people call it.
   */
  readonly name: string
  /**
   * How Slipway talks to the program: script (runs the task's instructions with bash), claude, codex or gemini (command line tools of that name).
   */
  readonly adapter: 'claude' | 'codex' | 'gemini' | 'script'
  /**
   * Image with the agent's program. Default: Slipway's own image. Projects and tasks may name another one to work in.
   */
  readonly image?: string
  /**
   * Program and first arguments. Default: what the adapter starts.
   */
  readonly command?: readonly string[]
  /**
   * Models that tasks may ask for; absent means any.
   */
  readonly models?: readonly string[]
  /**
   * Model of tasks that name none. Default: the program's own.
   */
  readonly default_model?: string
  /**
   * Executions of this agent at the same time. Default 1; lowering it lets what runs go on.
   */
  readonly max_concurrent: number
  /**
   * How long the agent step may take.
   */
  readonly timeout_seconds?: number
  /**
   * Tools that the agent may use when the task names none, such as Read, Edit or Bash; absent leaves it to the program.
   */
  readonly allowed_tools?: readonly string[]
  /**
   * Whether executions of this agent that were lost, or that ran into a limit, are tried again by themselves. False: such a task fails and waits for a person, and one that waits for its attempt goes on waiting until this is true again. Default true; a task alone is switched off by its suspend.
   */
  readonly auto_resume?: boolean
  /**
   * What the agent may do with the drop directory, readWrite (default), readOnly or none.
   */
  readonly drops_access: 'read_write' | 'read_only' | 'none'
  /**
   * What the agent is to know in every task, beside its prompt, as Markdown: put where its program looks for instructions of its user (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. Those of a Project follow it. At most 32 KiB.
   */
  readonly instructions?: string
  /**
   * Servers of the Model Context Protocol whose tools are offered to the agent, in executions that do a task's work. A Project may name others; of the same name, the one of the Project counts. With allowedTools, name them there too (mcp__<server>).
   */
  readonly mcp_servers?: {
    readonly name: string
    readonly command?: string
    readonly args?: readonly string[]
    readonly env?: {
      readonly name: string
      readonly value?: string
      readonly key?: string
    }[]
    readonly url?: string
    readonly headers?: {
      readonly name: string
      readonly value?: string
      readonly key?: string
    }[]
  }[]
  /**
   * Templates (Mustache) in place of Slipway's own for what the agent is told. docs/prompts.md lists what they may name; {{> task}} includes Slipway's own. One that cannot be used makes the Agent Stalled, naming the field and the line.
   */
  readonly prompts?: {
    readonly task?: string
    readonly resume?: string
    readonly elaborate?: string
    readonly plan?: string
    readonly validate?: string
    readonly evaluate?: string
    readonly classify?: string
  }
  /**
   * Whether and when tasks without a named agent are given to this one.
   */
  readonly classifier?: {
    readonly enabled?: boolean
    readonly hint?: string
    readonly judges?: boolean
    readonly judge_model?: string
  }
  /**
   * What the program needs to log in. Checked before a container starts; a key that is missing fails the execution at once (category credentials).
   */
  readonly credentials?: {
    readonly secret_name?: string
    readonly files?: {
      readonly key?: string
      readonly path: string
      readonly host_path?: string
    }[]
    readonly env?: {
      readonly name: string
      readonly key: string
    }[]
    readonly write_back?: boolean
  }
  /**
   * What may be said about the agent's pods. A list of what is allowed: nothing in it reaches the node, another account or another Secret.
   */
  readonly pod_template?: {
    readonly labels?: {
      readonly [k: string]: string
    }
    readonly annotations?: {
      readonly [k: string]: string
    }
    readonly resources?: {
      readonly requests?: {
        readonly [k: string]: string | number
      }
      readonly limits?: {
        readonly [k: string]: string | number
      }
    }
    readonly node_selector?: {
      readonly [k: string]: string
    }
    readonly tolerations?: {
      readonly key?: string
      readonly operator?: 'Equal' | 'Exists'
      readonly value?: string
      readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
      readonly toleration_seconds?: number
    }[]
    readonly affinity?: {
      readonly [k: string]: unknown
    }
    readonly runtime_class_name?: string
    readonly priority_class_name?: string
    readonly image_pull_secrets?: {
      readonly name: string
    }[]
  }
  readonly status: AgentStatus
  /**
   * What people decided about the agent, oldest first; the last 50.
   */
  readonly decisions: {
    readonly action: 'undrain'
    readonly by?: string
    readonly at: string
  }[]
  /**
   * When it was created.
   */
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentStatus".
 */
export interface AgentStatus {
  readonly agent: string
  readonly state: 'idle' | 'running' | 'drained' | 'rate_limited' | 'unavailable'
  readonly reason?: string
  readonly task_id?: string
  /**
   * The latest execution.
   */
  readonly execution_id?: string
  readonly queued: number
  readonly consecutive_failures: number
  readonly rate_limited_until?: string
  readonly credentials: 'none' | 'present' | 'missing' | 'unknown'
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentCreate".
 */
export interface AgentCreate {
  /**
   * Name of the resource; never changes.
   */
  readonly id?: string
  /**
   * What people call it.
   */
  readonly name?: string
  /**
   * How Slipway talks to the program: script (runs the task's instructions with bash), claude, codex or gemini (command line tools of that name).
   */
  readonly adapter: 'claude' | 'codex' | 'gemini' | 'script'
  /**
   * Image with the agent's program. Default: Slipway's own image. Projects and tasks may name another one to work in.
   */
  readonly image?: string
  /**
   * Program and first arguments. Default: what the adapter starts.
   *
   * @maxItems 50
   *
   * Items: Program or argument.
   */
  readonly command?: readonly string[]
  /**
   * Models that tasks may ask for; absent means any.
   *
   * @maxItems 50
   *
   * Items: Name of a model, as the program understands it.
   */
  readonly models?: readonly string[]
  /**
   * Model of tasks that name none. Default: the program's own.
   */
  readonly default_model?: string
  /**
   * Executions of this agent at the same time. Default 1; lowering it lets what runs go on.
   */
  readonly max_concurrent?: number
  /**
   * How long the agent step may take.
   */
  readonly timeout_seconds?: number
  /**
   * Tools that the agent may use when the task names none, such as Read, Edit or Bash; absent leaves it to the program.
   *
   * @maxItems 100
   *
   * Items: Name of a tool.
   */
  readonly allowed_tools?: readonly string[]
  /**
   * Whether executions of this agent that were lost, or that ran into a limit, are tried again by themselves. False: such a task fails and waits for a person, and one that waits for its attempt goes on waiting until this is true again. Default true; a task alone is switched off by its suspend.
   */
  readonly auto_resume?: boolean
  /**
   * What the agent may do with the drop directory, readWrite (default), readOnly or none.
   */
  readonly drops_access?: 'read_write' | 'read_only' | 'none'
  /**
   * What the agent is to know in every task, beside its prompt, as Markdown: put where its program looks for instructions of its user (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. Those of a Project follow it. At most 32 KiB.
   */
  readonly instructions?: string
  /**
   * Servers of the Model Context Protocol whose tools are offered to the agent, in executions that do a task's work. A Project may name others; of the same name, the one of the Project counts. With allowedTools, name them there too (mcp__<server>).
   *
   * @maxItems 20
   */
  readonly mcp_servers?: {
    /**
     * How the agent calls it; part of its tools' names.
     */
    readonly name: string
    /**
     * Program that is started in the agent's container and talks on stdin and stdout.
     */
    readonly command?: string
    /**
     * @maxItems 50
     *
     * Items: One argument.
     */
    readonly args?: readonly string[]
    /**
     * @maxItems 50
     */
    readonly env?: {
      /**
       * Name of the variable.
       */
      readonly name: string
      /**
       * Its value, where that is no secret; everybody who may read this resource sees it.
       */
      readonly value?: string
      /**
       * Key of the agent's Secret (credentials.secretName) that holds its value.
       */
      readonly key?: string
    }[]
    /**
     * Address of a server that speaks streamable HTTP.
     */
    readonly url?: string
    /**
     * @maxItems 20
     */
    readonly headers?: {
      /**
       * Name of the header.
       */
      readonly name: string
      /**
       * Its value, where that is no secret; everybody who may read this resource sees it.
       */
      readonly value?: string
      /**
       * Key of the agent's Secret (credentials.secretName) that holds its value.
       */
      readonly key?: string
    }[]
  }[]
  /**
   * Templates (Mustache) in place of Slipway's own for what the agent is told. docs/prompts.md lists what they may name; {{> task}} includes Slipway's own. One that cannot be used makes the Agent Stalled, naming the field and the line.
   */
  readonly prompts?: {
    /**
     * What a fresh start is told. At most 32 KiB.
     */
    readonly task?: string
    /**
     * What a session is told that is taken up again, by how it stopped. At most 32 KiB.
     */
    readonly resume?: string
    /**
     * What is said with a request that is to become a task. At most 32 KiB.
     */
    readonly elaborate?: string
    /**
     * What is said with a request that is to become the plan of a story. At most 32 KiB.
     */
    readonly plan?: string
    /**
     * What is said with a task that is to be looked at before it is run. At most 32 KiB.
     */
    readonly validate?: string
    /**
     * What is said with a story whose acceptance criteria are to be judged. At most 32 KiB.
     */
    readonly evaluate?: string
    /**
     * What is said with a task that an agent is to be chosen for. At most 32 KiB.
     */
    readonly classify?: string
  }
  /**
   * Whether and when tasks without a named agent are given to this one.
   */
  readonly classifier?: {
    readonly enabled?: boolean
    /**
     * What the agent is good at, in words.
     */
    readonly hint?: string
    readonly judges?: boolean
    /**
     * Model for that question, a cheap one. Default the agent's default model.
     */
    readonly judge_model?: string
  }
  /**
   * What the program needs to log in. Checked before a container starts; a key that is missing fails the execution at once (category credentials).
   */
  readonly credentials?: {
    /**
     * Secret in this namespace, labelled slipway.dev/usable-by: agent.
     */
    readonly secret_name?: string
    /**
     * @maxItems 20
     */
    readonly files?: {
      /**
       * Key of the Secret that holds the file.
       */
      readonly key?: string
      /**
       * Where the program expects the file, relative to its home.
       */
      readonly path: string
      /**
       * Absolute path of a file on this machine, honoured by the embedded control plane only; in a cluster it makes the Agent Stalled.
       */
      readonly host_path?: string
    }[]
    /**
     * @maxItems 50
     */
    readonly env?: {
      /**
       * Name of the variable.
       */
      readonly name: string
      /**
       * Key of the Secret that holds its value.
       */
      readonly key: string
    }[]
    readonly write_back?: boolean
  }
  /**
   * What may be said about the agent's pods. A list of what is allowed: nothing in it reaches the node, another account or another Secret.
   */
  readonly pod_template?: {
    readonly labels?: {
      readonly [k: string]: string
    }
    readonly annotations?: {
      readonly [k: string]: string
    }
    readonly resources?: {
      readonly requests?: {
        readonly [k: string]: string | number
      }
      readonly limits?: {
        readonly [k: string]: string | number
      }
    }
    readonly node_selector?: {
      readonly [k: string]: string
    }
    /**
     * @maxItems 20
     */
    readonly tolerations?: {
      readonly key?: string
      readonly operator?: 'Equal' | 'Exists'
      readonly value?: string
      readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
      readonly toleration_seconds?: number
    }[]
    readonly affinity?: {
      readonly [k: string]: unknown
    }
    /**
     * RuntimeClass of the pods, such as one that isolates with gVisor or Kata.
     */
    readonly runtime_class_name?: string
    /**
     * PriorityClass of the pods.
     */
    readonly priority_class_name?: string
    /**
     * @maxItems 10
     */
    readonly image_pull_secrets?: {
      /**
       * Name of the Secret in this namespace.
       */
      readonly name: string
    }[]
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentEdit".
 */
export interface AgentEdit {
  /**
   * Name of the resource; never changes.
   */
  readonly id?: {
    readonly [k: string]: unknown
  }
  /**
   * What people call it.
   */
  readonly name?: {
    readonly [k: string]: unknown
  }
  /**
   * How Slipway talks to the program: script (runs the task's instructions with bash), claude, codex or gemini (command line tools of that name).
   */
  readonly adapter?: (('claude' | 'codex' | 'gemini' | 'script') | null) | null
  /**
   * Image with the agent's program. Default: Slipway's own image. Projects and tasks may name another one to work in.
   */
  readonly image?: (string | null) | null
  /**
   * Program and first arguments. Default: what the adapter starts.
   */
  readonly command?: (string[] | null) | null
  /**
   * Models that tasks may ask for; absent means any.
   */
  readonly models?: (string[] | null) | null
  /**
   * Model of tasks that name none. Default: the program's own.
   */
  readonly default_model?: (string | null) | null
  /**
   * Executions of this agent at the same time. Default 1; lowering it lets what runs go on.
   */
  readonly max_concurrent?: (number | null) | null
  /**
   * How long the agent step may take.
   */
  readonly timeout_seconds?: (number | null) | null
  /**
   * Tools that the agent may use when the task names none, such as Read, Edit or Bash; absent leaves it to the program.
   */
  readonly allowed_tools?: (string[] | null) | null
  /**
   * Whether executions of this agent that were lost, or that ran into a limit, are tried again by themselves. False: such a task fails and waits for a person, and one that waits for its attempt goes on waiting until this is true again. Default true; a task alone is switched off by its suspend.
   */
  readonly auto_resume?: (boolean | null) | null
  /**
   * What the agent may do with the drop directory, readWrite (default), readOnly or none.
   */
  readonly drops_access?: (('read_write' | 'read_only' | 'none') | null) | null
  /**
   * What the agent is to know in every task, beside its prompt, as Markdown: put where its program looks for instructions of its user (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. Those of a Project follow it. At most 32 KiB.
   */
  readonly instructions?: (string | null) | null
  /**
   * Servers of the Model Context Protocol whose tools are offered to the agent, in executions that do a task's work. A Project may name others; of the same name, the one of the Project counts. With allowedTools, name them there too (mcp__<server>).
   */
  readonly mcp_servers?:
    | (
        | {
            /**
             * How the agent calls it; part of its tools' names.
             */
            readonly name: string
            /**
             * Program that is started in the agent's container and talks on stdin and stdout.
             */
            readonly command?: string
            /**
             * @maxItems 50
             *
             * Items: One argument.
             */
            readonly args?: readonly string[]
            /**
             * @maxItems 50
             */
            readonly env?: {
              /**
               * Name of the variable.
               */
              readonly name: string
              /**
               * Its value, where that is no secret; everybody who may read this resource sees it.
               */
              readonly value?: string
              /**
               * Key of the agent's Secret (credentials.secretName) that holds its value.
               */
              readonly key?: string
            }[]
            /**
             * Address of a server that speaks streamable HTTP.
             */
            readonly url?: string
            /**
             * @maxItems 20
             */
            readonly headers?: {
              /**
               * Name of the header.
               */
              readonly name: string
              /**
               * Its value, where that is no secret; everybody who may read this resource sees it.
               */
              readonly value?: string
              /**
               * Key of the agent's Secret (credentials.secretName) that holds its value.
               */
              readonly key?: string
            }[]
          }[]
        | null
      )
    | null
  /**
   * Templates (Mustache) in place of Slipway's own for what the agent is told. docs/prompts.md lists what they may name; {{> task}} includes Slipway's own. One that cannot be used makes the Agent Stalled, naming the field and the line.
   */
  readonly prompts?:
    | ({
        readonly task?: string | null
        readonly resume?: string | null
        readonly elaborate?: string | null
        readonly plan?: string | null
        readonly validate?: string | null
        readonly evaluate?: string | null
        readonly classify?: string | null
      } | null)
    | null
  /**
   * Whether and when tasks without a named agent are given to this one.
   */
  readonly classifier?:
    | ({
        readonly enabled?: boolean | null
        readonly hint?: string | null
        readonly judges?: boolean | null
        readonly judge_model?: string | null
      } | null)
    | null
  /**
   * What the program needs to log in. Checked before a container starts; a key that is missing fails the execution at once (category credentials).
   */
  readonly credentials?:
    | ({
        readonly secret_name?: string | null
        readonly files?:
          | {
              /**
               * Key of the Secret that holds the file.
               */
              readonly key?: string
              /**
               * Where the program expects the file, relative to its home.
               */
              readonly path: string
              /**
               * Absolute path of a file on this machine, honoured by the embedded control plane only; in a cluster it makes the Agent Stalled.
               */
              readonly host_path?: string
            }[]
          | null
        readonly env?:
          | {
              /**
               * Name of the variable.
               */
              readonly name: string
              /**
               * Key of the Secret that holds its value.
               */
              readonly key: string
            }[]
          | null
        readonly write_back?: boolean | null
      } | null)
    | null
  /**
   * What may be said about the agent's pods. A list of what is allowed: nothing in it reaches the node, another account or another Secret.
   */
  readonly pod_template?:
    | ({
        readonly labels?: {
          readonly [k: string]: string | null
        } | null
        readonly annotations?: {
          readonly [k: string]: string | null
        } | null
        readonly resources?: {
          readonly requests?: {
            readonly [k: string]: string | number | null
          } | null
          readonly limits?: {
            readonly [k: string]: string | number | null
          } | null
        } | null
        readonly node_selector?: {
          readonly [k: string]: string | null
        } | null
        readonly tolerations?:
          | {
              readonly key?: string
              readonly operator?: 'Equal' | 'Exists'
              readonly value?: string
              readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
              readonly toleration_seconds?: number
            }[]
          | null
        readonly affinity?: {
          readonly [k: string]: unknown
        } | null
        readonly runtime_class_name?: string | null
        readonly priority_class_name?: string | null
        readonly image_pull_secrets?:
          | {
              /**
               * Name of the Secret in this namespace.
               */
              readonly name: string
            }[]
          | null
      } | null)
    | null
  readonly status?: unknown
  /**
   * What people decided about the agent, oldest first; the last 50.
   */
  readonly decisions?: {
    readonly [k: string]: unknown
  }
  /**
   * When it was created.
   */
  readonly created_at?: {
    readonly [k: string]: unknown
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Project".
 */
export interface Project {
  /**
   * Name of the resource; never changes.
   */
  readonly id: string
  /**
   * What people call it.
   */
  readonly name: string
  /**
   * URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only.
   */
  readonly remote_url: string
  /**
   * Folder with a checkout of the project on the server, below the workspace root (embedded: any folder). Elaboration reads it; failures reported by a webhook are matched by its last segment.
   */
  readonly local_path?: string
  /**
   * Branch that work starts from and that is never pushed. Default: the remote's HEAD.
   */
  readonly default_branch?: string
  /**
   * Image of the container that agents run in for this project. Default: the agent's image.
   */
  readonly container_image?: string
  /**
   * Command line that checks the project, such as npm test; told to agents.
   */
  readonly test_command?: string
  /**
   * What every agent that works in the project is to know, as Markdown: put where its program looks for instructions of its user (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. They follow those of the Agent. At most 32 KiB.
   */
  readonly instructions?: string
  /**
   * Servers of the Model Context Protocol whose tools are offered to the agent, in executions that do a task's work. A Project may name others; of the same name, the one of the Project counts. With allowedTools, name them there too (mcp__<server>).
   */
  readonly mcp_servers?: {
    readonly name: string
    readonly command?: string
    readonly args?: readonly string[]
    readonly env?: {
      readonly name: string
      readonly value?: string
      readonly key?: string
    }[]
    readonly url?: string
    readonly headers?: {
      readonly name: string
      readonly value?: string
      readonly key?: string
    }[]
  }[]
  /**
   * For tasks that a failure reported by the webhook makes: Manual (default) waits until a person runs them, Auto queues them at once.
   */
  readonly run_policy: 'manual' | 'auto'
  /**
   * What Slipway does by itself when a story of the project is moved to VALIDATING and when it is accepted.
   */
  readonly evaluation?: {
    readonly enabled?: boolean
    readonly arbitration?: boolean
    readonly retro?: boolean
    readonly propose_epics?: boolean
  }
  /**
   * Where the running deployment of the project can be asked for its commit.
   */
  readonly deployment?: {
    readonly commit_url?: string
  }
  /**
   * How git authenticates at the remote. Used by the steps that clone and push, never by the agent.
   */
  readonly git?: {
    readonly secret_name?: string
  }
  /**
   * What becomes of accepted work, on its branch: None (default: it stays there), Merge (into the default branch: moved forward, else a merge commit) or PullRequest (asked for at the host). A story is delivered once, when it is accepted. Work that cannot be delivered is READY again and says why. Counts for what is accepted from then on.
   */
  readonly on_accept?: 'none' | 'merge' | 'pull_request'
  /**
   * The service that hosts the repository, for pull requests. Derived from the remote for github.com, gitlab.com and codeberg.org.
   */
  readonly host?: {
    readonly type?: 'github' | 'gitlab' | 'gitea'
    readonly api_url?: string
  }
  /**
   * When it was created.
   */
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ProjectCreate".
 */
export interface ProjectCreate {
  /**
   * Name of the resource; never changes.
   */
  readonly id?: string
  /**
   * Name of the project for people, one line. At most 200 characters.
   */
  readonly name: string
  /**
   * URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only.
   */
  readonly remote_url: string
  /**
   * Folder with a checkout of the project on the server, below the workspace root (embedded: any folder). Elaboration reads it; failures reported by a webhook are matched by its last segment.
   */
  readonly local_path?: string
  /**
   * Branch that work starts from and that is never pushed. Default: the remote's HEAD.
   */
  readonly default_branch?: string
  /**
   * Image of the container that agents run in for this project. Default: the agent's image.
   */
  readonly container_image?: string
  /**
   * Command line that checks the project, such as npm test; told to agents.
   */
  readonly test_command?: string
  /**
   * What every agent that works in the project is to know, as Markdown: put where its program looks for instructions of its user (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. They follow those of the Agent. At most 32 KiB.
   */
  readonly instructions?: string
  /**
   * Servers of the Model Context Protocol whose tools are offered to the agent, in executions that do a task's work. A Project may name others; of the same name, the one of the Project counts. With allowedTools, name them there too (mcp__<server>).
   *
   * @maxItems 20
   */
  readonly mcp_servers?: {
    /**
     * How the agent calls it; part of its tools' names.
     */
    readonly name: string
    /**
     * Program that is started in the agent's container and talks on stdin and stdout.
     */
    readonly command?: string
    /**
     * @maxItems 50
     *
     * Items: One argument.
     */
    readonly args?: readonly string[]
    /**
     * @maxItems 50
     */
    readonly env?: {
      /**
       * Name of the variable.
       */
      readonly name: string
      /**
       * Its value, where that is no secret; everybody who may read this resource sees it.
       */
      readonly value?: string
      /**
       * Key of the agent's Secret (credentials.secretName) that holds its value.
       */
      readonly key?: string
    }[]
    /**
     * Address of a server that speaks streamable HTTP.
     */
    readonly url?: string
    /**
     * @maxItems 20
     */
    readonly headers?: {
      /**
       * Name of the header.
       */
      readonly name: string
      /**
       * Its value, where that is no secret; everybody who may read this resource sees it.
       */
      readonly value?: string
      /**
       * Key of the agent's Secret (credentials.secretName) that holds its value.
       */
      readonly key?: string
    }[]
  }[]
  /**
   * For tasks that a failure reported by the webhook makes: Manual (default) waits until a person runs them, Auto queues them at once.
   */
  readonly run_policy?: 'manual' | 'auto'
  /**
   * What Slipway does by itself when a story of the project is moved to VALIDATING and when it is accepted.
   */
  readonly evaluation?: {
    readonly enabled?: boolean
    readonly arbitration?: boolean
    readonly retro?: boolean
    readonly propose_epics?: boolean
  }
  /**
   * Where the running deployment of the project can be asked for its commit.
   */
  readonly deployment?: {
    /**
     * http or https URL that answers with the deployed commit, as plain text or as JSON {"commit": …}. Read at most once a minute.
     */
    readonly commit_url?: string
  }
  /**
   * How git authenticates at the remote. Used by the steps that clone and push, never by the agent.
   */
  readonly git?: {
    /**
     * Secret in this namespace of type kubernetes.io/basic-auth or kubernetes.io/ssh-auth (with known_hosts), labelled slipway.dev/usable-by: git. It is sent only to the host in the Secret's annotation slipway.dev/git-host.
     */
    readonly secret_name?: string
  }
  /**
   * What becomes of accepted work, on its branch: None (default: it stays there), Merge (into the default branch: moved forward, else a merge commit) or PullRequest (asked for at the host). A story is delivered once, when it is accepted. Work that cannot be delivered is READY again and says why. Counts for what is accepted from then on.
   */
  readonly on_accept?: 'none' | 'merge' | 'pull_request'
  /**
   * The service that hosts the repository, for pull requests. Derived from the remote for github.com, gitlab.com and codeberg.org.
   */
  readonly host?: {
    readonly type?: 'github' | 'gitlab' | 'gitea'
    /**
     * Address of its API, such as https://git.example.com/api/v4. Default: the usual path on the remote's host. The token of the git Secret is sent there only if that is the host that the Secret names.
     */
    readonly api_url?: string
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ProjectEdit".
 */
export interface ProjectEdit {
  /**
   * Name of the resource; never changes.
   */
  readonly id?: {
    readonly [k: string]: unknown
  }
  /**
   * What people call it.
   */
  readonly name?: string | null
  /**
   * URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only.
   */
  readonly remote_url?: string | null
  /**
   * Folder with a checkout of the project on the server, below the workspace root (embedded: any folder). Elaboration reads it; failures reported by a webhook are matched by its last segment.
   */
  readonly local_path?: string | null
  /**
   * Branch that work starts from and that is never pushed. Default: the remote's HEAD.
   */
  readonly default_branch?: string | null
  /**
   * Image of the container that agents run in for this project. Default: the agent's image.
   */
  readonly container_image?: string | null
  /**
   * Command line that checks the project, such as npm test; told to agents.
   */
  readonly test_command?: string | null
  /**
   * What every agent that works in the project is to know, as Markdown: put where its program looks for instructions of its user (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. They follow those of the Agent. At most 32 KiB.
   */
  readonly instructions?: string | null
  /**
   * Servers of the Model Context Protocol whose tools are offered to the agent, in executions that do a task's work. A Project may name others; of the same name, the one of the Project counts. With allowedTools, name them there too (mcp__<server>).
   */
  readonly mcp_servers?:
    | {
        /**
         * How the agent calls it; part of its tools' names.
         */
        readonly name: string
        /**
         * Program that is started in the agent's container and talks on stdin and stdout.
         */
        readonly command?: string
        /**
         * @maxItems 50
         *
         * Items: One argument.
         */
        readonly args?: readonly string[]
        /**
         * @maxItems 50
         */
        readonly env?: {
          /**
           * Name of the variable.
           */
          readonly name: string
          /**
           * Its value, where that is no secret; everybody who may read this resource sees it.
           */
          readonly value?: string
          /**
           * Key of the agent's Secret (credentials.secretName) that holds its value.
           */
          readonly key?: string
        }[]
        /**
         * Address of a server that speaks streamable HTTP.
         */
        readonly url?: string
        /**
         * @maxItems 20
         */
        readonly headers?: {
          /**
           * Name of the header.
           */
          readonly name: string
          /**
           * Its value, where that is no secret; everybody who may read this resource sees it.
           */
          readonly value?: string
          /**
           * Key of the agent's Secret (credentials.secretName) that holds its value.
           */
          readonly key?: string
        }[]
      }[]
    | null
  /**
   * For tasks that a failure reported by the webhook makes: Manual (default) waits until a person runs them, Auto queues them at once.
   */
  readonly run_policy?: ('manual' | 'auto') | null
  /**
   * What Slipway does by itself when a story of the project is moved to VALIDATING and when it is accepted.
   */
  readonly evaluation?: {
    readonly enabled?: boolean | null
    readonly arbitration?: boolean | null
    readonly retro?: boolean | null
    readonly propose_epics?: boolean | null
  } | null
  /**
   * Where the running deployment of the project can be asked for its commit.
   */
  readonly deployment?: {
    readonly commit_url?: string | null
  } | null
  /**
   * How git authenticates at the remote. Used by the steps that clone and push, never by the agent.
   */
  readonly git?: {
    readonly secret_name?: string | null
  } | null
  /**
   * What becomes of accepted work, on its branch: None (default: it stays there), Merge (into the default branch: moved forward, else a merge commit) or PullRequest (asked for at the host). A story is delivered once, when it is accepted. Work that cannot be delivered is READY again and says why. Counts for what is accepted from then on.
   */
  readonly on_accept?: ('none' | 'merge' | 'pull_request') | null
  /**
   * The service that hosts the repository, for pull requests. Derived from the remote for github.com, gitlab.com and codeberg.org.
   */
  readonly host?: {
    readonly type?: ('github' | 'gitlab' | 'gitea') | null
    readonly api_url?: string | null
  } | null
  /**
   * When it was created.
   */
  readonly created_at?: {
    readonly [k: string]: unknown
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentConfig".
 */
export interface AgentConfig1 {
  readonly type?: string
  readonly model?: string
  readonly instructions?: string
  readonly allowed_tools?: readonly string[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Changes".
 */
export interface Changes2 {
  readonly files: number
  readonly insertions: number
  readonly deletions: number
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "DeploymentStatus".
 */
export interface DeploymentStatus1 {
  readonly deployed_commit: string
  /**
   * The commits that the execution made, as full hashes.
   */
  readonly fix_commits: readonly string[]
  readonly includes_fix: boolean
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ActionResult".
 */
export interface ActionResult {
  readonly message: string
  readonly task_id: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Artifact".
 */
export interface Artifact {
  /**
   * What people call it.
   */
  readonly name: string
  readonly size: number
  readonly modified_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentEvent".
 */
export interface AgentEvent {
  readonly agent: string
  readonly kind: 'rate_limited' | 'recovered' | 'drained' | 'undrained'
  readonly at: string
  readonly message: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentsStatus".
 */
export interface AgentsStatus {
  readonly agents: readonly AgentStatus[]
  readonly events: readonly AgentEvent[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AgentActionResult".
 */
export interface AgentActionResult {
  readonly message: string
  readonly agent: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Version".
 */
export interface Version {
  readonly version: string
  readonly commit: string
  readonly built_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Health".
 */
export interface Health {
  readonly status: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "LiveMessage".
 */
export interface LiveMessage {
  /**
   * Name of the resource; never changes.
   */
  readonly id: string
  readonly type:
    | 'task_created'
    | 'task_updated'
    | 'task_started'
    | 'task_completed'
    | 'task_question'
    | 'task_deleted'
    | 'execution_updated'
    | 'execution_deleted'
    | 'story_updated'
    | 'story_deleted'
    | 'story_event'
    | 'epic_updated'
    | 'epic_deleted'
    | 'project_updated'
    | 'project_deleted'
    | 'agent_updated'
    | 'agent_deleted'
    | 'resync'
  readonly at: string
  readonly task_id?: string
  /**
   * The latest execution.
   */
  readonly execution_id?: string
  readonly story_id?: string
  readonly epic_id?: string
  readonly project_id?: string
  readonly agent?: string
  readonly by?: string
  readonly task?: Task
  readonly execution?: Execution
  readonly project?: Project
  readonly story?: {
    readonly id: string
    readonly name: string
    readonly branch_name: string
    readonly status:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly project_id?: string
    readonly epic_id?: string
    readonly priority: number
    readonly spec?: string
    readonly acceptance_criteria: readonly string[]
    readonly validation?: {
      readonly type?: string
      readonly steps: readonly string[]
      readonly success_criteria?: string
    }
    readonly root_task_id?: string
    readonly tasks: {
      readonly total: number
      readonly done: number
    }
    readonly evaluation: {
      readonly total: number
      readonly passed: number
      readonly failed: number
      readonly pending: number
      readonly verdicts: {
        readonly criterion: string
        readonly verdict: 'passed' | 'failed' | 'pending'
        readonly comment?: string
        readonly at?: string
        readonly by?: string
      }[]
      readonly round?: number
      readonly started_at?: string
      readonly message?: string
      readonly runs?: {
        readonly execution_id: string
        readonly role: 'first' | 'second' | 'arbiter'
        readonly agent: string
        readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
        readonly message?: string
        readonly finished_at?: string
        readonly retry_after?: string
      }[]
    }
    readonly decisions: {
      readonly action: 'accept' | 'move' | 'approve'
      readonly status?:
        | 'DISCOVERY'
        | 'FRAMING'
        | 'BACKLOG'
        | 'PRIORITIZED'
        | 'IN_PROGRESS'
        | 'VALIDATING'
        | 'REVIEW_READY'
        | 'DONE'
        | 'SHIPPABLE'
      readonly by?: string
      readonly at: string
    }[]
    readonly created_at: string
    readonly updated_at: string
    readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
    readonly moves: (
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    )[]
  }
  readonly story_event?: {
    readonly id: string
    readonly story_id: string
    readonly kind: 'eval_verdict' | 'arbitration_decided' | 'human_accepted' | 'retro_captured' | 'epic_proposed'
    readonly payload: {
      readonly [k: string]: unknown
    }
    readonly at: string
    readonly by?: string
  }
  readonly epic?: {
    readonly id: string
    readonly name: string
    readonly description?: string
    readonly priority: number
    readonly color?: string
    readonly stories: {
      readonly total: number
      readonly done: number
    }
    readonly created_at: string
  }
  readonly agent_record?: Agent
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "LogLine".
 */
export interface LogLine {
  readonly stream: 'stdout' | 'stderr'
  readonly line: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "StreamEnd".
 */
export interface StreamEnd {
  readonly state:
    | 'PENDING'
    | 'QUEUED'
    | 'RUNNING'
    | 'READY'
    | 'COMPLETED'
    | 'FAILED'
    | 'TIMED_OUT'
    | 'CANCELLED'
    | 'BUDGET_EXCEEDED'
    | 'BLOCKED'
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "Error".
 */
export interface Error {
  readonly error: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListTasksQuery".
 */
export interface ListTasksQuery {
  readonly state?:
    | 'PENDING'
    | 'QUEUED'
    | 'RUNNING'
    | 'READY'
    | 'COMPLETED'
    | 'FAILED'
    | 'TIMED_OUT'
    | 'CANCELLED'
    | 'BUDGET_EXCEEDED'
    | 'BLOCKED'
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "RunTaskQuery".
 */
export interface RunTaskQuery {
  readonly agent?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "RejectTaskBody".
 */
export interface RejectTaskBody {
  /**
   * What the person wrote who rejected the task last; the agent gets it at the next run. At most 64 KiB.
   */
  readonly comment?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AnswerTaskBody".
 */
export interface AnswerTaskBody {
  readonly answer:
    | string
    | {
        /**
         * Answer to the last question, handed to the agent as SERVICE_ANSWER by the next resume. At most 64 KiB.
         */
        readonly [k: string]: string
      }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "StreamTaskLogsQuery".
 */
export interface StreamTaskLogsQuery {
  readonly execution?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "StreamTaskEventsQuery".
 */
export interface StreamTaskEventsQuery {
  readonly execution?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ValidateTaskResult".
 */
export interface ValidateTaskResult {
  readonly valid: boolean
  readonly errors: {
    readonly field: string
    readonly message: string
  }[]
  readonly warnings: readonly string[]
  readonly questions: readonly string[]
  readonly suggestions: readonly string[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ValidateTaskQuery".
 */
export interface ValidateTaskQuery {
  readonly agent?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ElaborateTaskBody".
 */
export interface ElaborateTaskBody {
  readonly prompt: string
  /**
   * Name of the Project in this namespace that the repository, the image and the git credentials are taken from. A project that does not exist (yet) makes the task Stalled until it does.
   */
  readonly project?: string
  readonly project_dir?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ElaborateTaskQuery".
 */
export interface ElaborateTaskQuery {
  readonly agent?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListExecutionsQuery".
 */
export interface ListExecutionsQuery {
  readonly since?: string
  readonly task_id?: string
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListStoriesResultItem".
 */
export interface ListStoriesResultItem {
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListStoriesQuery".
 */
export interface ListStoriesQuery {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "CreateStoryResult".
 */
export interface CreateStoryResult {
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "CreateStoryBody".
 */
export interface CreateStoryBody {
  readonly id?: string
  readonly status?: 'DISCOVERY' | 'FRAMING' | 'BACKLOG' | 'PRIORITIZED' | 'IN_PROGRESS' | 'VALIDATING'
  /**
   * Name of the story for people, one line. At most 200 characters.
   */
  readonly name: string
  /**
   * Branch that all tasks of the story clone and push. Default `story/<name of the story>`. A change counts from the next execution on; commits are not moved.
   */
  readonly branch_name?: string
  /**
   * Name of the Project in this namespace whose repository holds the branch.
   */
  readonly project_id?: string
  /**
   * Name of the Epic in this namespace that the story belongs to; absent puts it into the Unassigned lane.
   */
  readonly epic_id?: string
  /**
   * Order within a column of the board, lower first. Absent counts as 0.
   */
  readonly priority?: number
  /**
   * What the story is to achieve, in free text (Markdown). At most 128 KiB.
   */
  readonly spec?: string
  /**
   * @maxItems 50
   *
   * Items: One criterion.
   */
  readonly acceptance_criteria?: readonly string[]
  readonly validation?: {
    /**
     * Kind of check, in a word, such as build, test, smoke or manual.
     */
    readonly type?: string
    /**
     * @maxItems 50
     *
     * Items: One step.
     */
    readonly steps?: readonly string[]
    /**
     * What a passed check looks like.
     */
    readonly success_criteria?: string
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ElaborateStoryResult".
 */
export interface ElaborateStoryResult {
  /**
   * Name of the story for people, one line. At most 200 characters.
   */
  readonly name: string
  /**
   * Branch that all tasks of the story clone and push. Default `story/<name of the story>`. A change counts from the next execution on; commits are not moved.
   */
  readonly branch_name: string
  /**
   * What the story is to achieve, in free text (Markdown). At most 128 KiB.
   */
  readonly spec: string
  /**
   * @maxItems 50
   *
   * Items: One criterion.
   */
  readonly acceptance_criteria: readonly string[]
  /**
   * @minItems 1
   * @maxItems 50
   */
  readonly tasks: {
    /**
     * Name of the task for people, one line; the subject of the commit that keeps what an agent left uncommitted. The only required field. At most 200 characters.
     */
    readonly name: string
    /**
     * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
     */
    readonly description: string
    /**
     * Name of the Agent to use, such as claude, gemini or script. Followed on the first run, a hint afterwards; script is always followed. Absent: Slipway chooses.
     */
    readonly agent?: string
    /**
     * @maxItems 50
     */
    readonly subtasks?: {
      /**
       * Name of the task for people, one line; the subject of the commit that keeps what an agent left uncommitted. The only required field. At most 200 characters.
       */
      readonly name: string
      /**
       * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
       */
      readonly description: string
      /**
       * Name of the Agent to use, such as claude, gemini or script. Followed on the first run, a hint afterwards; script is always followed. Absent: Slipway chooses.
       */
      readonly agent?: string
    }[]
  }[]
  readonly validation: {
    /**
     * Kind of check, in a word, such as build, test, smoke or manual.
     */
    readonly type: string
    /**
     * @maxItems 50
     *
     * Items: One step.
     */
    readonly steps: readonly string[]
    /**
     * What a passed check looks like.
     */
    readonly success_criteria: string
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ElaborateStoryBody".
 */
export interface ElaborateStoryBody {
  readonly prompt: string
  /**
   * Name of the Project in this namespace whose repository holds the branch.
   */
  readonly project_id: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ElaborateStoryQuery".
 */
export interface ElaborateStoryQuery {
  readonly agent?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ApproveStoryResult".
 */
export interface ApproveStoryResult {
  readonly story: {
    readonly id: string
    readonly name: string
    readonly branch_name: string
    readonly status:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly project_id?: string
    readonly epic_id?: string
    readonly priority: number
    readonly spec?: string
    readonly acceptance_criteria: readonly string[]
    readonly validation?: {
      readonly type?: string
      readonly steps: readonly string[]
      readonly success_criteria?: string
    }
    readonly root_task_id?: string
    readonly tasks: {
      readonly total: number
      readonly done: number
    }
    readonly evaluation: {
      readonly total: number
      readonly passed: number
      readonly failed: number
      readonly pending: number
      readonly verdicts: {
        readonly criterion: string
        readonly verdict: 'passed' | 'failed' | 'pending'
        readonly comment?: string
        readonly at?: string
        readonly by?: string
      }[]
      readonly round?: number
      readonly started_at?: string
      readonly message?: string
      readonly runs?: {
        readonly execution_id: string
        readonly role: 'first' | 'second' | 'arbiter'
        readonly agent: string
        readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
        readonly message?: string
        readonly finished_at?: string
        readonly retry_after?: string
      }[]
    }
    readonly decisions: {
      readonly action: 'accept' | 'move' | 'approve'
      readonly status?:
        | 'DISCOVERY'
        | 'FRAMING'
        | 'BACKLOG'
        | 'PRIORITIZED'
        | 'IN_PROGRESS'
        | 'VALIDATING'
        | 'REVIEW_READY'
        | 'DONE'
        | 'SHIPPABLE'
      readonly by?: string
      readonly at: string
    }[]
    readonly created_at: string
    readonly updated_at: string
    readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
    readonly moves: (
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    )[]
  }
  readonly tasks: readonly Task[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ApproveStoryBody".
 */
export interface ApproveStoryBody {
  /**
   * Name of the story for people, one line. At most 200 characters.
   */
  readonly name: string
  /**
   * Branch that all tasks of the story clone and push. Default `story/<name of the story>`. A change counts from the next execution on; commits are not moved.
   */
  readonly branch_name?: string
  /**
   * What the story is to achieve, in free text (Markdown). At most 128 KiB.
   */
  readonly spec?: string
  /**
   * @maxItems 50
   *
   * Items: One criterion.
   */
  readonly acceptance_criteria?: readonly string[]
  readonly validation?: {
    /**
     * Kind of check, in a word, such as build, test, smoke or manual.
     */
    readonly type?: string
    /**
     * @maxItems 50
     *
     * Items: One step.
     */
    readonly steps?: readonly string[]
    /**
     * What a passed check looks like.
     */
    readonly success_criteria?: string
  }
  /**
   * @minItems 1
   * @maxItems 50
   */
  readonly tasks: {
    /**
     * Name of the task for people, one line; the subject of the commit that keeps what an agent left uncommitted. The only required field. At most 200 characters.
     */
    readonly name: string
    /**
     * Name of the Agent to use, such as claude, gemini or script. Followed on the first run, a hint afterwards; script is always followed. Absent: Slipway chooses.
     */
    readonly agent?: string
    /**
     * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
     */
    readonly description?: string
    /**
     * @maxItems 50
     */
    readonly subtasks?: {
      /**
       * Name of the task for people, one line; the subject of the commit that keeps what an agent left uncommitted. The only required field. At most 200 characters.
       */
      readonly name: string
      /**
       * Name of the Agent to use, such as claude, gemini or script. Followed on the first run, a hint afterwards; script is always followed. Absent: Slipway chooses.
       */
      readonly agent?: string
      /**
       * What is to be done, in free text (Markdown). Given to the agent; a change counts from the next execution on. At most 128 KiB.
       */
      readonly description?: string
    }[]
  }[]
  /**
   * Name of the Project in this namespace whose repository holds the branch.
   */
  readonly project_id: string
  readonly run_policy?: 'manual' | 'auto'
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetStoryResult".
 */
export interface GetStoryResult {
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "UpdateStoryResult".
 */
export interface UpdateStoryResult {
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "UpdateStoryBody".
 */
export interface UpdateStoryBody {
  readonly id?: unknown
  readonly name?: string | null
  readonly branch_name?: string | null
  readonly status?: unknown
  readonly project_id?: string | null
  readonly epic_id?: string | null
  readonly priority?: number | null
  readonly spec?: string | null
  readonly acceptance_criteria?: string[] | null
  readonly validation?: {
    readonly type?: string | null
    readonly steps?: string[] | null
    readonly success_criteria?: string | null
  } | null
  readonly root_task_id?: unknown
  readonly tasks?: unknown
  readonly evaluation?: unknown
  readonly decisions?: unknown
  readonly created_at?: unknown
  readonly updated_at?: unknown
  readonly actions?: unknown
  readonly moves?: unknown
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "MoveStoryResult".
 */
export interface MoveStoryResult {
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "MoveStoryBody".
 */
export interface MoveStoryBody {
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "AcceptStoryResult".
 */
export interface AcceptStoryResult {
  readonly message: string
  readonly task_ids?: readonly string[]
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "RunStoryResult".
 */
export interface RunStoryResult {
  readonly message: string
  readonly task_ids?: readonly string[]
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListStoryEventsResultItem".
 */
export interface ListStoryEventsResultItem {
  readonly id: string
  readonly story_id: string
  readonly kind: 'eval_verdict' | 'arbitration_decided' | 'human_accepted' | 'retro_captured' | 'epic_proposed'
  readonly payload: {
    readonly [k: string]: unknown
  }
  readonly at: string
  readonly by?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "CreateStoryEventResult".
 */
export interface CreateStoryEventResult {
  readonly id: string
  readonly story_id: string
  readonly kind: 'eval_verdict' | 'arbitration_decided' | 'human_accepted' | 'retro_captured' | 'epic_proposed'
  readonly payload: {
    readonly [k: string]: unknown
  }
  readonly at: string
  readonly by?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "CreateStoryEventBody".
 */
export interface CreateStoryEventBody {
  readonly kind: 'eval_verdict' | 'arbitration_decided' | 'retro_captured' | 'epic_proposed'
  readonly payload?: {
    readonly [k: string]: unknown
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetStoryGraphResult".
 */
export interface GetStoryGraphResult {
  readonly nodes: {
    readonly id: string
    readonly name: string
    readonly role: 'root' | 'task' | 'subtask' | 'validation'
    readonly state:
      | 'PENDING'
      | 'QUEUED'
      | 'RUNNING'
      | 'READY'
      | 'COMPLETED'
      | 'FAILED'
      | 'TIMED_OUT'
      | 'CANCELLED'
      | 'BUDGET_EXCEEDED'
      | 'BLOCKED'
  }[]
  readonly edges: {
    readonly from: string
    readonly to: string
    readonly kind: 'depends_on' | 'parent_task_id'
  }[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListEpicsResultItem".
 */
export interface ListEpicsResultItem {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly priority: number
  readonly color?: string
  readonly stories: {
    readonly total: number
    readonly done: number
  }
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListEpicsQuery".
 */
export interface ListEpicsQuery {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "CreateEpicResult".
 */
export interface CreateEpicResult {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly priority: number
  readonly color?: string
  readonly stories: {
    readonly total: number
    readonly done: number
  }
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "CreateEpicBody".
 */
export interface CreateEpicBody {
  readonly id?: string
  /**
   * Name of the epic for people, one line. At most 200 characters.
   */
  readonly name: string
  /**
   * What the epic is about, in free text (Markdown). At most 128 KiB.
   */
  readonly description?: string
  /**
   * Order of the lanes, lower first. Absent counts as 0.
   */
  readonly priority?: number
  /**
   * Colour of the lane, as # and six hexadecimal digits. Default: chosen by the UI.
   */
  readonly color?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetEpicResult".
 */
export interface GetEpicResult {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly priority: number
  readonly color?: string
  readonly stories: {
    readonly total: number
    readonly done: number
  }
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "UpdateEpicResult".
 */
export interface UpdateEpicResult {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly priority: number
  readonly color?: string
  readonly stories: {
    readonly total: number
    readonly done: number
  }
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "UpdateEpicBody".
 */
export interface UpdateEpicBody {
  readonly id?: unknown
  readonly name?: string | null
  readonly description?: string | null
  readonly priority?: number | null
  readonly color?: string | null
  readonly stories?: unknown
  readonly created_at?: unknown
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListEpicStoriesResultItem".
 */
export interface ListEpicStoriesResultItem {
  readonly id: string
  readonly name: string
  readonly branch_name: string
  readonly status:
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  readonly project_id?: string
  readonly epic_id?: string
  readonly priority: number
  readonly spec?: string
  readonly acceptance_criteria: readonly string[]
  readonly validation?: {
    readonly type?: string
    readonly steps: readonly string[]
    readonly success_criteria?: string
  }
  readonly root_task_id?: string
  readonly tasks: {
    readonly total: number
    readonly done: number
  }
  readonly evaluation: {
    readonly total: number
    readonly passed: number
    readonly failed: number
    readonly pending: number
    readonly verdicts: {
      readonly criterion: string
      readonly verdict: 'passed' | 'failed' | 'pending'
      readonly comment?: string
      readonly at?: string
      readonly by?: string
    }[]
    readonly round?: number
    readonly started_at?: string
    readonly message?: string
    readonly runs?: {
      readonly execution_id: string
      readonly role: 'first' | 'second' | 'arbiter'
      readonly agent: string
      readonly outcome: 'running' | 'answered' | 'failed' | 'cancelled'
      readonly message?: string
      readonly finished_at?: string
      readonly retry_after?: string
    }[]
  }
  readonly decisions: {
    readonly action: 'accept' | 'move' | 'approve'
    readonly status?:
      | 'DISCOVERY'
      | 'FRAMING'
      | 'BACKLOG'
      | 'PRIORITIZED'
      | 'IN_PROGRESS'
      | 'VALIDATING'
      | 'REVIEW_READY'
      | 'DONE'
      | 'SHIPPABLE'
    readonly by?: string
    readonly at: string
  }[]
  readonly created_at: string
  readonly updated_at: string
  readonly actions: ('accept' | 'run' | 'add_task' | 'move')[]
  readonly moves: (
    | 'DISCOVERY'
    | 'FRAMING'
    | 'BACKLOG'
    | 'PRIORITIZED'
    | 'IN_PROGRESS'
    | 'VALIDATING'
    | 'REVIEW_READY'
    | 'DONE'
    | 'SHIPPABLE'
  )[]
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListEpicStoriesQuery".
 */
export interface ListEpicStoriesQuery {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListProjectsQuery".
 */
export interface ListProjectsQuery {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListAgentsQuery".
 */
export interface ListAgentsQuery {
  readonly limit?: number
  readonly cursor?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetStatsResult".
 */
export interface GetStatsResult {
  readonly window: '24h' | '7d' | '30d'
  readonly errors: {
    readonly quota: number
    readonly rate_limit: number
    readonly timeout: number
    readonly git: number
    readonly failed: number
    readonly failures: {
      readonly task_id: string
      readonly execution_id: string
      readonly category:
        | 'quota'
        | 'budget'
        | 'rate_limit'
        | 'timeout'
        | 'git'
        | 'auth'
        | 'credentials'
        | 'no_repository'
        | 'cancelled'
        | 'lost'
        | 'unavailable'
        | 'failed'
      readonly message: string
      readonly at: string
    }[]
  }
  readonly throughput: {
    readonly hour: string
    readonly completed: number
    readonly failed: number
    readonly other: number
  }[]
  readonly billing: {
    readonly total_7d_usd: number
    readonly average_per_day_usd: number
    readonly cost_per_run_usd: number
    readonly daily: {
      readonly date: string
      readonly cost_usd: number
      readonly runs: number
    }[]
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetStatsQuery".
 */
export interface GetStatsQuery {
  readonly window?: '24h' | '7d' | '30d'
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetVapidKeyResult".
 */
export interface GetVapidKeyResult {
  readonly public_key: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "SubscribePushResult".
 */
export interface SubscribePushResult {
  readonly endpoint: string
  readonly created_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "SubscribePushBody".
 */
export interface SubscribePushBody {
  readonly endpoint: string
  readonly expirationTime?: number | null
  readonly keys: {
    /**
     * An uncompressed P-256 point: 65 bytes
     */
    readonly p256dh: string
    /**
     * 16 bytes
     */
    readonly auth: string
  }
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "UnsubscribePushBody".
 */
export interface UnsubscribePushBody {
  readonly endpoint: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListDropsResultItem".
 */
export interface ListDropsResultItem {
  readonly name: string
  readonly size: number
  readonly modified_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "UploadDropsResultItem".
 */
export interface UploadDropsResultItem {
  readonly name: string
  readonly size: number
  readonly modified_at: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ReceiveWebhookResult".
 */
export interface ReceiveWebhookResult {
  readonly task_id: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "ListScriptsResultItem".
 */
export interface ListScriptsResultItem {
  readonly name: string
  readonly built_in: boolean
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "RunScriptResult".
 */
export interface RunScriptResult {
  readonly name: string
  readonly exit_code: number
  readonly stdout: string
  readonly stderr: string
  readonly duration_seconds: number
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "BeginSessionResult".
 */
export interface BeginSessionResult {
  readonly name: string
  readonly scopes: ('read' | 'decide' | 'admin')[]
  readonly expires_at?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "BeginSessionBody".
 */
export interface BeginSessionBody {
  readonly token: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetSessionResult".
 */
export interface GetSessionResult {
  readonly name: string
  readonly scopes: ('read' | 'decide' | 'admin')[]
  readonly expires_at?: string
}

/**
 * This interface was referenced by `Kinds`'s JSON-Schema
 * via the `definition` "GetOpenApiDocumentResult".
 */
export interface GetOpenApiDocumentResult {
  readonly openapi: string
  readonly info: unknown
  readonly paths: unknown
}

export interface ApiClient {
  /** List tasks, newest first. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listTasks(input?: { query?: ListTasksQuery }, options?: CallOptions): Promise<readonly Task[]>
  /** Create a task. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503. */
  createTask(input: { body: TaskCreate }, options?: CallOptions): Promise<Task>
  /** Read a task. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getTask(input: { params: { id: string } }, options?: CallOptions): Promise<Task>
  /** Change a task by merging; null clears a field. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  updateTask(input: { params: { id: string }; body: TaskEdit; ifMatch?: string }, options?: CallOptions): Promise<Task>
  /** Delete a task with its executions. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  deleteTask(input: { params: { id: string } }, options?: CallOptions): Promise<void>
  /** Queue a task, afresh when it has run before. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  runTask(input: { params: { id: string }; query?: RunTaskQuery }, options?: CallOptions): Promise<ActionResult>
  /** Accept the work of a READY task. Refusals: 400, 401, 403, 404, 408, 409, 412, 414, 431, 500, 503. */
  acceptTask(input: { params: { id: string }; ifMatch?: string }, options?: CallOptions): Promise<ActionResult>
  /** Reject the work of a READY task with a comment. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  rejectTask(
    input: { params: { id: string }; body: RejectTaskBody; ifMatch?: string },
    options?: CallOptions,
  ): Promise<ActionResult>
  /** Cancel a task; 202 while its execution is still ending. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  cancelTask(input: { params: { id: string } }, options?: CallOptions): Promise<ActionResult>
  /** Queue a task that ended without success to go on where it stopped. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  resumeTask(input: { params: { id: string } }, options?: CallOptions): Promise<ActionResult>
  /** Answer the question of a BLOCKED task. Refusals: 400, 401, 403, 404, 408, 409, 413, 414, 415, 431, 500, 503. */
  answerTask(input: { params: { id: string }; body: AnswerTaskBody }, options?: CallOptions): Promise<ActionResult>
  /** List the subtasks of a task in chain order. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  listSubtasks(input: { params: { id: string } }, options?: CallOptions): Promise<readonly Task[]>
  /** List the executions of a task, newest first. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  listTaskExecutions(input: { params: { id: string } }, options?: CallOptions): Promise<readonly Execution[]>
  /** Follow the output of a task as server-sent events. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  streamTaskLogs(
    input: { params: { id: string }; query?: StreamTaskLogsQuery },
    options?: CallOptions,
  ): AsyncIterable<ServerEvent>
  /** Follow the conversation of a task as server-sent events; see docs/conversation.md. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  streamTaskEvents(
    input: { params: { id: string }; query?: StreamTaskEventsQuery },
    options?: CallOptions,
  ): AsyncIterable<ServerEvent>
  /** Whether the running build contains the work of the latest execution. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getTaskDeploymentStatus(input: { params: { id: string } }, options?: CallOptions): Promise<DeploymentStatus>
  /** The Task resource as YAML, with its events and pod as comments. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getTaskManifest(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** Judge a task as a create would, and let an agent say what it would ask; nothing is stored. Refusals: 400, 401, 403, 408, 413, 414, 415, 429, 431, 500, 503. */
  validateTask(
    input: { query?: ValidateTaskQuery; body: TaskCreate },
    options?: CallOptions,
  ): Promise<ValidateTaskResult>
  /** Let an agent turn a request into a task that a create accepts; nothing is stored. Refusals: 400, 401, 403, 408, 413, 414, 415, 422, 429, 431, 500, 502, 503, 504. */
  elaborateTask(
    input: { query?: ElaborateTaskQuery; body: ElaborateTaskBody },
    options?: CallOptions,
  ): Promise<TaskCreate>
  /** List the folders below the workspace root. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listWorkspaces(input?: Record<never, never>, options?: CallOptions): Promise<readonly string[]>
  /** List recent executions, newest first; 50 unless limit says otherwise. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listExecutions(input?: { query?: ListExecutionsQuery }, options?: CallOptions): Promise<readonly Execution[]>
  /** Read an execution. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getExecution(input: { params: { id: string } }, options?: CallOptions): Promise<Execution>
  /** Standard output of an execution. Refusals: 400, 401, 403, 404, 408, 414, 416, 431, 500, 503. */
  getExecutionStdout(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** Standard error of an execution. Refusals: 400, 401, 403, 404, 408, 414, 416, 431, 500, 503. */
  getExecutionStderr(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** Changes against the base of the task’s first run, as a git diff. Refusals: 400, 401, 403, 404, 408, 414, 416, 431, 500, 503. */
  getExecutionDiff(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** The conversation of an execution, one JSON object per line; see docs/conversation.md. Refusals: 400, 401, 403, 404, 408, 414, 416, 431, 500, 503. */
  getExecutionEvents(input: { params: { id: string } }, options?: CallOptions): Promise<ArrayBuffer>
  /** Follow the conversation of an execution as server-sent events; see docs/conversation.md. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  streamExecutionEvents(input: { params: { id: string } }, options?: CallOptions): AsyncIterable<ServerEvent>
  /** List the files that an execution left as artifacts. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  listArtifacts(input: { params: { id: string } }, options?: CallOptions): Promise<readonly Artifact[]>
  /** Download an artifact. Refusals: 400, 401, 403, 404, 408, 414, 416, 431, 500, 503. */
  getArtifact(input: { params: { id: string; name: string } }, options?: CallOptions): Promise<ArrayBuffer>
  /** The Execution resource as YAML, with its events and pod as comments. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getExecutionManifest(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** List stories by status, then priority. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listStories(input?: { query?: ListStoriesQuery }, options?: CallOptions): Promise<readonly ListStoriesResultItem[]>
  /** Create a story. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503. */
  createStory(input: { body: CreateStoryBody }, options?: CallOptions): Promise<CreateStoryResult>
  /** Let an agent plan a story from a request; nothing is stored. Refusals: 400, 401, 403, 408, 413, 414, 415, 422, 429, 431, 500, 502, 503, 504. */
  elaborateStory(
    input: { query?: ElaborateStoryQuery; body: ElaborateStoryBody },
    options?: CallOptions,
  ): Promise<ElaborateStoryResult>
  /** Make a story of a plan: with its tasks, and with its branch pushed to the project. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503, 504. */
  approveStory(input: { body: ApproveStoryBody }, options?: CallOptions): Promise<ApproveStoryResult>
  /** Read a story. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getStory(input: { params: { id: string } }, options?: CallOptions): Promise<GetStoryResult>
  /** Change a story by merging; null clears a field. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  updateStory(
    input: { params: { id: string }; body: UpdateStoryBody; ifMatch?: string },
    options?: CallOptions,
  ): Promise<UpdateStoryResult>
  /** Delete a story with its events; its tasks live on without it. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  deleteStory(input: { params: { id: string } }, options?: CallOptions): Promise<void>
  /** Move a story to another status. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  moveStory(
    input: { params: { id: string }; body: MoveStoryBody; ifMatch?: string },
    options?: CallOptions,
  ): Promise<MoveStoryResult>
  /** Accept a REVIEW_READY story. Refusals: 400, 401, 403, 404, 408, 409, 412, 414, 431, 500, 503. */
  acceptStory(input: { params: { id: string }; ifMatch?: string }, options?: CallOptions): Promise<AcceptStoryResult>
  /** Queue the PENDING tasks of a story; each waits for its dependency. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  runStory(input: { params: { id: string } }, options?: CallOptions): Promise<RunStoryResult>
  /** List the tasks of a story in chain order. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  listStoryTasks(input: { params: { id: string } }, options?: CallOptions): Promise<readonly Task[]>
  /** Add a task to a story, at the end of its chain. Refusals: 400, 401, 403, 404, 408, 409, 413, 414, 415, 431, 500, 503. */
  createStoryTask(input: { params: { id: string }; body: TaskCreate }, options?: CallOptions): Promise<Task>
  /** List what happened to a story, newest first. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  listStoryEvents(
    input: { params: { id: string } },
    options?: CallOptions,
  ): Promise<readonly ListStoryEventsResultItem[]>
  /** Record what happened to a story. Refusals: 400, 401, 403, 404, 408, 413, 414, 415, 431, 500, 503. */
  createStoryEvent(
    input: { params: { id: string }; body: CreateStoryEventBody },
    options?: CallOptions,
  ): Promise<CreateStoryEventResult>
  /** The tasks of a story and how they hang together. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getStoryGraph(input: { params: { id: string } }, options?: CallOptions): Promise<GetStoryGraphResult>
  /** Whether the running build contains the story's work. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getStoryDeploymentStatus(input: { params: { id: string } }, options?: CallOptions): Promise<DeploymentStatus>
  /** The Story resource as YAML, with its events as comments. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getStoryManifest(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** List epics, newest first. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listEpics(input?: { query?: ListEpicsQuery }, options?: CallOptions): Promise<readonly ListEpicsResultItem[]>
  /** Create an epic. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503. */
  createEpic(input: { body: CreateEpicBody }, options?: CallOptions): Promise<CreateEpicResult>
  /** Read an epic. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getEpic(input: { params: { id: string } }, options?: CallOptions): Promise<GetEpicResult>
  /** Change an epic by merging; null clears a field. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  updateEpic(
    input: { params: { id: string }; body: UpdateEpicBody; ifMatch?: string },
    options?: CallOptions,
  ): Promise<UpdateEpicResult>
  /** Delete an epic that no story refers to. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  deleteEpic(input: { params: { id: string } }, options?: CallOptions): Promise<void>
  /** List the stories of an epic by status, then priority. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  listEpicStories(
    input: { params: { id: string }; query?: ListEpicStoriesQuery },
    options?: CallOptions,
  ): Promise<readonly ListEpicStoriesResultItem[]>
  /** The Epic resource as YAML, with its events as comments. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getEpicManifest(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** List projects, newest first. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listProjects(input?: { query?: ListProjectsQuery }, options?: CallOptions): Promise<readonly Project[]>
  /** Register a repository. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503. */
  createProject(input: { body: ProjectCreate }, options?: CallOptions): Promise<Project>
  /** Read a project. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getProject(input: { params: { id: string } }, options?: CallOptions): Promise<Project>
  /** Change a project by merging; null clears a field. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  updateProject(
    input: { params: { id: string }; body: ProjectEdit; ifMatch?: string },
    options?: CallOptions,
  ): Promise<Project>
  /** Delete a project that no task and no story refers to. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  deleteProject(input: { params: { id: string } }, options?: CallOptions): Promise<void>
  /** The Project resource as YAML, with its events as comments. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getProjectManifest(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** Let a drained agent accept work again. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  undrainAgent(input: { params: { agent: string } }, options?: CallOptions): Promise<AgentActionResult>
  /** What every agent does now, and the events of the last 24 hours. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  getAgentsStatus(input?: Record<never, never>, options?: CallOptions): Promise<AgentsStatus>
  /** List agents, newest first. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listAgents(input?: { query?: ListAgentsQuery }, options?: CallOptions): Promise<readonly Agent[]>
  /** Add an agent to the pool. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503. */
  createAgent(input: { body: AgentCreate }, options?: CallOptions): Promise<Agent>
  /** Read an agent with its live state. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getAgent(input: { params: { id: string } }, options?: CallOptions): Promise<Agent>
  /** Change an agent by merging; null clears a field. Refusals: 400, 401, 403, 404, 408, 409, 412, 413, 414, 415, 431, 500, 503. */
  updateAgent(
    input: { params: { id: string }; body: AgentEdit; ifMatch?: string },
    options?: CallOptions,
  ): Promise<Agent>
  /** Delete an agent that no unfinished task refers to. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503. */
  deleteAgent(input: { params: { id: string } }, options?: CallOptions): Promise<void>
  /** The Agent resource as YAML, with its events as comments. Refusals: 400, 401, 403, 404, 408, 414, 431, 500, 503. */
  getAgentManifest(input: { params: { id: string } }, options?: CallOptions): Promise<string>
  /** Errors, throughput and cost of the executions that ended in a window. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  getStats(input?: { query?: GetStatsQuery }, options?: CallOptions): Promise<GetStatsResult>
  /** The public key that a browser subscribes with (RFC 8292). Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  getVapidKey(input?: Record<never, never>, options?: CallOptions): Promise<GetVapidKeyResult>
  /** Send notifications to a browser; a second subscription with the same endpoint replaces the first. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503. */
  subscribePush(input: { body: SubscribePushBody }, options?: CallOptions): Promise<SubscribePushResult>
  /** Send no more notifications to a browser; also when it was not subscribed. Refusals: 400, 401, 403, 408, 413, 414, 415, 431, 500, 503. */
  unsubscribePush(input: { body: UnsubscribePushBody }, options?: CallOptions): Promise<void>
  /** The service worker that shows notifications; it may control the whole origin. Refusals: 400, 403, 408, 414, 431, 500, 503. */
  getServiceWorker(input?: Record<never, never>, options?: CallOptions): Promise<string>
  /** List the files of the drop directory, newest first. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listDrops(input?: Record<never, never>, options?: CallOptions): Promise<readonly ListDropsResultItem[]>
  /** Store files in the drop directory; a file of the same name is replaced. Refusals: 400, 401, 403, 408, 409, 413, 414, 415, 431, 500, 503, 507. */
  uploadDrops(input: { raw: RawContent }, options?: CallOptions): Promise<readonly UploadDropsResultItem[]>
  /** Download a file of the drop directory. Refusals: 400, 401, 403, 404, 408, 414, 416, 431, 500, 503. */
  getDrop(input: { params: { filename: string } }, options?: CallOptions): Promise<ArrayBuffer>
  /** Make a task of a failed check_run or workflow_run; other outcomes are 204. Refusals: 400, 401, 403, 408, 413, 414, 415, 422, 431, 500, 503. */
  receiveWebhook(input: { raw: RawContent }, options?: CallOptions): Promise<ReceiveWebhookResult>
  /** List the scripts that can be run, by name. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  listScripts(input?: Record<never, never>, options?: CallOptions): Promise<readonly ListScriptsResultItem[]>
  /** Run a script to its end; query parameters become environment variables. Refusals: 400, 401, 403, 404, 408, 409, 414, 431, 500, 503, 504. */
  runScript(input: { params: { name: string } }, options?: CallOptions): Promise<RunScriptResult>
  /** Begin a session: a cookie for browsers in place of the token, which may come in Authorization or the body. Refusals: 400, 401, 403, 408, 413, 414, 415, 431, 500, 503. */
  beginSession(input?: { body?: BeginSessionBody }, options?: CallOptions): Promise<BeginSessionResult>
  /** Who the server takes the caller for. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  getSession(input?: Record<never, never>, options?: CallOptions): Promise<GetSessionResult>
  /** End the session in this browser. Refusals: 400, 403, 408, 414, 431, 500, 503. */
  endSession(input?: Record<never, never>, options?: CallOptions): Promise<void>
  /** Version and commit of the running build. Refusals: 400, 401, 403, 408, 414, 431, 500. */
  getVersion(input?: Record<never, never>, options?: CallOptions): Promise<Version>
  /** Whether the process answers. Refusals: 400, 403, 408, 414, 431, 500. */
  getHealth(input?: Record<never, never>, options?: CallOptions): Promise<Health>
  /** Whether the caches hold the state of the control plane. Refusals: 400, 403, 408, 414, 431, 500, 503. */
  getReadiness(input?: Record<never, never>, options?: CallOptions): Promise<Health>
  /** This API as an OpenAPI 3.1 document. Refusals: 400, 401, 403, 408, 414, 431, 500, 503. */
  getOpenApiDocument(input?: Record<never, never>, options?: CallOptions): Promise<GetOpenApiDocumentResult>
  /** This API as a page for people. Refusals: 400, 403, 408, 414, 416, 431, 500, 503. */
  getDocsPage(input?: Record<never, never>, options?: CallOptions): Promise<string>
  /** Script of the page for people. Refusals: 400, 403, 408, 414, 416, 431, 500, 503. */
  getDocsPageScript(input?: Record<never, never>, options?: CallOptions): Promise<string>
  /** Renderer of the page for people. Refusals: 400, 403, 408, 414, 416, 431, 500, 503. */
  getDocsRenderer(input?: Record<never, never>, options?: CallOptions): Promise<string>
  /** Style of the page for people. Refusals: 400, 403, 408, 414, 416, 431, 500, 503. */
  getDocsStyle(input?: Record<never, never>, options?: CallOptions): Promise<string>
}

/** A method for each operation of the API, on top of a transport. */
export function createApiClient(transport: Transport): ApiClient {
  return {
    listTasks: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/tasks', ...input } satisfies Call, options),
    createTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks', ...input } satisfies Call, options),
    getTask: (input, options) =>
      transport.json({ method: 'GET', path: '/api/tasks/{id}', ...input } satisfies Call, options),
    updateTask: (input, options) =>
      transport.json({ method: 'PUT', path: '/api/tasks/{id}', ...input } satisfies Call, options),
    deleteTask: (input, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/tasks/{id}', ...input } satisfies Call, options),
    runTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/{id}/run', ...input } satisfies Call, options),
    acceptTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/{id}/accept', ...input } satisfies Call, options),
    rejectTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/{id}/reject', ...input } satisfies Call, options),
    cancelTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/{id}/cancel', ...input } satisfies Call, options),
    resumeTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/{id}/resume', ...input } satisfies Call, options),
    answerTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/{id}/answer', ...input } satisfies Call, options),
    listSubtasks: (input, options) =>
      transport.json({ method: 'GET', path: '/api/tasks/{id}/subtasks', ...input } satisfies Call, options),
    listTaskExecutions: (input, options) =>
      transport.json({ method: 'GET', path: '/api/tasks/{id}/executions', ...input } satisfies Call, options),
    streamTaskLogs: (input, options) =>
      transport.events({ method: 'GET', path: '/api/tasks/{id}/logs/stream', ...input } satisfies Call, options),
    streamTaskEvents: (input, options) =>
      transport.events({ method: 'GET', path: '/api/tasks/{id}/events/stream', ...input } satisfies Call, options),
    getTaskDeploymentStatus: (input, options) =>
      transport.json({ method: 'GET', path: '/api/tasks/{id}/deployment-status', ...input } satisfies Call, options),
    getTaskManifest: (input, options) =>
      transport.text({ method: 'GET', path: '/api/tasks/{id}/manifest', ...input } satisfies Call, options),
    validateTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/validate', ...input } satisfies Call, options),
    elaborateTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/tasks/elaborate', ...input } satisfies Call, options),
    listWorkspaces: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/workspaces', ...input } satisfies Call, options),
    listExecutions: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/executions', ...input } satisfies Call, options),
    getExecution: (input, options) =>
      transport.json({ method: 'GET', path: '/api/executions/{id}', ...input } satisfies Call, options),
    getExecutionStdout: (input, options) =>
      transport.text({ method: 'GET', path: '/api/executions/{id}/stdout', ...input } satisfies Call, options),
    getExecutionStderr: (input, options) =>
      transport.text({ method: 'GET', path: '/api/executions/{id}/stderr', ...input } satisfies Call, options),
    getExecutionDiff: (input, options) =>
      transport.text({ method: 'GET', path: '/api/executions/{id}/diff', ...input } satisfies Call, options),
    getExecutionEvents: (input, options) =>
      transport.bytes({ method: 'GET', path: '/api/executions/{id}/events', ...input } satisfies Call, options),
    streamExecutionEvents: (input, options) =>
      transport.events({ method: 'GET', path: '/api/executions/{id}/events/stream', ...input } satisfies Call, options),
    listArtifacts: (input, options) =>
      transport.json({ method: 'GET', path: '/api/executions/{id}/artifacts', ...input } satisfies Call, options),
    getArtifact: (input, options) =>
      transport.bytes(
        { method: 'GET', path: '/api/executions/{id}/artifacts/{name}', ...input } satisfies Call,
        options,
      ),
    getExecutionManifest: (input, options) =>
      transport.text({ method: 'GET', path: '/api/executions/{id}/manifest', ...input } satisfies Call, options),
    listStories: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/stories', ...input } satisfies Call, options),
    createStory: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories', ...input } satisfies Call, options),
    elaborateStory: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories/elaborate', ...input } satisfies Call, options),
    approveStory: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories/approve', ...input } satisfies Call, options),
    getStory: (input, options) =>
      transport.json({ method: 'GET', path: '/api/stories/{id}', ...input } satisfies Call, options),
    updateStory: (input, options) =>
      transport.json({ method: 'PUT', path: '/api/stories/{id}', ...input } satisfies Call, options),
    deleteStory: (input, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/stories/{id}', ...input } satisfies Call, options),
    moveStory: (input, options) =>
      transport.json({ method: 'PUT', path: '/api/stories/{id}/status', ...input } satisfies Call, options),
    acceptStory: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories/{id}/accept', ...input } satisfies Call, options),
    runStory: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories/{id}/run', ...input } satisfies Call, options),
    listStoryTasks: (input, options) =>
      transport.json({ method: 'GET', path: '/api/stories/{id}/tasks', ...input } satisfies Call, options),
    createStoryTask: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories/{id}/tasks', ...input } satisfies Call, options),
    listStoryEvents: (input, options) =>
      transport.json({ method: 'GET', path: '/api/stories/{id}/events', ...input } satisfies Call, options),
    createStoryEvent: (input, options) =>
      transport.json({ method: 'POST', path: '/api/stories/{id}/events', ...input } satisfies Call, options),
    getStoryGraph: (input, options) =>
      transport.json({ method: 'GET', path: '/api/stories/{id}/graph', ...input } satisfies Call, options),
    getStoryDeploymentStatus: (input, options) =>
      transport.json({ method: 'GET', path: '/api/stories/{id}/deployment-status', ...input } satisfies Call, options),
    getStoryManifest: (input, options) =>
      transport.text({ method: 'GET', path: '/api/stories/{id}/manifest', ...input } satisfies Call, options),
    listEpics: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/epics', ...input } satisfies Call, options),
    createEpic: (input, options) =>
      transport.json({ method: 'POST', path: '/api/epics', ...input } satisfies Call, options),
    getEpic: (input, options) =>
      transport.json({ method: 'GET', path: '/api/epics/{id}', ...input } satisfies Call, options),
    updateEpic: (input, options) =>
      transport.json({ method: 'PUT', path: '/api/epics/{id}', ...input } satisfies Call, options),
    deleteEpic: (input, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/epics/{id}', ...input } satisfies Call, options),
    listEpicStories: (input, options) =>
      transport.json({ method: 'GET', path: '/api/epics/{id}/stories', ...input } satisfies Call, options),
    getEpicManifest: (input, options) =>
      transport.text({ method: 'GET', path: '/api/epics/{id}/manifest', ...input } satisfies Call, options),
    listProjects: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/projects', ...input } satisfies Call, options),
    createProject: (input, options) =>
      transport.json({ method: 'POST', path: '/api/projects', ...input } satisfies Call, options),
    getProject: (input, options) =>
      transport.json({ method: 'GET', path: '/api/projects/{id}', ...input } satisfies Call, options),
    updateProject: (input, options) =>
      transport.json({ method: 'PUT', path: '/api/projects/{id}', ...input } satisfies Call, options),
    deleteProject: (input, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/projects/{id}', ...input } satisfies Call, options),
    getProjectManifest: (input, options) =>
      transport.text({ method: 'GET', path: '/api/projects/{id}/manifest', ...input } satisfies Call, options),
    undrainAgent: (input, options) =>
      transport.json({ method: 'POST', path: '/api/pool/agents/{agent}/undrain', ...input } satisfies Call, options),
    getAgentsStatus: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/agents/status', ...input } satisfies Call, options),
    listAgents: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/agents', ...input } satisfies Call, options),
    createAgent: (input, options) =>
      transport.json({ method: 'POST', path: '/api/agents', ...input } satisfies Call, options),
    getAgent: (input, options) =>
      transport.json({ method: 'GET', path: '/api/agents/{id}', ...input } satisfies Call, options),
    updateAgent: (input, options) =>
      transport.json({ method: 'PUT', path: '/api/agents/{id}', ...input } satisfies Call, options),
    deleteAgent: (input, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/agents/{id}', ...input } satisfies Call, options),
    getAgentManifest: (input, options) =>
      transport.text({ method: 'GET', path: '/api/agents/{id}/manifest', ...input } satisfies Call, options),
    getStats: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/stats', ...input } satisfies Call, options),
    getVapidKey: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/push/vapid-key', ...input } satisfies Call, options),
    subscribePush: (input, options) =>
      transport.json({ method: 'POST', path: '/api/push/subscribe', ...input } satisfies Call, options),
    unsubscribePush: (input, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/push/subscribe', ...input } satisfies Call, options),
    getServiceWorker: (input = {}, options) =>
      transport.text({ method: 'GET', path: '/api/push/sw.js', ...input } satisfies Call, options),
    listDrops: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/drops', ...input } satisfies Call, options),
    uploadDrops: (input, options) =>
      transport.json({ method: 'POST', path: '/api/drops', ...input } satisfies Call, options),
    getDrop: (input, options) =>
      transport.bytes({ method: 'GET', path: '/api/drops/{filename}', ...input } satisfies Call, options),
    receiveWebhook: (input, options) =>
      transport.json({ method: 'POST', path: '/api/webhooks/vcshost', ...input } satisfies Call, options),
    listScripts: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/scripts', ...input } satisfies Call, options),
    runScript: (input, options) =>
      transport.json({ method: 'POST', path: '/api/scripts/{name}', ...input } satisfies Call, options),
    beginSession: (input = {}, options) =>
      transport.json({ method: 'POST', path: '/api/session', ...input } satisfies Call, options),
    getSession: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/session', ...input } satisfies Call, options),
    endSession: (input = {}, options) =>
      transport.nothing({ method: 'DELETE', path: '/api/session', ...input } satisfies Call, options),
    getVersion: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/version', ...input } satisfies Call, options),
    getHealth: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/healthz', ...input } satisfies Call, options),
    getReadiness: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/readyz', ...input } satisfies Call, options),
    getOpenApiDocument: (input = {}, options) =>
      transport.json({ method: 'GET', path: '/api/openapi.json', ...input } satisfies Call, options),
    getDocsPage: (input = {}, options) =>
      transport.text({ method: 'GET', path: '/api/docs', ...input } satisfies Call, options),
    getDocsPageScript: (input = {}, options) =>
      transport.text({ method: 'GET', path: '/api/docs/page.js', ...input } satisfies Call, options),
    getDocsRenderer: (input = {}, options) =>
      transport.text({ method: 'GET', path: '/api/docs/swagger-ui.js', ...input } satisfies Call, options),
    getDocsStyle: (input = {}, options) =>
      transport.text({ method: 'GET', path: '/api/docs/swagger-ui.css', ...input } satisfies Call, options),
  }
}
