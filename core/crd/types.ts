// Generated from crds/ by tools/generate.ts; do not edit.
import type { Text } from '../text.ts'

/** The part of ObjectMeta that we read or write, of built-in kinds too; the server may send more. */
export interface ObjectMeta {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
}

/** Within one namespace; the object is collected when its last owner is gone. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

/** Manual (default): the task waits until a person runs it. Auto: it is queued once, as soon as it exists; after a reject it waits for a person as well. */
export type RunPolicy = 'Manual' | 'Auto'

/** State of the task; absent means PENDING. Moves that docs/states.md does not list are refused. */
export type TaskState =
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

/** Request (named when the task was run), Spec (spec.agent.type), Rules (classified by Slipway's rules) or Model (classified by a model). */
export type ChosenBy = 'Request' | 'Spec' | 'Rules' | 'Model'

/** Running; Passed; Failed: it ended with another exit code than 0, or was killed; TimedOut; Skipped: there was nothing to check. */
export type CheckState = 'Running' | 'Passed' | 'Failed' | 'TimedOut' | 'Skipped'

/** Kind of failure, for programs: quota, budget, rate_limit, timeout, git, auth, credentials, no_repository, cancelled, lost (the pod vanished), unavailable (the agent cannot run here), checks (a required check of the project is red) or failed (anything else). */
export type ErrorCategory =
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
  | 'checks'
  | 'failed'

/** UpToDate (nothing to do), Rebased (the commits were rebased onto `onto`), Conflict (they conflict with `onto`; see `files`) or Behind (`onto` has more commits, and the work was not rebased; `message` says why). */
export type RebaseResult = 'UpToDate' | 'Rebased' | 'Conflict' | 'Behind'

/** Failed if one run failed; else Pending while one goes on; else Passed. */
export type CiState = 'Pending' | 'Passed' | 'Failed'

/** How it is delivered. Absent until the operator has read the project. */
export type TaskDeliveryKind = 'Merge' | 'PullRequest'

/** Pending, Delivered, Failed (after three further tries), Conflict (see `files`) or Moved (the branch is not at the reviewed commit; see `reviewed`). After the last three the task is READY again: accept delivers again, reject asks for other work. */
export type TaskDeliveryState = 'Pending' | 'Delivered' | 'Failed' | 'Conflict' | 'Moved'

/** What was decided. */
export type DecisionAction =
  'run' | 'accept' | 'reject' | 'cancel' | 'resume' | 'answer' | 'revise' | 'waive' | 'handback'

/** Whether the condition holds. */
export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** Run (fresh start of a task), Resume (in the kept clone and session), Elaborate, Validate, Classify or Evaluate (queries: without a slot, on a throw-away clone, for an answer), Deliver (no agent; works on branches of the remote), Prepare (no agent; runs the setup of the project's environment). */
export type ExecutionPurpose =
  'Run' | 'Resume' | 'Elaborate' | 'Validate' | 'Classify' | 'Evaluate' | 'Deliver' | 'Prepare'

/** Name of the schema that the agent's answer must match; if it does not, the agent is asked once more. */
export type AnswerSchema = 'TaskDraft' | 'StoryPlan' | 'Validation' | 'Classification' | 'Evaluation'

/** CreateBranch makes the branch from the base; Merge merges the branch into the base; PullRequest opens a pull request at the host. */
export type DeliveryKind = 'CreateBranch' | 'Merge' | 'PullRequest'

/** Type of its API; Gitea is also for Forgejo. */
export type HostType = 'GitHub' | 'GitLab' | 'Gitea'

/** State of the execution; absent means PENDING. BLOCKED means that the agent asked a question. */
export type ExecutionState =
  'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'TIMED_OUT' | 'CANCELLED' | 'BUDGET_EXCEEDED' | 'BLOCKED'

/** Whether agents get a copy or read the same one. */
export type CacheMode = 'Copy' | 'ReadOnly'

/** When the agent gets it. Queue: when its turn ends. Steer: as soon as the tool that it runs has ended. Interrupt: at once; its turn is stopped, and its session goes on with the message. */
export type MessageMode = 'Queue' | 'Steer' | 'Interrupt'

/** How the agent's step says that it ended. After `succeeded` a resume repeats only the delivery. */
export type Outcome = 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'blocked' | 'budget_exceeded'

/** Whether the agent's answer matches answerSchema. A usable answer is in agent/answer.json of the execution's folder on the data volume. */
export type AnswerForm = 'Usable' | 'Unusable'

/** Status of the story; absent means DISCOVERY. Moves that docs/states.md does not list are refused. */
export type StoryStatus =
  | 'DISCOVERY'
  | 'FRAMING'
  | 'BACKLOG'
  | 'PRIORITIZED'
  | 'IN_PROGRESS'
  | 'VALIDATING'
  | 'REVIEW_READY'
  | 'DONE'
  | 'SHIPPABLE'

/** First evaluates every criterion, Second evaluates those that the first one failed, Arbiter decides if the two differ. */
export type EvaluationRole = 'First' | 'Second' | 'Arbiter'

/** Answered, Failed (tried again, three times at most) or Cancelled; absent while it runs. */
export type EvaluationOutcome = 'Answered' | 'Failed' | 'Cancelled'

/** Whether it holds. */
export type Verdict = 'passed' | 'failed' | 'pending'

/** The decision; approve means that a plan became the story. */
export type StoryDecisionAction = 'accept' | 'move' | 'approve'

/** Kind of the event: eval_verdict (a criterion was evaluated), arbitration_decided, human_accepted (made only by the server, when a person accepts), retro_captured or epic_proposed. */
export type StoryEventKind =
  'eval_verdict' | 'arbitration_decided' | 'human_accepted' | 'retro_captured' | 'epic_proposed'

/** Whether the clone has the repository's submodules, also those in submodules: None (default: empty folders), Shallow (the recorded commit alone) or Full (with its history). They are fetched before the agent starts. A submodule on the repository's own host is fetched with the same credentials, any other without. One that cannot be fetched stays empty, and the log of the execution says why. */
export type SubmoduleCheckout = 'None' | 'Shallow' | 'Full'

/** Whether files in Git LFS have their content: None (default: the pointers) or Fetch (fetched from the repository's own host before the agent starts; .lfsconfig is not read). New content is uploaded when the work is delivered, in either case. */
export type LfsCheckout = 'None' | 'Fetch'

/** What is done with accepted work: None (default: it stays on its branch), Merge (into the default branch: fast-forward, else a merge commit) or PullRequest (opened at the host). A story is delivered once, when it is accepted. Work that cannot be delivered is READY again and says why. A change counts for work that is accepted afterwards. */
export type OnAccept = 'None' | 'Merge' | 'PullRequest'

/** Building while its setup runs; then Ready or Failed. */
export type EnvironmentState = 'Building' | 'Ready' | 'Failed'

/** Which program Slipway drives: script (runs the task's instructions with bash), claude, codex or gemini (command line tools of that name), acp (the program of `command`, which speaks the Agent Client Protocol on stdio). */
export type AgentAdapter = 'claude' | 'codex' | 'gemini' | 'script' | 'acp'

/** What is answered when the program asks whether it may use a tool: Allow (default) or Refuse. The sandbox limits what is possible, either way. */
export type AcpPermissions = 'Allow' | 'Refuse'

/** What becomes of a further prompt while a turn lasts. Joins: it stands behind the result of the tool that runs, so that people can steer and interrupt the agent. Absent: none is sent, and what people say is given when the turn has ended. */
export type AcpSecondPrompt = 'Joins'

/** Access of the agent to the drop directory: readWrite (default), readOnly or none. */
export type DropsAccess = 'readWrite' | 'readOnly' | 'none'

/** What it means for the drain. Failure counts, Success resets the count, Ignored does neither, Undrained is a failure that no longer counts because a person undrained the agent afterwards. */
export type OutcomeCounted = 'Failure' | 'Success' | 'Ignored' | 'Undrained'

/** What happened. */
export type AgentEventKind = 'rate_limited' | 'recovered' | 'drained' | 'undrained'

/** What was decided. */
export type AgentDecisionAction = 'undrain'

/** Which agent works on the task, and how. Absent means that Slipway chooses one. */
export interface AgentConfiguration {
  /** Name of the Agent to use, such as claude, gemini or script. The first run uses it. A later run by a person chooses anew, with it as a hint, unless that run names an agent (annotation slipway.dev/agent). script is always used. Absent: Slipway chooses. */
  readonly type?: string
  /** Model that the agent uses. Default: the agent's default model. */
  readonly model?: string
  /** Further instructions for the agent; for the script agent the script itself. At most 128 KiB. */
  readonly instructions?: string
  /**
   * Tools that the agent may use, such as Read, Write, Edit, Bash, Grep or Glob. Default: the agent's own list.
   *
   * Items: Name of a tool.
   */
  readonly allowedTools?: readonly string[]
}

/** The desired state. Only people and their tools write it; Slipway writes status. */
export interface TaskSpec {
  /** Name of the task for people, one line. Also the subject of the commit of uncommitted changes. The only required field. At most 200 characters. */
  readonly title: string
  /** What to do, in free text (Markdown). The agent gets it; a change counts from the next execution on. At most 128 KiB. */
  readonly description?: string
  /** Name of the Project in this namespace that gives the repository, the image and the git credentials. While no such project exists, the task is Stalled. */
  readonly project?: string
  /** The prompt that the task was elaborated from, kept for the record. At most 128 KiB. */
  readonly elaborationInput?: string
  /** Branch that the work of a task without a story starts from, is compared with and, once accepted, is delivered to; it must exist in the repository. Default: defaultBranch of the project, else the remote's HEAD. */
  readonly baseBranch?: string
  /** URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only. Default: remoteUrl of the project. */
  readonly repositoryUrl?: string
  /** Image of the container that the agent runs in; it needs glibc, libstdc++, bash and git. Default: the project's image, else the agent's. */
  readonly containerImage?: string
  readonly agent?: AgentConfiguration
  readonly claude?: AgentConfiguration
  /**
   * Names of the tasks in this namespace that must be READY or COMPLETED before this one starts. The task waits without a slot. At most 100. A name that does not exist, or a cycle, makes the task Stalled until it is corrected.
   *
   * Items: Name of a task.
   */
  readonly dependsOn?: readonly string[]
  /** Name of a COMPLETED task of the same project, in this namespace, that this one goes on from. Its agent begins with a copy of that task's session if its program can (claude, codex) and the session is still kept, else it is told what that task did. Clone and branch are new, as those of any task. A change counts when the task is run from the start the next time. */
  readonly continues?: string
  /** Name of the parent task. A parent that succeeds while subtasks are unfinished is BLOCKED until they are READY or COMPLETED. */
  readonly parentTaskId?: string
  /** Name of the Story that the task belongs to. The task then works on the story's branch. */
  readonly storyId?: string
  /** Order among the queued tasks of an agent: lower first, then the time of queueing. Absent counts as 0. A change counts at once for queued tasks. */
  readonly priority?: number
  readonly runPolicy?: RunPolicy
  /** Time limit of the agent's step, from its first instruction, as a Go duration such as 90s or 1h30m. Default: the agent's timeout, else 30m. A task that exceeds it is TIMED_OUT. */
  readonly timeout?: string
  /** Most automatic attempts (after a limit or a lost pod) since the last run, resume, revise or answer by a person. People may run a task without limit. Default 3. */
  readonly maxAttempts?: number
  /** Limit of the cost of all executions of the task together, in US dollars, for claude and for agents with spec.prices. A task that exceeds it is BUDGET_EXCEEDED and never retried by itself. Default: no limit. */
  readonly budgetUSD?: number
  /** True: the task is neither started nor resumed by itself, and stays queued when a person runs it. A running execution continues. Default false. */
  readonly suspend?: boolean
}

/** The agent that was chosen. Cleared by `run`, so that the task is classified again. */
export interface ChosenAgent {
  /** Name of the Agent in this namespace. */
  readonly type?: string
  /** Model that the agent uses; absent means the agent's default. */
  readonly model?: string
  readonly chosenBy?: ChosenBy
  /** Why this agent was chosen, for people. */
  readonly reason?: Text<1024>
}

/** One question. */
export interface Question {
  /** The question itself. */
  readonly text: Text<65536>
  /** A word or two that name its subject. */
  readonly header?: string
  /**
   * Answers to choose from; another answer is allowed. At most 50.
   *
   * Items: One answer.
   */
  readonly options?: readonly string[]
  /** True: more than one option may be chosen. */
  readonly multiple?: boolean
}

/** What a person must answer or decide: an agent's questions while the task is BLOCKED, or the question that a drain set on a FAILED task. */
export interface PendingQuestion {
  /** The questions, in the order to be asked; at most 20. */
  readonly items: readonly Question[]
  /** When the question was asked (RFC 3339, UTC). */
  readonly askedAt?: string
}

/** One check of one round. */
export interface CheckRun {
  /** Its name in the project. */
  readonly name: string
  readonly state: CheckState
  /** False if the work is delivered although it is red. */
  readonly required?: boolean
  /** The round that it ran in, from 1. */
  readonly round: number
  /** The commit that it checked. */
  readonly commit?: string
  /** When it began (RFC 3339, UTC). */
  readonly startedAt?: string
  /** How long it took. */
  readonly seconds?: number
  /** What it ended with; absent where it was killed. */
  readonly exitCode?: number
  /** Why it is red where its exit code does not say so, for people. */
  readonly reason?: Text<1024>
}

/** Who has the work delivered although checks are red; absent if nobody has, and once the agent works again. */
export interface ChecksWaived {
  /** Who, as far as known, such as a token's name or `kubectl (annotation)`. */
  readonly by?: string
  /** Why. At most 4,096 characters. */
  readonly reason: Text<4096>
  /** When (RFC 3339, UTC). */
  readonly at: string
}

/** What the work changes of the project's protected paths; absent if it changes none. */
export interface ProtectedChanges {
  /** How many files. */
  readonly count: number
  /**
   * Their paths, the first 50.
   *
   * Items: A path in the repository.
   */
  readonly paths: Text<1024>[]
}

/** Who took the work over to go on by hand (`slipway checkout`); nothing starts the task until they hand it back or release it. Accept and reject end it too. */
export interface Checkout {
  /** Who, such as a token's name. */
  readonly by: string
  /** When (RFC 3339, UTC). */
  readonly at: string
}

/** What a person has pushed to the task's branch and handed back; the queued start takes it up. */
export interface HandedBack {
  /** Who, such as a token's name. */
  readonly by: string
  /** When (RFC 3339, UTC). */
  readonly at: string
  /** The commit that they pushed last. */
  readonly head: string
  /** True if the work is reviewed as it is, without a run of the agent. */
  readonly withoutAgent?: boolean
}

/** Why it did not succeed; absent otherwise. */
export interface ExecutionError {
  readonly category: ErrorCategory
  /** What happened and the way out, for people. At most 4 KiB. */
  readonly message: Text<4096>
}

/** The commit that the branch was last brought to: a person reviews it, and accept delivers it. Absent until something was pushed. */
export interface TaskHead {
  /** Full hash. */
  readonly commit: string
  /** When the execution that pushed or found this commit ended (RFC 3339, UTC). */
  readonly at: string
}

/** One push. */
export interface RecordedPush {
  /** Commit that the branch was at. Absent if the branch did not exist. */
  readonly found?: string
  /** Commit of the default branch that the work knew. Commits that it reaches are not Slipway's, also once the default branch has lost them. */
  readonly base?: string
  /** Commit of the clone that the push was made from. Absent if that is `head`: nothing was rebased. */
  readonly from?: string
  /** Commit that the push brought it to. */
  readonly head: string
  /** When the execution that pushed ended (RFC 3339, UTC). */
  readonly at: string
}

/** One commit. */
export interface ForeignCommit {
  /** Full hash. */
  readonly commit: string
  /** Name and address of its author, as the commit has them; cut after 200 characters. */
  readonly author: string
  /** First line of its message; cut after 200 characters. */
  readonly subject: string
}

/** One commit. */
export interface HiddenCommit {
  /** Full hash. */
  readonly commit: string
  /** Name and address of its author, as the commit has them; cut after 200 characters. */
  readonly author: string
  /** First line of its message; cut after 200 characters. */
  readonly subject: string
  /** The first such file; cut after 1000 characters. */
  readonly path?: string
}

/** One folder or file. */
export interface Bulk {
  /** Path in the repository; cut after 1000 characters. */
  readonly path: string
  /** How many new files the folder has. Absent for a file. */
  readonly files?: number
  /** Size of the file. Absent for a folder. */
  readonly bytes?: number
}

/** What git counts between the base commit and the work. */
export interface Changes {
  /** Files changed. */
  readonly files: number
  /** Lines added. */
  readonly insertions: number
  /** Lines removed. */
  readonly deletions: number
}

/** Result of comparing the work with its branch, or with its base while that branch was not on the remote, at the delivery. Absent when nothing was delivered. */
export interface RebaseReport {
  readonly result: RebaseResult
  /** The commit that the work was compared with, or rebased onto. */
  readonly onto?: string
  /**
   * The files that conflict; at most 200.
   *
   * Items: Path in the repository.
   */
  readonly files?: readonly string[]
  /** Reason for people. */
  readonly message?: Text<4096>
}

/** One run. */
export interface CiRun {
  /** Its name at the host; cut after 200 characters. */
  readonly name: string
  readonly state: CiState
  /** Its page, with the log. */
  readonly url?: string
}

/** What the CI of the git host says of the commit that the branch was brought to last. Absent if the host is not asked, or has said nothing yet. It says nothing of a later commit; see `commit`. */
export interface CiReport {
  /** Full hash of the commit that it is about. */
  readonly commit: string
  readonly state: CiState
  /** Number of runs that the host names. */
  readonly total: number
  /** The runs; at most 20, failed ones first, then those that go on. */
  readonly runs?: readonly CiRun[]
  /** When the host first said so (RFC 3339, UTC). */
  readonly at: string
}

/** Delivery of the accepted work by the project's `onAccept`; the last task of a story's chain that is done shows that of the story. Absent if nothing is to be delivered. */
export interface TaskDelivery {
  readonly kind?: TaskDeliveryKind
  readonly state: TaskDeliveryState
  /** The only commit that is delivered: the one that the branch was at when the work was accepted. After Moved, the commit that the branch was found at; the next accept delivers it. */
  readonly reviewed?: string
  /** When a person accepted the work (RFC 3339, UTC). */
  readonly requestedAt?: string
  /** The Execution of the latest delivery. */
  readonly execution?: string
  /** Number of retries. */
  readonly retries?: number
  /** Time of the next try (RFC 3339, UTC). */
  readonly retryAt?: string
  /** When it ended (RFC 3339, UTC). */
  readonly at?: string
  /** Commit of the base after the delivery, or of the pull request. */
  readonly commit?: string
  /** Page of the pull request. */
  readonly url?: string
  /** Why it failed, and the way out. */
  readonly message?: Text<4096>
  /**
   * The files that conflict; at most 100.
   *
   * Items: Path in the repository.
   */
  readonly files?: readonly string[]
}

/** One decision. */
export interface Decision {
  readonly action: DecisionAction
  /** Who decided, as far as known, such as a token's name or `kubectl (annotation)`. */
  readonly by?: string
  /** When (RFC 3339, UTC). */
  readonly at: string
  /** The person's comment, cut at 4096 characters. */
  readonly comment?: Text<4096>
}

/** The last action taken from the annotation slipway.dev/action. */
export interface LastAction {
  /** Value of the annotation slipway.dev/action-id; absent when none was given. */
  readonly id?: string
  /** The action. */
  readonly action: string
  /** When it was taken or refused (RFC 3339, UTC). */
  readonly at: string
  /** Why it was refused, for people; absent when it was taken. */
  readonly refused?: Text<1024>
}

/** One action, by its name and its id. */
export interface SpentAction {
  /** Value of the annotation slipway.dev/action. */
  readonly action: string
  /** Value of the annotation slipway.dev/action-id; one of more than 253 characters as `sha256:` and its SHA-256 digest. */
  readonly id: string
}

/** One condition. */
export interface Condition {
  /** Ready, Reconciling or Stalled. */
  readonly type: string
  readonly status: ConditionStatus
  /** metadata.generation that the condition describes. */
  readonly observedGeneration?: number
  /** When status last changed (RFC 3339, UTC). */
  readonly lastTransitionTime: string
  /** Reason for programs, one CamelCase word. */
  readonly reason: string
  /** Reason for people. */
  readonly message: Text<32768>
}

/** State of the task. Written through the status subresource only. */
export interface TaskStatus {
  readonly state?: TaskState
  /** metadata.generation that this status describes; if it is older than metadata.generation, the spec has changed since. */
  readonly observedGeneration?: number
  readonly agent?: ChosenAgent
  readonly question?: PendingQuestion
  /** Present while a model is asked which agent suits the task (classifier.judges of an Agent). */
  readonly classification?: {
    /** Name of the Execution that asks. */
    readonly execution: string
    /** Name of the Agent that is asked. */
    readonly agent: string
    /** When it was asked (RFC 3339, UTC); after 10 seconds the rules choose. */
    readonly askedAt: string
  }
  /** Why a task waits, for people: a slot, its dependencies, its subtasks, an answer, the time of the next attempt, or an invalid reference; while it is RUNNING, what its pod waits for. Absent while it waits for nothing. The REST API computes the place in the queue. */
  readonly waitingFor?: Text<32768>
  /** Comment of the last reject; the agent gets it at the next run. At most 64 KiB. */
  readonly rejectionComment?: Text<65536>
  /** Answer to the last question; the agent gets it at the next resume, a script in the file $SERVICE_ANSWER_FILE. At most 65,536 characters. */
  readonly answer?: Text<65536>
  /** What revises asked to change and is not done yet, oldest first, several each below the name of who asked; the agent gets it at each start until one succeeds, or the work is rejected. At most 65,536 characters. */
  readonly revision?: Text<65536>
  /** How the checks of the project ended in the last round of the last execution; absent if none ran. Work that is delivered because somebody waived its checks keeps what they had found. */
  readonly checks?: readonly CheckRun[]
  /** How many of the checks are green, of those that ran, such as 2/3; absent if none ran. */
  readonly checksSummary?: string
  readonly checksWaived?: ChecksWaived
  readonly protectedChanges?: ProtectedChanges
  readonly checkedOut?: Checkout
  readonly handedBack?: HandedBack
  /**
   * Who has checked the task out since its last execution that delivered work, each name once; the last 50. Where the next one finds commits on the branch that no execution pushed, they become authors (handedBackBy).
   *
   * Items: A name, such as a token's.
   */
  readonly heldBy?: readonly string[]
  /**
   * Who committed to the task's branch by hand, each name once; the last 50. They are its authors too; with 50 nobody can accept where four eyes are asked for.
   *
   * Items: A name, such as a token's.
   */
  readonly handedBackBy?: readonly string[]
  /**
   * Who sent messages to the agent while it worked at the task, each name once; the last 50.
   *
   * Items: A name, such as a token's.
   */
  readonly messagedBy?: readonly string[]
  /** True: the queued start resumes the kept clone and session. False or absent: it starts from a fresh clone. */
  readonly resume?: boolean
  /** Automatic starts since the last run, resume, revise or answer by a person. */
  readonly attempts?: number
  /** Name of the latest Execution. */
  readonly execution?: string
  /** How many executions were ever made; never reset. The next one is named `<task>-<executions+1>`. */
  readonly executions?: number
  /** When the task was queued last; the order within a priority (RFC 3339, UTC). */
  readonly queuedAt?: string
  /** When the latest execution started (RFC 3339, UTC). */
  readonly startedAt?: string
  /** When the latest execution ended (RFC 3339, UTC). */
  readonly finishedAt?: string
  /** When a FAILED or BUDGET_EXCEEDED task is resumed by itself if attempts are left; absent means that it waits for a person (RFC 3339, UTC). */
  readonly resumeAfter?: string
  /** When a person asked to cancel the RUNNING task (RFC 3339, UTC). */
  readonly cancelRequestedAt?: string
  /** What the agent says it did. At most 16 KiB; the whole text is in the execution's files. */
  readonly summary?: Text<16384>
  readonly error?: ExecutionError
  /** Path of the kept clone and agent home on the data volume; absent once they are removed. */
  readonly workspace?: string
  /** Branch that the work is pushed to. */
  readonly branch?: string
  readonly head?: TaskHead
  /** Pushes of Slipway to the task's branch, oldest first, the last 50. A commit counts as Slipway's when a `head` reaches it and neither `found` nor `base` of that push does; all others are listed in foreignCommits. */
  readonly pushes?: readonly RecordedPush[]
  /** Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number. */
  readonly foreignCommits?: readonly ForeignCommit[]
  /** Number of commits that no push of Slipway brought. Absent if there are none. */
  readonly foreignCommitCount?: number
  /** Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first. */
  readonly hiddenCommits?: readonly HiddenCommit[]
  /** What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5. */
  readonly bulk?: readonly Bulk[]
  /** Commit that diff and changes are against: the merge base with the default branch, or for a task of a story what the branch held before the task's first execution. */
  readonly baseCommit?: string
  readonly changes?: Changes
  readonly rebase?: RebaseReport
  readonly ci?: CiReport
  readonly delivery?: TaskDelivery
  /** How many deliveries were ever made; never reset. The next one is named `<task>-d<deliveries+1>`. */
  readonly deliveries?: number
  /** What all executions of the task cost together, in US dollars. */
  readonly costUSD?: number
  /** What people decided, oldest first; the last 50. */
  readonly decisions?: readonly Decision[]
  readonly lastAction?: LastAction
  /** The actions with an id (annotation slipway.dev/action-id) that were taken or refused, oldest first; the last 50. None of them is taken again. */
  readonly spentActions?: readonly SpentAction[]
  /** Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent. */
  readonly conditions?: readonly Condition[]
}

/** A unit of work for a coding agent: what to do, in which repository. Slipway runs it as a Job, and a person accepts the result, asks for changes or rejects it. */
export interface Task {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'Task'
  readonly metadata: ObjectMeta
  readonly spec: TaskSpec
  readonly status?: TaskStatus
}

/** The service that hosts the repository, for pull requests. Derived from the remote for github.com, gitlab.com and codeberg.org. */
export interface RepositoryHost {
  readonly type?: HostType
  /** URL of its API, such as https://git.example.com/api/v4. Default: the usual path on the remote's host. The token of the git Secret is sent there only if the Secret names that host. */
  readonly apiUrl?: string
}

/** What a delivery does on the remote. */
export interface ExecutionDelivery {
  readonly kind: DeliveryKind
  /** The branch that is made or delivered. */
  readonly branch: string
  /** The branch that it is made from or merged into; absent means the remote's default branch. */
  readonly base?: string
  /** Full hash of the reviewed commit. Merge and PullRequest deliver nothing if the branch is at another commit, or if this field is absent. */
  readonly commit?: string
  /** One line for the merge commit or the pull request. */
  readonly title?: string
  /** Text of the pull request. */
  readonly text?: string
  readonly host?: RepositoryHost
}

/** What to run. It cannot be changed. */
export interface ExecutionSpec {
  /** The task that the execution is about; absent for elaborations and evaluations. */
  readonly taskRef?: {
    /** Name of a Task in this namespace. */
    readonly name: string
  }
  /** Name of the Agent in this namespace that runs; absent for deliveries, which run no agent. */
  readonly agent?: string
  /** Model that the agent uses; absent means the agent's default. */
  readonly model?: string
  /** Number of this automatic start of the task, counted from 1. */
  readonly attempt?: number
  readonly purpose: ExecutionPurpose
  /** Name of the execution whose clone and session are resumed. */
  readonly resumes?: string
  /** What a person answered to the last question of the task, until an execution ends well or asks anew; absent if nobody was asked. */
  readonly answer?: {
    /** The answer. At most 64 KiB. */
    readonly text: string
    /** Who answered, as far as known, such as a token's name or `kubectl (annotation)`. */
    readonly by?: string
    /** When (RFC 3339, UTC). */
    readonly at: string
  }
  /** What a person asked to change in earlier work, and is not done yet; absent if there is nothing. */
  readonly revision?: {
    /** The comment, with those of single lines; of several, each below the name of who asked. At most 64 KiB. */
    readonly text: string
    /** Who asked, or asked last, as far as known, such as a token's name or `kubectl (annotation)`. */
    readonly by?: string
    /** When (RFC 3339, UTC). */
    readonly at: string
  }
  /** Who has the work delivered although checks are red; absent if nobody has, and once the agent works again. */
  readonly checksWaived?: {
    /** Who, as far as known, such as a token's name or `kubectl (annotation)`. */
    readonly by?: string
    /** Why. At most 4,096 characters. */
    readonly reason: string
    /** When (RFC 3339, UTC). */
    readonly at: string
  }
  readonly handedBack?: HandedBack
  /** The story that the execution is about. */
  readonly storyRef?: {
    /** Name of a Story in this namespace. */
    readonly name: string
  }
  /** The project whose repository and git credentials are used; absent means the task's or story's own. */
  readonly projectRef?: {
    /** Name of a Project in this namespace. */
    readonly name: string
  }
  /** Absolute path of a folder on this machine that is cloned and not changed; embedded only. It takes precedence over repositoryUrl and the project. */
  readonly localPath?: string
  /** Repository that is cloned. Absent means the project's; without one the agent works in an empty folder. */
  readonly repositoryUrl?: string
  /** Branch that is checked out; absent means the default branch. */
  readonly branch?: string
  /** How long the agent may take, such as 90s or 5m, counted from its first instruction; absent means 5m. */
  readonly timeout?: string
  readonly answerSchema?: AnswerSchema
  /** How long a query is kept after its end, in seconds; absent means 2678400, which is 31 days, so that the statistics of a month have its costs. Executions of tasks are kept with their tasks. */
  readonly ttlSecondsAfterFinished?: number
  readonly delivery?: ExecutionDelivery
  /** Image that the setup of a Prepare runs in: the one of the agents that get what it prepares. Absent on one machine. */
  readonly image?: string
}

/** One step. */
export interface ExecutionPhase {
  /** Name of the step, such as prepare, agent, stage or deliver, or of a part of one: mirror, environment; checks is one for all of them, and services the wait between two steps. */
  readonly name: string
  /** When it began (RFC 3339, UTC). */
  readonly startedAt?: string
  /** When it ended (RFC 3339, UTC); absent while it runs. */
  readonly finishedAt?: string
}

/** The prepared environment that the execution begins with; absent where the project has none. */
export interface ExecutionEnvironment {
  /** Name of the Execution that prepared it; absent while it is waited for, or where the agent starts without. */
  readonly execution?: string
  /** SHA-256 of what the execution's commit wants, in hex (status.environments[].digest of the Project). */
  readonly digest?: string
  /** The commit that wants it. */
  readonly commit?: string
  /** Whether that is a commit of the default branch, whose environments all tasks of the project share. */
  readonly isShared?: boolean
  /** Since when the execution waits for it to be prepared, without a pod (RFC 3339, UTC). */
  readonly waitingSince?: string
  /** Why the agent started without it, for people. */
  readonly problem?: Text<4096>
}

/** One folder. */
export interface SealedCache {
  /** Path from the top of the clone, or from the agent's home with ~/ before it. */
  readonly path: Text<1024>
  readonly mode: CacheMode
}

/** What a Prepare has made. */
export interface SealedEnvironment {
  /** SHA-256 of the recipe and the contents of its key files, in hex. */
  readonly digest?: string
  /** Commit that it was prepared at. */
  readonly commit?: string
  /** Whether that is a commit of the default branch. */
  readonly isShared?: boolean
  /** The folders that it holds. */
  readonly cache?: readonly SealedCache[]
  /** What it takes on the data volume. */
  readonly bytes?: number
}

/** One service. */
export interface ServiceRestarts {
  /** Its name in the project. */
  readonly name: string
  /** How often it ended and was started again. */
  readonly restarts: number
  /** Kubernetes' word for why it last ended or does not start, such as OOMKilled. */
  readonly reason?: string
}

/** The latest pod, as last observed. */
export interface ExecutionPod {
  /** Name of the Pod. */
  readonly name?: string
  /** Its phase. Pending until the last step starts, as for any pod with init containers. */
  readonly phase?: string
  /** Kubernetes' reason why it does not run or did not succeed, such as ErrImagePull or OOMKilled. */
  readonly reason?: Text<1024>
}

/** How its agent began the task that goes on from another one (`spec.continues` of the task); absent if the task names none, or the execution resumes an earlier one. */
export interface ContinuedFrom {
  /** The task that is gone on from. */
  readonly task: string
  /** Why the agent was only told what that task did; absent if it began with a copy of its session. */
  readonly told?: Text<1024>
}

/** One message. */
export interface AgentMessage {
  /** Names the message, within the execution and in the conversation. */
  readonly id: string
  /** Who sent it, as far as known, such as a token's name or `kubectl (annotation)`. */
  readonly by?: string
  /** When it was sent (RFC 3339, UTC). */
  readonly at: string
  readonly mode: MessageMode
  /** What was said. At most 8 KiB. */
  readonly text: Text<8192>
  /** When the agent was given it (RFC 3339, UTC); absent while it was not. */
  readonly deliveredAt?: string
  /** True: the runner was killed while it gave the message, so that nobody knows whether the agent has it. It is not given again, but repeated with its id when the agent is next told something. */
  readonly uncertain?: boolean
}

/** Tokens used, when the agent reports them. */
export interface Tokens {
  /** Tokens read, not from a cache. */
  readonly input: number
  /** Tokens written. */
  readonly output: number
  /** Tokens read from the provider's cache. */
  readonly cacheRead: number
  /** Tokens written to the provider's cache. */
  readonly cacheWrite: number
}

/** The push of this execution. `found` is `head` if the branch had the work already. Absent if it has no work. */
export interface ExecutionPush {
  /** Commit that the branch was at. Absent if the branch did not exist. */
  readonly found?: string
  /** Commit of the default branch that the work knew. Commits that it reaches are not Slipway's, also once the default branch has lost them. */
  readonly base?: string
  /** Commit of the clone that the push was made from. Absent if that is `head`. */
  readonly from?: string
  /** Commit that the push brought it to. */
  readonly head: string
}

/** What accepting the story adds to the default branch; only for work on a story's branch. Its diff is branch.diff of the execution's folder on the data volume. */
export interface BranchReview {
  /** Merge base of the branch with the default branch; diff and changes are against it. */
  readonly baseCommit: string
  /** Commit of the branch that is reviewed. */
  readonly head: string
  /**
   * Full hashes of the commits that accepting adds, newest first; at most 200.
   *
   * Items: Hash of a commit.
   */
  readonly commits?: readonly string[]
  readonly changes?: Changes
  /** Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number. */
  readonly foreignCommits?: readonly ForeignCommit[]
  /** Number of commits that no push of Slipway brought. Absent if there are none. */
  readonly foreignCommitCount?: number
  /** Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first. */
  readonly hiddenCommits?: readonly HiddenCommit[]
  /** What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5. */
  readonly bulk?: readonly Bulk[]
}

/** What happened. Written by the operator through the status subresource only. */
export interface ExecutionStatus {
  readonly state?: ExecutionState
  /** metadata.generation that this status describes. */
  readonly observedGeneration?: number
  /** When the execution became RUNNING (RFC 3339, UTC). */
  readonly startedAt?: string
  /** When it ended (RFC 3339, UTC). */
  readonly finishedAt?: string
  /** The steps and their times, in order. */
  readonly phases?: readonly ExecutionPhase[]
  readonly environment?: ExecutionEnvironment
  readonly sealed?: SealedEnvironment
  /** Services of the project that do not run, or did not all the time, such as a database that ran out of memory; absent where all are well. */
  readonly services?: readonly ServiceRestarts[]
  /** How many Jobs were made for the execution; a vanished pod or renewed credentials need a further one. */
  readonly jobs?: number
  /** Name of the latest Job. */
  readonly jobName?: string
  /** Why none of its steps runs yet, for people: a full quota, no node, an image that cannot be had, a queue. Its task says the same. Absent once a step runs. */
  readonly waitingFor?: Text<4096>
  readonly pod?: ExecutionPod
  /** Folder with the clone and the agent's home, on the data volume. Kept while the work is not delivered. */
  readonly sandboxDir?: string
  /** File with the agent's standard output, on the data volume. At most 1 GiB, then cut with a marker. */
  readonly stdoutPath?: string
  /** File with the agent's standard error, on the data volume. At most 1 GiB, then cut with a marker. */
  readonly stderrPath?: string
  /** Folder with the files that the agent kept for people, on the data volume. */
  readonly artifactDir?: string
  /** Exit code of the agent's program. */
  readonly exitCode?: number
  /** The agent's id of its session; a resume continues this session. */
  readonly sessionId?: string
  readonly continued?: ContinuedFrom
  /** The checks of the project that ran on the work, of each round, in order. Each ran in a checkout of the commit that it names, where the agent cannot write. */
  readonly checks?: readonly CheckRun[]
  /** The round that it is in, or ended in, where a red check was the agent's to mend: 2 or more. Absent: there was one. */
  readonly rounds?: number
  /** The number of the Job that this round began with, or with which the agent began anew because its clone was gone; absent for the first. */
  readonly roundSince?: number
  /** The number of the Job with which its agent began anew because the clone was gone, with all that was done in it: no Job takes up a session of before. Absent: it did not. */
  readonly anewSince?: number
  /** When the round that `rounds` names began (RFC 3339, UTC); absent in the first, which began with the execution. */
  readonly roundStartedAt?: string
  /** How often its work was checked again because the branch had moved meanwhile; absent if it never was. */
  readonly restaged?: number
  readonly protectedChanges?: ProtectedChanges
  /** What people said to the agent while it worked, oldest first. One that never reached it is told to the agent when the task goes on. */
  readonly messages?: readonly AgentMessage[]
  /**
   * Names of MCP servers of the Agent or Project that did not start, so that the agent worked without their tools.
   *
   * Items: Name of a server.
   */
  readonly failedServers?: readonly string[]
  readonly agentOutcome?: Outcome
  /** What the agent asked, in order; at most 20. */
  readonly questions?: readonly Question[]
  /** What the execution cost, in US dollars, when the agent reports it. */
  readonly costUSD?: number
  readonly tokens?: Tokens
  /** Turns of the conversation between agent and model. */
  readonly turns?: number
  /** What the agent says it did. At most 16 KiB here; the whole text is a file on the data volume. */
  readonly summary?: Text<16384>
  readonly error?: ExecutionError
  /** Known end of the limit that ended the execution, or when a git remote that failed for a while is tried again (RFC 3339, UTC). */
  readonly resumeAfter?: string
  /** Commit that diff and changes are against: the merge base with the default branch, or for a task of a story what the branch held before the task's first execution. */
  readonly baseCommit?: string
  /**
   * Full hashes of the commits that were delivered, newest first; at most 200.
   *
   * Items: Hash of a commit.
   */
  readonly commits?: readonly string[]
  readonly push?: ExecutionPush
  /** Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number. */
  readonly foreignCommits?: readonly ForeignCommit[]
  /** Number of commits that no push of Slipway brought. Absent if there are none. */
  readonly foreignCommitCount?: number
  /** Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first. */
  readonly hiddenCommits?: readonly HiddenCommit[]
  /** What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5. */
  readonly bulk?: readonly Bulk[]
  readonly branchReview?: BranchReview
  /** Branch that the commits were pushed to. */
  readonly branch?: string
  /** True once the branch is on the remote. */
  readonly pushed?: boolean
  /** Full hash of the commit that the branch was brought to. If a delivery failed because the branch had moved, the commit that it found instead of the reviewed one. */
  readonly head?: string
  readonly rebase?: RebaseReport
  readonly changes?: Changes
  /** When somebody cancelled a query (RFC 3339, UTC); it ends as CANCELLED. A task's execution is cancelled through its task. */
  readonly cancelRequestedAt?: string
  readonly answer?: AnswerForm
  /** Result of a delivery. */
  readonly delivered?: {
    /** Full hash of the branch's commit, or of the base's commit after a merge. */
    readonly commit?: string
    /** Page of the pull request. */
    readonly url?: string
  }
  /**
   * Files that conflict between the work and its base, relative to the root; at most 100.
   *
   * Items: Path of a file.
   */
  readonly conflicts?: readonly string[]
  /**
   * Work of the agent that is not on the branch, and why; at most 50. It is still in the clone while the task has one.
   *
   * Items: One path, branch or worktree.
   */
  readonly undelivered?: {
    /** Path in the clone, or the name of a branch. */
    readonly path: string
    /** Why it is not delivered, for people. */
    readonly reason: string
  }[]
  /** How many there are in all; undelivered holds the first 50. */
  readonly undeliveredCount?: number
  /** True when credentials were copied again after an authentication error; that happens once. */
  readonly authRetried?: boolean
  /** Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand, and ServersStarted, False where MCP servers did not start. A type that does not apply is absent. */
  readonly conditions?: readonly Condition[]
}

/** One run of an agent, made by the operator for a task or for a query such as an elaboration. It records what happened. Its Job is named `<execution>-run`. */
export interface Execution {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'Execution'
  readonly metadata: ObjectMeta
  readonly spec: ExecutionSpec
  readonly status?: ExecutionStatus
}

/** How the finished story is checked. */
export interface StoryValidation {
  /** Kind of check, in a word, such as build, test, smoke or manual. */
  readonly type?: string
  /**
   * The steps of the check, in order; at most 50.
   *
   * Items: One step.
   */
  readonly steps?: readonly string[]
  /** What a passed check looks like. */
  readonly successCriteria?: string
}

/** The desired state, written by people. */
export interface StorySpec {
  /** Name of the story for people, one line. At most 200 characters. */
  readonly title: string
  /** Branch that all tasks of the story clone and push. Default `story/<name of the story>`. It cannot be renamed once an execution has worked on it, because later work would not find the commits on the old branch. */
  readonly branchName?: string
  /** Name of the Project in this namespace whose repository holds the branch. */
  readonly projectId?: string
  /** Name of the Epic in this namespace that the story belongs to; absent puts it into the Unassigned lane. */
  readonly epicId?: string
  /** Order within a column of the board, lower first. Absent counts as 0. */
  readonly priority?: number
  /** Goal of the story, in free text (Markdown). At most 128 KiB. */
  readonly spec?: string
  /**
   * What must hold for the story to be accepted, one sentence each; at most 50.
   *
   * Items: One criterion.
   */
  readonly acceptanceCriteria?: readonly string[]
  readonly validation?: StoryValidation
}

/** Counts of the story's tasks, without CANCELLED ones. */
export interface StoryTasks {
  /** How many there are. */
  readonly total: number
  /** How many are READY or COMPLETED. */
  readonly done: number
}

/** One execution. */
export interface EvaluationRun {
  /** Name of the Execution. */
  readonly execution: string
  readonly role: EvaluationRole
  /** Name of the Agent. */
  readonly agent: string
  /**
   * Ids of the criteria of this run, made from their texts. A criterion that is added meanwhile gets a further run. At most 50.
   *
   * Items: Id of a criterion.
   */
  readonly criteria?: readonly string[]
  readonly outcome?: EvaluationOutcome
  /** Why it failed, for people. */
  readonly message?: Text<1024>
  /** When it ended (RFC 3339, UTC). */
  readonly finishedAt?: string
  /** When the next run of this role may begin, after one that failed (RFC 3339, UTC). */
  readonly retryAfter?: string
}

/** Further work that the evaluating agent proposes; recorded as an epic_proposed event when the story is accepted. */
export interface FollowUp {
  /** Title, one line. */
  readonly title: string
  /** Description of the work. */
  readonly description?: Text<8192>
  /** Name of the Agent that proposes it. */
  readonly agent?: string
}

/** One verdict. */
export interface StoryVerdict {
  /** Text of the criterion. */
  readonly criterion: Text<4096>
  readonly verdict: Verdict
  /** Reason for people. */
  readonly comment?: Text<4096>
  /** The agent or the person whose verdict counts. */
  readonly by?: string
  /** When (RFC 3339, UTC). */
  readonly at?: string
}

/** Verdicts on the acceptance criteria, counted from the story's events. A round begins each time the story moves from SHIPPABLE to VALIDATING; verdicts of an earlier round do not count. */
export interface StoryEvaluation {
  /** Criteria in all. */
  readonly total: number
  /** Criteria that hold. */
  readonly passed: number
  /** Criteria that do not hold. */
  readonly failed: number
  /** Criteria without a verdict, or with one that is still disputed. */
  readonly pending: number
  /** Number of this evaluation, counted from 1; absent before the first one. */
  readonly round?: number
  /** When the round began; verdicts of people count from then on (RFC 3339, UTC). */
  readonly startedAt?: string
  /** The runs of this round, oldest first. Kept here because executions of queries are deleted 31 days after they end. */
  readonly runs?: readonly EvaluationRun[]
  readonly followUp?: FollowUp
  /** The verdict per criterion, in the order of the criteria; at most 50. */
  readonly verdicts?: readonly StoryVerdict[]
}

/** What accepting the story adds to the default branch. Absent until a task has pushed, and for work that was pushed before Slipway recorded it. */
export interface StoryReview {
  /** The Execution that found it; it has the diff. */
  readonly execution: string
  /** Merge base of the branch with the default branch; diff and changes are against it. */
  readonly baseCommit: string
  /** Commit of the branch that is reviewed. */
  readonly head: string
  /**
   * Full hashes of the commits that accepting adds, newest first; at most 200.
   *
   * Items: Hash of a commit.
   */
  readonly commits?: readonly string[]
  readonly changes?: Changes
  /** Commits of the reviewed work that no push of Slipway brought, newest first: somebody else pushed them to the branch. Accepting adds them too. At most 50; foreignCommitCount has their number. */
  readonly foreignCommits?: readonly ForeignCommit[]
  /** Number of commits that no push of Slipway brought. Absent if there are none. */
  readonly foreignCommitCount?: number
  /** Commits with content that the diff does not show, because a later commit takes it back: a file, or lines of one. Accepting adds them to the history with all that they hold. At most 50, newest first. */
  readonly hiddenCommits?: readonly HiddenCommit[]
  /** What the work adds that a repository is rarely meant to hold: new folders with 1,000 files or more, and files of 50 MiB or more. At most 5. */
  readonly bulk?: readonly Bulk[]
}

/** The story branch on the remote. */
export interface StoryBranch {
  /** Its name when the first execution worked on it; afterwards it cannot be renamed. */
  readonly name?: string
  /** True once the branch is on the remote. */
  readonly created?: boolean
  /** Commit at its head, as last observed. */
  readonly head?: string
}

/** One decision. */
export interface DecisionOnStory {
  readonly action: StoryDecisionAction
  readonly status?: StoryStatus
  /** Who decided, as far as known, such as a token's name or `kubectl (annotation)`. */
  readonly by?: string
  /** When (RFC 3339, UTC). */
  readonly at: string
}

/** State of the story. Written through the status subresource only. */
export interface StoryStatusFields {
  readonly status?: StoryStatus
  readonly movedFrom?: StoryStatus
  /** When the status last changed (RFC 3339, UTC). */
  readonly statusChangedAt?: string
  /**
   * Events of tasks that were known when the status changed, the last 200. They do not move the story again, whatever the clocks say.
   *
   * Items: One event, as kind, task and time.
   */
  readonly countedEvents?: readonly string[]
  /** Events before this time are counted although they are not listed in countedEvents (RFC 3339, UTC); absent in what earlier versions wrote, which listed only those that are not before statusChangedAt. */
  readonly countedFrom?: string
  /** Who accepted the story; absent until somebody does. */
  readonly accepted?: {
    /** Full hash of the accepted commit: the last one that the story's tasks brought its branch to. Absent if none of them has pushed. */
    readonly commit?: string
    /** Who, as far as known. */
    readonly by?: string
    /** When (RFC 3339, UTC). */
    readonly at: string
  }
  /** metadata.generation that this status describes. */
  readonly observedGeneration?: number
  /** First task of the story's chain. */
  readonly rootTaskId?: string
  readonly tasks?: StoryTasks
  readonly evaluation?: StoryEvaluation
  /**
   * Who authored tasks whose work is on the story's branch, or told their agents what to do. Four eyes ask for somebody else, also once such a task is cancelled, deleted or in another story.
   *
   * Items: A name, cut if it is long.
   */
  readonly authors?: readonly string[]
  /** Pushes of Slipway to the story's branch, oldest first, the last 50. A commit counts as Slipway's when a `head` reaches it and neither `found` nor `base` of that push does; all others are listed in foreignCommits. */
  readonly pushes?: readonly RecordedPush[]
  readonly review?: StoryReview
  readonly branch?: StoryBranch
  /** What people decided about the story, oldest first; the last 50. */
  readonly decisions?: readonly DecisionOnStory[]
  readonly lastAction?: LastAction
  /** The actions with an id (annotation slipway.dev/action-id) that were taken or refused, oldest first; the last 50. None of them is taken again. */
  readonly spentActions?: readonly SpentAction[]
  /** Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent. */
  readonly conditions?: readonly Condition[]
}

/** A goal that several tasks reach together on one branch of a project's repository. */
export interface Story {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'Story'
  readonly metadata: ObjectMeta
  readonly spec: StorySpec
  readonly status?: StoryStatusFields
}

/** What happened. It cannot be changed. */
export interface StoryEventSpec {
  /** Name of the Story in this namespace. */
  readonly storyId: string
  readonly kind: StoryEventKind
  /** Details; their form depends on the kind of event. */
  readonly payload?: Readonly<Record<string, unknown>>
  /** When it happened (RFC 3339, UTC). */
  readonly at: string
  /** Who did it, as far as known. */
  readonly by?: string
}

/** Something that happened to a story. Created once and never changed. */
export interface StoryEvent {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'StoryEvent'
  readonly metadata: ObjectMeta
  readonly spec: StoryEventSpec
}

/** The desired state, written by people. */
export interface EpicSpec {
  /** Name of the epic for people, one line. At most 200 characters. */
  readonly title: string
  /** What the epic is about, in free text (Markdown). At most 128 KiB. */
  readonly description?: string
  /** Order of the lanes, lower first. Absent counts as 0. */
  readonly priority?: number
  /** Colour of the lane, as # and six hexadecimal digits. Default: chosen by the UI. */
  readonly color?: string
}

/** Observed state. Written through the status subresource only. */
export interface EpicStatus {
  /** metadata.generation that this status describes. */
  readonly observedGeneration?: number
  /** Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent. */
  readonly conditions?: readonly Condition[]
}

/** A group of stories that belong together; a lane of the board. */
export interface Epic {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'Epic'
  readonly metadata: ObjectMeta
  readonly spec: EpicSpec
  readonly status?: EpicStatus
}

/** What of the repository an execution's clone has. A change counts for clones that are made afterwards. Default: all branches with their whole history and all files, no submodules and no LFS content. */
export interface ProjectCheckout {
  /** Number of commits of each branch that the clone has. Default: all. Such a clone borrows nothing from the repository's mirror, which often costs more time than the shorter history saves. */
  readonly depth?: number
  /** Objects that the clone leaves out: blob:none (contents of files that are not checked out), blob:limit=<n> with k, m or g behind it (contents from that size on), or tree:0 (folders too). Git of the agent has no credentials, so it can fetch what is left out only from a repository that everybody may read. Such a clone borrows nothing from the repository's mirror. */
  readonly filter?: string
  /**
   * Folders that are checked out, with all that is in them, besides the files at the top and in the folders on the way (git sparse-checkout in cone mode). The rest stays in the repository as it is. Default: everything is checked out. At most 100.
   *
   * Items: One folder, as a path from the top of the repository, such as services/shop.
   */
  readonly sparse?: readonly string[]
  readonly submodules?: SubmoduleCheckout
  readonly lfs?: LfsCheckout
  /** Whether clones borrow the objects of a mirror of the repository on the data volume, which saves time and disk. False: each clone has all of its objects itself. Default true; with depth or filter nothing is borrowed. */
  readonly borrow?: boolean
}

/** One variable. */
export interface SetupVariable {
  /** Name of the variable. */
  readonly name: string
  /** Its value, if it is not secret; everybody who may read this resource sees it. */
  readonly value?: string
  /** Where its value is kept, such as the token of a package registry. Only a setup at a commit of the default branch gets it, since a branch may hold what an agent wrote, and none in an image that only a task names. */
  readonly secretKey?: {
    /** Secret in this namespace, labelled slipway.dev/usable-by=setup. */
    readonly name: string
    /** Key of that Secret. */
    readonly key: string
  }
}

/** One folder. */
export interface ProjectCache {
  /** Path from the top of the clone, or from the agent's home with ~/ before it. Git of the clone ignores it. */
  readonly path: string
  readonly mode?: CacheMode
}

/** What an agent finds installed. The setup runs once for each state of the key files, in an execution of its own without a model's or git's credentials; what it leaves in the cache paths is kept and handed to the agent of every task whose files are the same. Default: what .slipway/environment.yaml in the repository says, in the same form, without secrets. With plain processes (--runtime process) there are no environments. */
export interface ProjectEnvironment {
  /** Program that prepares a fresh clone, such as npm ci. Run like a script: with its own shebang, or with bash, at the top of the clone. Exit code 0 is success. At most 32 KiB. */
  readonly setup: string
  /** Environment variables of the setup. Agents do not get them. */
  readonly env?: readonly SetupVariable[]
  /** What is kept of what the setup leaves behind: folders such as node_modules, .venv or ~/go/pkg/mod. None may lie inside another. */
  readonly cache?: readonly ProjectCache[]
  /**
   * Files whose content decides whether the setup runs again, such as package-lock.json, as paths from the top of the repository. A setup without keys runs once. At most 50.
   *
   * Items: Path of one file.
   */
  readonly keys?: readonly string[]
  /** How long the setup may take, such as 90s or 30m. Default 30m. */
  readonly timeout?: string
  /** Whether tasks fail when the setup has failed. Default: agents start without what it prepares, and the task says so. */
  readonly required?: boolean
}

/** One variable. */
export interface CheckVariable {
  /** Name of the variable. Those that begin with SLIPWAY_ are Slipway's own. */
  readonly name: string
  /** Its value. */
  readonly value: string
}

/** One check. */
export interface ProjectCheck {
  /** Name of the check, as people and the agent see it; its container is check-<name>. */
  readonly name: string
  /** Program that checks the work, such as npm ci && npm test. Run like a script: with its own shebang, or with bash, at the top of the checkout. Exit code 0 is green. At most 32 KiB. */
  readonly run: string
  /** How long it may take, such as 90s or 10m. Default 30m. */
  readonly timeout?: string
  /** False: work is delivered although this check is red, which its reviewers see. Default: true. */
  readonly required?: boolean
  /** Image of its container. Default: that of the agent's step. */
  readonly image?: string
  /** Its environment variables. None may be secret, since it runs what agents wrote. */
  readonly env?: readonly CheckVariable[]
}

/** One variable. */
export interface McpVariable {
  /** Name of the variable. */
  readonly name: string
  /** Its value, if it is not secret; everybody who may read this resource sees it. */
  readonly value?: string
  /** Key of the agent's Secret (credentials.secretName) that holds its value. */
  readonly key?: string
}

/** One server: a program in the agent's container, or a URL. */
export interface McpServer {
  /** Name of the server for the agent; part of its tools' names. */
  readonly name: string
  /** Program that is started in the agent's container and communicates on stdin and stdout. */
  readonly command?: string
  /**
   * Its arguments. Every process of the machine can read them, so none may be secret.
   *
   * Items: One argument.
   */
  readonly args?: readonly string[]
  /** Its environment variables, in addition to those of the agent. */
  readonly env?: readonly McpVariable[]
  /** URL of a server for streamable HTTP. */
  readonly url?: string
  /** Headers of the requests to it, such as Authorization. */
  readonly headers?: readonly McpVariable[]
}

/** One variable. */
export interface ServiceVariable {
  /** Name of the variable. */
  readonly name: string
  /** Its value. */
  readonly value: string
}

/** One service. A container's fields mean what they mean in a pod. */
export interface ProjectService {
  /** Name of the service; part of its variables, with _ for each -. */
  readonly name: string
  /** Image of its container, which must run as any user that is not root. */
  readonly image: string
  /**
   * Program and first arguments. Default: the image's entry point.
   *
   * Items: One word.
   */
  readonly command?: readonly string[]
  /**
   * Arguments. Default: the image's.
   *
   * Items: One argument.
   */
  readonly args?: readonly string[]
  /** Its environment variables. None may be secret, since agents run beside it. */
  readonly env?: readonly ServiceVariable[]
  /**
   * Ports that it listens on, the first of which SERVICE_<NAME>_PORT holds. Services of a project share the pod's network, so no two may have the same.
   *
   * Items: One port.
   */
  readonly ports?: readonly number[]
  /** When the agent may start: once this holds. Default: once its first port takes a connection; without a port, once the container runs. */
  readonly ready?: {
    /**
     * Program and arguments that end with 0 in the container, such as [pg_isready].
     *
     * Items: One word.
     */
    readonly exec?: readonly string[]
    /** Port that takes a connection at the pod's address, where the kubelet tries it; a service that listens on 127.0.0.1 alone needs exec. */
    readonly tcp?: number
  }
  /** Processor time, memory and the like of its container. */
  readonly resources?: {
    /** Resources that are reserved, such as cpu 500m or memory 1Gi. */
    readonly requests?: {
      readonly [k: string]: number | string
    }
    /** Upper limits; a service that takes more memory than that is started again. */
    readonly limits?: {
      readonly [k: string]: number | string
    }
  }
}

/** What Slipway does by itself when a story of the project is moved to VALIDATING and when it is accepted. */
export interface EvaluationSwitches {
  /** Agents evaluate the acceptance criteria of a story in VALIDATING. If all hold, it becomes REVIEW_READY. False: people decide. Default true. */
  readonly enabled?: boolean
  /** A second agent evaluates a criterion that the first one failed; if they differ, a third run decides. False: the first verdict counts. Default true. */
  readonly arbitration?: boolean
  /** Attempts, time, cost and how often work was sent back are recorded when it is accepted. Default true. */
  readonly retro?: boolean
  /** The follow-up that the evaluating agent proposes is recorded when a story is accepted. Default true. */
  readonly proposeEpics?: boolean
}

/** Credentials of git for the remote, which the steps that clone and push use and never the agent, and who commits. */
export interface ProjectGit {
  /** Secret in this namespace of type kubernetes.io/basic-auth or kubernetes.io/ssh-auth (with known_hosts), labelled slipway.dev/usable-by: git. It is sent only to the host in the Secret's annotation slipway.dev/git-host (host or host:port; no port means the one of the URL's scheme: 443 of https, 80 of http, 22 of ssh). */
  readonly secretName?: string
  /** Further certificate authorities (PEM) to trust at the remote's host for clone and push over https. */
  readonly caBundle?: string
  /** Author and committer of commits. Agents commit with it unless the repository or the agent sets user.name and user.email itself. Default: that of the Agent, else, on one machine, that of your own git, else Slipway. */
  readonly identity?: {
    /** Name of the author. */
    readonly name: string
    /** E-mail address of the author. */
    readonly email: string
  }
}

/** The desired state, written by people. A change counts from the next execution on. */
export interface ProjectSpec {
  /** Name of the project for people, one line. At most 200 characters. */
  readonly title: string
  /** URL that is cloned and pushed to: https, http, ssh or the form user@host:path. Absolute paths and file: URLs are honoured by the embedded control plane only. */
  readonly remoteUrl: string
  /** Folder with a checkout of the project on the server, below the workspace root (embedded: any folder). Elaboration reads it; failures reported by a webhook are matched by its last segment. */
  readonly localPath?: string
  /** Branch that work starts from. Executions never push to it; only delivery by onAccept Merge does. Default: the remote's HEAD. */
  readonly defaultBranch?: string
  readonly checkout?: ProjectCheckout
  readonly environment?: ProjectEnvironment
  /** Image of the container that agents run in for this project. Default: the agent's image. */
  readonly containerImage?: string
  /** Command line that checks the project, such as npm test; agents get it in their prompt. */
  readonly testCommand?: string
  /** Programs that the work must pass before it is delivered and a person is asked to review it. Each runs in a container of its own, in a clean checkout of the commit that would be pushed, without credentials and out of the agent's reach. Absent: nothing is checked. */
  readonly checks?: readonly ProjectCheck[]
  /** How often the agent is to mend what a required check found, in the same session, before the task fails; 0 for never. Default: 2. */
  readonly maxCheckRounds?: number
  /**
   * Paths that decide whether checks pass, such as CI configuration and tests, as patterns like those of .gitignore. What an agent changes there is shown first in its review.
   *
   * Items: One pattern.
   */
  readonly protectedPaths?: readonly string[]
  /** Standing instructions for every agent in the project, as Markdown. They are put where the program looks for its user's instructions (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. They follow those of the Agent. At most 32 KiB. */
  readonly instructions?: string
  /** Servers of the Model Context Protocol whose tools the agent may use, in executions that do a task's work. A Project may name others; if two have the same name, the one of the Project is used. With allowedTools, name them there too (mcp__<server>). */
  readonly mcpServers?: readonly McpServer[]
  /** Programs that run beside the agent while a task is worked on, such as a database for tests: each a container in the pod of the execution, started before the agent and gone with the pod. The agent finds them by the variables SERVICE_<NAME>_HOST and SERVICE_<NAME>_PORT. They get no credentials and none of the task's files. In a cluster only: on one machine sandboxes share the network of the host, where the services of two tasks would meet, so executions of the project are refused there. */
  readonly services?: readonly ProjectService[]
  readonly runPolicy?: RunPolicy
  /** While so many tasks of this project wait for a person (READY, BLOCKED by a question, or FAILED by their checks), none of its tasks starts anew. Resumed, answered and revised tasks start all the same, as do tasks of a story that is IN_PROGRESS and has begun. Absent: no limit. */
  readonly maxAwaitingReview?: number
  readonly evaluation?: EvaluationSwitches
  /** How to find the commit of the project's running deployment. */
  readonly deployment?: {
    /** http or https URL that answers with the deployed commit, as plain text or as JSON {"commit": …}. Read at most once a minute. */
    readonly commitUrl?: string
  }
  readonly onAccept?: OnAccept
  readonly host?: RepositoryHost
  readonly git?: ProjectGit
}

/** One prepared environment. */
export interface PreparedEnvironment {
  /** Name of the Execution that runs its setup; also its folder on the data volume. */
  readonly execution: string
  readonly state: EnvironmentState
  /** SHA-256 of setup, variables, cache, keys and image, in hex; empty where the repository says how it is prepared. */
  readonly recipe: string
  /** SHA-256 of the recipe and the contents of its key files, in hex; absent until its clone was made. */
  readonly digest?: string
  /** Image that it was prepared in; absent on one machine. */
  readonly image?: string
  /** Commit that it was prepared at. */
  readonly commit?: string
  /** Whose branch it was prepared on: it is used for that alone. Absent: it was prepared at a commit of the default branch, for all tasks of the project. */
  readonly onlyFor?: {
    /** Name of the Task. */
    readonly task?: string
    /** Name of the Story. */
    readonly story?: string
  }
  /** The folders that it holds. */
  readonly cache?: readonly SealedCache[]
  /** What it takes on the data volume. */
  readonly bytes?: number
  /** When it was begun (RFC 3339, UTC). */
  readonly startedAt?: string
  /** When it was ready, or had failed (RFC 3339, UTC). */
  readonly builtAt?: string
  /** How long that took, from the start of its execution. */
  readonly seconds?: number
  /** When an execution last began with it, to the hour (RFC 3339, UTC). */
  readonly usedAt?: string
  /** Why it failed, with the last lines of the setup. */
  readonly message?: Text<4096>
}

/** Observed state. Written through the status subresource only. */
export interface ProjectStatus {
  /** metadata.generation that this status describes. */
  readonly observedGeneration?: number
  /** What the setups of the project have prepared, newest first. Those that nobody uses any more are removed. */
  readonly environments?: readonly PreparedEnvironment[]
  /** How many setups were ever begun; never reset. The next one is the Execution `<project>-e<environmentBuilds+1>`. */
  readonly environmentBuilds?: number
  /** When somebody last asked for the environment to be built anew, whatever is there (RFC 3339, UTC). */
  readonly environmentRequestedAt?: string
  /**
   * Files at the top of the default branch, as an execution last saw it, that tell what the project installs, such as package-lock.json, and files and folders that decide whether its tests pass, such as .github; what is proposed as its environment and its protected paths is made from them.
   *
   * Items: Name of one file.
   */
  readonly lockFiles?: readonly string[]
  /** What the mirrors of the repository take on the data volume, in bytes, as last measured. It is measured once an hour. Absent: there is none, or nobody has looked yet. */
  readonly mirrorBytes?: number
  /** Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand; a type that does not apply is absent. */
  readonly conditions?: readonly Condition[]
}

/** A repository that tasks and stories work in, with the settings to reach and check it. */
export interface Project {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'Project'
  readonly metadata: ObjectMeta
  readonly spec: ProjectSpec
  readonly status?: ProjectStatus
}

/** How a program that speaks the Agent Client Protocol is driven (adapter acp alone), and by which words it tells its errors, where the protocol has no code for them. */
export interface AcpDialect {
  readonly permissions?: AcpPermissions
  /** The session mode that is set before the prompt, such as bypassPermissions. Default, the program's own. */
  readonly mode?: string
  readonly secondPrompt?: AcpSecondPrompt
  /**
   * Texts of errors by which it says that its login is missing or refused.
   *
   * Items: A part of such a text, in any case; `*` stands for anything between two parts.
   */
  readonly auth?: readonly string[]
  /**
   * Texts of errors by which it says that a quota is used up; the task waits, as the limit of the agent lasts.
   *
   * Items: A part of such a text, in any case; `*` stands for anything between two parts.
   */
  readonly limit?: readonly string[]
  /**
   * Texts of errors by which it says that its provider is overloaded or slows it down; the task is tried again by itself.
   *
   * Items: A part of such a text, in any case; `*` stands for anything between two parts.
   */
  readonly busy?: readonly string[]
  /**
   * Texts of errors by which it says that the session to take up is gone; a new one is told the story so far.
   *
   * Items: A part of such a text, in any case; `*` stands for anything between two parts.
   */
  readonly lostSession?: readonly string[]
  /**
   * Texts with which it ends a turn that has failed, though it reports a success. In errors they count before the status that it tells, which would have them taken for an overload.
   *
   * Items: A part of such a text, in any case; `*` stands for anything between two parts.
   */
  readonly failure?: readonly string[]
}

/** What the provider charges, in US dollars. gemini and codex report no cost: Slipway computes it from their tokens and enforces the budgetUSD of a task with it. For claude it is used only if the program is ended before it reports its cost. Absent: executions of gemini and codex have no cost, and no budget is enforced. */
export interface AgentPrices {
  /** Price of a million tokens that the model reads. */
  readonly inputPerMillion: number
  /** Price of a million tokens that the model writes, thoughts included. */
  readonly outputPerMillion: number
  /** Price of a million tokens that the model reads from the provider's cache. Default inputPerMillion. */
  readonly cachedInputPerMillion?: number
}

/** Templates (Mustache) that replace Slipway's own prompts. docs/prompts.md lists the values that they may use; {{> task}} includes Slipway's own. An unusable template makes the Agent Stalled; the message names the field and the line. */
export interface AgentPrompts {
  /** Prompt of a fresh start. At most 32 KiB. */
  readonly task?: string
  /** Prompt of a resumed session; it depends on how the session stopped. At most 32 KiB. */
  readonly resume?: string
  /** Prompt that asks for mending what the checks of the project found, in the same session. At most 32 KiB. */
  readonly checks?: string
  /** Prompt that asks for a task. At most 32 KiB. */
  readonly elaborate?: string
  /** Prompt that asks for the plan of a story. At most 32 KiB. */
  readonly plan?: string
  /** Prompt that asks for a check of a task before it is run. At most 32 KiB. */
  readonly validate?: string
  /** Prompt that asks for a verdict on a story's acceptance criteria. At most 32 KiB. */
  readonly evaluate?: string
  /** Prompt that asks which agent suits a task. At most 32 KiB. */
  readonly classify?: string
}

/** One file, from a key of the Secret or from the machine. */
export interface CredentialFile {
  /** Key of the Secret that holds the file. */
  readonly key?: string
  /** Path at which the program expects the file, relative to its home. */
  readonly path: string
  /** Absolute path of a file on this machine, honoured by the embedded control plane only; in a cluster it makes the Agent Stalled. */
  readonly hostPath?: string
}

/** One variable. */
export interface CredentialVariable {
  /** Name of the variable. */
  readonly name: string
  /** Key of the Secret that holds its value. */
  readonly key: string
}

/** What the program needs to log in. Checked before a container starts: a missing or empty key, or no login at all, fails the execution at once (category credentials). Scripts need none, nor does an Agent with a command; {} says that the image brings a login. */
export interface AgentCredentials {
  /** Secret in this namespace, labelled slipway.dev/usable-by: agent. */
  readonly secretName?: string
  /** Files that are put into the agent's home; at most 20. */
  readonly files?: readonly CredentialFile[]
  /** Environment variables of the program; at most 50. */
  readonly env?: readonly CredentialVariable[]
  /** True: a file that the program changed (a renewed token) is stored while the slot is still held. Default false. */
  readonly writeBack?: boolean
}

/** One toleration. */
export interface Toleration {
  /** Key of the taint; absent with operator Exists means all. */
  readonly key?: string
  /** Equal (default) or Exists. */
  readonly operator?: 'Equal' | 'Exists'
  /** Value of the taint. */
  readonly value?: string
  /** Effect that is tolerated; absent means all. */
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  /** How long a NoExecute taint is tolerated, in seconds; absent means for ever. */
  readonly tolerationSeconds?: number
}

/** One Secret. */
export interface SecretReference {
  /** Name of the Secret in this namespace. */
  readonly name: string
}

/** Settings of the agent's pods. Only fields that give no access to the node, another account or another Secret exist here. */
export interface AgentPodTemplate {
  /** Labels added to the pods, but for those that pods are selected by: slipway.dev/…, those of the Job controller, and name, instance and component of app.kubernetes.io. */
  readonly labels?: {
    readonly [k: string]: string
  }
  /** Annotations added to the pods. */
  readonly annotations?: {
    readonly [k: string]: string
  }
  /** Processor time, memory and the like of the agent's container. */
  readonly resources?: {
    /** Resources that are reserved, such as cpu 500m or memory 1Gi. */
    readonly requests?: {
      readonly [k: string]: number | string
    }
    /** Upper limits; more memory than that ends the execution (out of memory). */
    readonly limits?: {
      readonly [k: string]: number | string
    }
  }
  /** Labels that a node must carry. */
  readonly nodeSelector?: {
    readonly [k: string]: string
  }
  /** Taints of nodes that are tolerated, as in a pod; at most 20. */
  readonly tolerations?: readonly Toleration[]
  /** Rules for choosing a node, as in a pod's spec.affinity. Of a kind of affinity that the installation sets too, such as podAffinity, the installation's rules count. */
  readonly affinity?: Readonly<Record<string, unknown>>
  /** RuntimeClass of the pods, such as one that isolates with gVisor or Kata. */
  readonly runtimeClassName?: string
  /** PriorityClass of the pods. */
  readonly priorityClassName?: string
  /** Secrets that images are pulled with; at most 10. */
  readonly imagePullSecrets?: readonly SecretReference[]
}

/** How the agent is run. A change counts from the next execution on. */
export interface AgentSpec {
  readonly adapter: AgentAdapter
  /** Image with the agent's program. Default: Slipway's own image. Projects and tasks may name another one. */
  readonly image?: string
  /**
   * Program and first arguments. Default: the command of the adapter.
   *
   * Items: Program or argument.
   */
  readonly command?: readonly string[]
  /**
   * Models that tasks may ask for; absent means any.
   *
   * Items: Name of a model, as the program understands it.
   */
  readonly models?: readonly string[]
  /** Model of tasks that name none. Default: the program's own default. */
  readonly defaultModel?: string
  /** How many executions of this agent run at the same time. Default 1. Lowering it does not stop running executions. */
  readonly maxConcurrent?: number
  /** While so many tasks of this agent wait for a person (READY, BLOCKED by a question, or FAILED by their checks), it starts no new task. Resumed, answered and revised tasks start all the same, as do tasks of a story that is IN_PROGRESS and has begun. Absent: no limit. */
  readonly maxAwaitingReview?: number
  /** Time limit of the agent's step for tasks that name none, as a Go duration such as 90s or 1h30m. Default 30m. */
  readonly timeout?: string
  /**
   * Tools that the agent may use if the task names none, such as Read, Edit or Bash. Absent: the program decides.
   *
   * Items: Name of a tool.
   */
  readonly allowedTools?: readonly string[]
  /** Whether executions of this agent that were lost, or that met a limit, are tried again by themselves. False: such a task fails and waits for a person, and a task with a scheduled attempt waits until this is true again. Default true. A single task is switched off by its own suspend. */
  readonly autoResume?: boolean
  readonly acp?: AcpDialect
  readonly prices?: AgentPrices
  /** Git in the executions of this agent. */
  readonly git?: {
    /** Author and committer of commits. That of the Project (git.identity) comes first; default as there. */
    readonly identity?: {
      /** Name of the author. */
      readonly name: string
      /** E-mail address of the author. */
      readonly email: string
    }
  }
  /**
   * Images that tasks and projects may name for this agent (containerImage), because its credentials are given to the image. Patterns such as registry.example.com/team/* or docker.io/library/node:24: a star stands for any text within one part, ** for any number of parts, and a pattern without a tag takes every tag and digest; one with a tag takes no digest. A first part without dot and colon belongs to docker.io; end a registry with a whole name, as example.com* would take example.com.evil.org. Absent: every image. Empty: only the agent's own image, which is always allowed. The services of a Project get no credentials, so any image may run there. A change counts from the next pod that runs the agent.
   *
   * Items: Pattern of an image's name, tag or digest.
   */
  readonly allowedImages?: readonly string[]
  readonly dropsAccess?: DropsAccess
  /** Standing instructions for every task, as Markdown. They are put where the program looks for its user's instructions (CLAUDE.md, GEMINI.md, AGENTS.md in its home), never into the repository. The instructions of a Project follow them. At most 32 KiB. */
  readonly instructions?: string
  /** Servers of the Model Context Protocol whose tools the agent may use, in executions that do a task's work. A Project may name others; if two have the same name, the one of the Project is used. With allowedTools, name them there too (mcp__<server>). */
  readonly mcpServers?: readonly McpServer[]
  readonly prompts?: AgentPrompts
  /** Whether this agent gets tasks that name no agent, and which ones. */
  readonly classifier?: {
    /** False: the agent gets only tasks that name it. Default true. */
    readonly enabled?: boolean
    /** What the agent is good at, as a text. */
    readonly hint?: string
    /** True: this agent is asked which agent suits a task that names none, if more than one could take it. Without a usable answer within 10 seconds the rules choose. Default false. */
    readonly judges?: boolean
    /** Model for that question, a cheap one. Default the agent's default model. */
    readonly judgeModel?: string
  }
  readonly credentials?: AgentCredentials
  readonly podTemplate?: AgentPodTemplate
}

/** One outcome, listed once per execution, so that a crash never counts it twice. */
export interface AgentOutcomeRecord {
  /** Name of the execution. */
  readonly execution: string
  /** metadata.uid of the execution; a task that is made again reuses the name. */
  readonly uid?: string
  readonly counted: OutcomeCounted
  /** When it ended (RFC 3339, UTC). */
  readonly at: string
}

/** Present while the agent accepts no work, until a person undrains it. */
export interface AgentDrain {
  /** Since when (RFC 3339, UTC). */
  readonly since: string
  /** Reason for people. */
  readonly reason?: Text<4096>
  /** Name of the task whose failure drained the agent; its question says what to decide. */
  readonly task?: string
  /** Name of the execution whose failure drained the agent. */
  readonly execution?: string
}

/** Present after quota or credit was used up without a known end, until an execution has succeeded again or a person has undrained the agent. Until then one execution runs at a time. */
export interface AssumedLimit {
  /** How often in a row executions met the limit. It is assumed to last 1 h, then 4 h, then 24 h. */
  readonly level: number
  /** When an execution last met the limit (RFC 3339, UTC). */
  readonly since: string
}

/** One event. */
export interface AgentEvent {
  readonly kind: AgentEventKind
  /** When (RFC 3339, UTC). */
  readonly at: string
  /** Details for people. */
  readonly message?: Text<1024>
  /** Name of the execution in which it happened. */
  readonly execution?: string
}

/** One decision. */
export interface DecisionOnAgent {
  readonly action: AgentDecisionAction
  /** Who decided, as far as known, such as a token's name or `kubectl (annotation)`. */
  readonly by?: string
  /** When (RFC 3339, UTC). */
  readonly at: string
}

/** State of the agent, written only when it changes. Running and waiting tasks are computed, not stored. */
export interface AgentStatus {
  /** metadata.generation that this status describes. */
  readonly observedGeneration?: number
  /** How executions ended, the last 50, in the order in which the operator observed it. Three failures in a row drain the agent. A success is listed where it ends a row of failures, or a limit. */
  readonly outcomes?: readonly AgentOutcomeRecord[]
  /** When a person last undrained the agent; the failures listed by then are Undrained (RFC 3339, UTC). */
  readonly undrainedAt?: string
  readonly drained?: AgentDrain
  /** End of the provider's limit; until then the agent's tasks stay QUEUED (RFC 3339, UTC). */
  readonly rateLimitedUntil?: string
  readonly assumedLimit?: AssumedLimit
  /** Begin and end of rate limits in the last 24 hours, oldest first; at most 500. */
  readonly events?: readonly AgentEvent[]
  /** What people decided about the agent, oldest first; the last 50. */
  readonly decisions?: readonly DecisionOnAgent[]
  readonly lastAction?: LastAction
  /** The actions with an id (annotation slipway.dev/action-id) that were taken or refused, oldest first; the last 50. None of them is taken again. */
  readonly spentActions?: readonly SpentAction[]
  /** Ready, Reconciling and Stalled, in the form that Flux, Argo CD and kubectl wait understand, and DecisionsProven, False while the admission policies that the installation asks for are not in force. A type that does not apply is absent. */
  readonly conditions?: readonly Condition[]
}

/** A kind of coding agent that can get tasks, and what it needs to run. */
export interface Agent {
  readonly apiVersion: 'slipway.dev/v1alpha1'
  readonly kind: 'Agent'
  readonly metadata: ObjectMeta
  readonly spec: AgentSpec
  readonly status?: AgentStatus
}
