/**
 * Paths on the data volume, relative to its root, with `/` between segments (specification §7.8). A name that
 * could leave its folder never gets here: both are metadata.name of our kinds, a DNS-1123 label by schema.
 */
import type { CopyingAdapter } from '../agent/session-files.ts'
import type { CheckRun, Execution } from '../crd/types.ts'
import { isWork } from './state.ts'

/** Parent of all sandboxes. */
export const SANDBOXES_PATH = 'sandboxes'
/** Parent of the folders of all executions. */
export const EXECUTIONS_PATH = 'executions'

/**
 * Name of the sandbox that an execution works in: its task's, kept between the task's executions; of a query one
 * of its own, by its uid. Whoever names a query like a task gets nothing of that: no task's name has a dot.
 */
export function sandboxOf({ metadata, spec }: Pick<Execution, 'metadata' | 'spec'>): string {
  return isWork({ spec }) ? (spec.taskRef?.name ?? metadata.name) : `aside.${metadata.uid ?? metadata.name}`
}

/** The clone and the agent's home. */
export function sandboxPath(sandbox: string): string {
  return `${SANDBOXES_PATH}/${sandbox}`
}

/** Whose a sandbox is (owner.ts); beside it, where no step can write. */
export function sandboxOwnerPath(sandbox: string): string {
  return `${sandboxPath(sandbox)}${OWNER_SUFFIX}`
}

/** Ends the name of no sandbox. */
export const OWNER_SUFFIX = '.owner'

export function clonePath(sandbox: string): string {
  return `${sandboxPath(sandbox)}/repo`
}

export function homePath(sandbox: string): string {
  return `${sandboxPath(sandbox)}/home`
}

/** What one execution leaves behind. */
export function executionPath(execution: string): string {
  return `${EXECUTIONS_PATH}/${execution}`
}

/** The one folder of an execution that the agent step may write. */
export function agentOutputPath(execution: string): string {
  return `${executionPath(execution)}/agent`
}

/** Files of an execution, relative to {@link executionPath}. */
export const EXECUTION_FILES = {
  /** Whose the folder is (owner.ts). Written by the operator. */
  owner: 'owner',
  /** What the agent of a query is asked, written by whoever makes the query. */
  prompt: 'prompt.md',
  /** An earlier operator wrote what a task's agent is given into these and the prompt, in place of {@link givenFile}. */
  resume: 'resume.md',
  answerGiven: 'answer.txt',
  agentConfig: 'given.json',
  /** Written by prepare where the agent cannot write: the commit it checked out, the remote's default branch. */
  prepared: 'prepared.json',
  /** Written by stage: the commit that is checked, and that deliver pushes (checks.ts). */
  staged: 'staged.json',
  /** Written by deliver, or by prepare when it fails. */
  result: 'result.json',
  diff: 'changes.diff',
  /** The session that the agent begins with a copy of, until prepare has put it into the home. Written by the operator. */
  continued: 'continued.jsonl',
  /** What the services beside the agent printed last, as their records. Written by the operator. */
  services: 'services.json',
  /** All that a story's branch would add to the default branch. */
  branchDiff: 'branch.diff',
  /** Written by the agent step; untrusted. */
  outcome: 'agent/outcome.json',
  /** Written by prepare for the agent's step: where a kept clone is to be brought (branch-move.ts). */
  branchMove: 'agent/branch-move.json',
  stdout: 'agent/stdout.log',
  stderr: 'agent/stderr.log',
  events: 'agent/events.jsonl',
  summary: 'agent/summary.md',
  question: 'agent/question.json',
  /** Which messages the agent was given, a line each time (messages.ts). */
  receipts: 'agent/receipts.jsonl',
  /** The answer of an execution that was asked for one, in the form that it was asked in. */
  answer: 'agent/answer.json',
  artifacts: 'agent/artifacts',
} as const

/** The session of an execution whose sandbox is gone, for tasks that go on from it. Written by the operator; no step sees it. */
export function keptSessionPath(execution: string, adapter: CopyingAdapter): string {
  return `${executionPath(execution)}/session.${adapter}.jsonl`
}

/**
 * The file of an execution that holds what its agent is given (given.ts). Written by the operator; named by its content,
 * so that no later Job changes what a pod has been told to read.
 */
export function givenFile(sha256: string): string {
  return `given-${sha256}.json`
}

/** What stage makes for the checks and for deliver, relative to {@link executionPath}; no agent's step mounts any of it. */
export const STAGED_REPOSITORY = 'staged.git'

/**
 * What one check works in, relative to {@link executionPath}: `repo` is a checkout of the staged head, `home` its home. It is
 * mounted in the container of that check alone.
 */
export function checkoutPath(check: string): string {
  return `${CHECKOUTS_FOLDER}/${check}`
}

/** Of all checks, relative to {@link executionPath}; it is gone when the execution has ended. */
export const CHECKOUTS_FOLDER = 'checkouts'

/** What one check left in one round, relative to {@link executionPath}: {@link CHECK_FILES}. @param round from 1 */
export function checkResultPath(round: number, check: string): string {
  return `rounds/${round}/${check}`
}

/** What the work of one round adds, relative to {@link executionPath}. @param round from 1 */
export function roundDiffPath(round: number): string {
  return `rounds/${round}/changes.diff`
}

/** Files of a check, relative to {@link checkResultPath}. */
export const CHECK_FILES = { output: 'output.log', verdict: 'verdict.json' } as const

/** What a check printed, relative to the root of the volume. @param check of an execution's record */
export function checkOutputPath(execution: string, { round, name }: Pick<CheckRun, 'round' | 'name'>): string {
  return `${executionPath(execution)}/${checkResultPath(round, name)}/${CHECK_FILES.output}`
}

/** The messages to an execution's agent, relative to {@link executionPath}. Written by the operator, read-only for the agent. */
export const INBOX_FOLDER = 'inbox'

/** The file of one message (messages.ts), relative to {@link executionPath}. */
export function inboxFile(id: string): string {
  return `${INBOX_FOLDER}/${id}.json`
}

/**
 * Bytes that are read of the files that tell what became of an execution: what their records can hold. An agent can write
 * most of them, and more would only keep their readers busy.
 */
export const MAX_FILE_BYTES = {
  /** With the names of the files that conflict. */
  result: 4 * 1024 * 1024,
  outcome: 1024 * 1024,
  /** As much as a request may hold: what an agent answers is sent back in one. */
  answer: 1024 * 1024,
  question: 256 * 1024,
  /** Two lines for each message, and some that an agent may have made up. */
  receipts: 64 * 1024,
  /** A summary is cut to 16,384 characters, of four bytes at most. */
  summary: 64 * 1024,
  /** With the names of commits. */
  branchMove: 64 * 1024,
  /** With the review of the work, as the result has it. */
  staged: 4 * 1024 * 1024,
  /** With the paths of all caches. */
  prepared: 256 * 1024,
  owner: 4096,
} as const satisfies Partial<Record<keyof typeof EXECUTION_FILES, number>>

/** A file of an execution that is read no further than {@link MAX_FILE_BYTES} says. */
export type BoundedFile = keyof typeof MAX_FILE_BYTES

/** Bare mirrors of repositories, for questions about their commits; no step mounts it. */
export const MIRRORS_PATH = 'mirrors'

/** Parent of the repositories whose objects the clones of tasks borrow. */
export const REPOSITORIES_PATH = 'repositories'

/**
 * All of one repository as one credential sees it: the lock and the mirrors. Only prepare mounts it, and the operator
 * removes it.
 *
 * @param key 32 hexadecimal digits, of the repository and the credential
 */
export function repositoryPath(key: string): string {
  return `${REPOSITORIES_PATH}/${key}`
}

/** Who writes below {@link repositoryPath} holds this file's lock. No agent may see it, since whoever opens a file can lock it. */
export function repositoryLockPath(key: string): string {
  return `${repositoryPath(key)}/lock`
}

/**
 * The mirrors of a repository, a bare repository for each generation: `1`, `2` and so on. The highest is in use, the
 * others stay while a clone borrows from them. Mounted read-only in agent and deliver.
 */
export function mirrorsPath(key: string): string {
  return `${repositoryPath(key)}/mirrors`
}

/** Beside the mirrors, on the same file system: what is being made, in a folder for each fetch, by who holds the lock. */
export function makingPath(key: string): string {
  return `${repositoryPath(key)}/making`
}

/** Parent of what the setups of projects have prepared. */
export const ENVIRONMENTS_PATH = 'environments'

/**
 * One prepared environment: {@link SEAL_FILE}, and a folder for each cache, named by its place in that file's list. Written
 * by the deliver step of the Prepare that made it; mounted read-only by everybody else.
 *
 * @param project metadata.uid of the Project
 * @param execution name of the Prepare
 */
export function environmentPath(project: string, execution: string): string {
  return `${ENVIRONMENTS_PATH}/${project}/${execution}`
}

/** Says what an environment is, and is written last: a folder without one is none (core/environment/seal.ts). */
export const SEAL_FILE = 'seal.json'

/** The folder of one cache below {@link environmentPath}. @param place in the list of the seal, from 0 */
export function sealedCachePath(environment: string, place: number): string {
  return `${environment}/${place}`
}

/** Where a repository says how it is prepared, unless its project does. */
export const ENVIRONMENT_FILE = '.slipway/environment.yaml'

/** The drop directory, shared by all tasks. */
export const DROPS_PATH = 'drops'

/** Finished tasks (lib/archive); no step mounts it. */
export const ARCHIVE_PATH = 'archive'

/** Plans that are being approved, one file each; no step mounts it. */
export const PLANS_PATH = 'plans'

export function planPath(story: string): string {
  return `${PLANS_PATH}/${story}.json`
}

/** There while an import into the volume has not ended; the operator begins nothing before. */
export const IMPORTING_PATH = 'importing'
