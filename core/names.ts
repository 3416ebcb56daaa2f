/**
 * Every name that other programs see: API group, labels, annotations, finalizers, derived object names.
 *
 * What must not be made twice gets a name derived from what it belongs to, so that making it again is
 * AlreadyExists and harmless (specification §2.4).
 */

export const GROUP = 'slipway.dev'
export const VERSION = 'v1alpha1'
export const API_VERSION = `${GROUP}/${VERSION}`

/** Longest `metadata.name` of our kinds, so that names made from it still fit a label value (63). */
export const MAX_NAME_LENGTH = 50

export const LABELS = {
  task: `${GROUP}/task`,
  execution: `${GROUP}/execution`,
  agent: `${GROUP}/agent`,
  story: `${GROUP}/story`,
  project: `${GROUP}/project`,
  /** On a Secret: who may use it, `git`, `agent` or `setup`. */
  usableBy: `${GROUP}/usable-by`,
  managedBy: 'app.kubernetes.io/managed-by',
} as const

/** Value of the managed-by label on everything that REST and CLI create. */
export const MANAGED_BY = 'slipway'

/** Cookie of a browser's session; behind https its name begins with `__Host-`, which browsers guard. */
export const SESSION_COOKIE = 'slipway-session'

/** Cookie of a sign-in under way, named alike. */
export const SIGN_IN_COOKIE = 'slipway-sign-in'

/** Header of a sign-out: where the provider that the person signed in at ends its own session. */
export const SIGN_OUT_HEADER = 'Slipway-Sign-Out'

export const ANNOTATIONS = {
  action: `${GROUP}/action`,
  /** Beside an action: who asks for it. Admission policies prove it. */
  by: `${GROUP}/by`,
  /** On a Task or Story: who made it, or changed its spec last. Admission policies prove it where four eyes are asked for. */
  author: `${GROUP}/author`,
  /** Everybody who authored it, one name on each line, where that is more than the last. */
  authors: `${GROUP}/authors`,
  actionId: `${GROUP}/action-id`,
  comment: `${GROUP}/comment`,
  answer: `${GROUP}/answer`,
  /** Beside a message: when the agent gets it. */
  mode: `${GROUP}/mode`,
  agent: `${GROUP}/agent`,
  status: `${GROUP}/status`,
  gitHost: `${GROUP}/git-host`,
  /** When it was made over REST: within one second `creationTimestamp` puts nothing in order. */
  createdAt: `${GROUP}/created-at`,
  /** When the spec was changed over REST last; Kubernetes itself keeps no such instant. */
  editedAt: `${GROUP}/edited-at`,
  /** On a Task: when it came to its story over REST, where that was not when it was created. */
  joinedStoryAt: `${GROUP}/joined-story-at`,
  /** On a fix-up task: repository and commit that failed, and the runs it was made of. */
  fixes: `${GROUP}/fixes`,
  ciRuns: `${GROUP}/ci-runs`,
  /** On a fix-up task: the branch that its failures began on. The number of fix-up tasks for one branch is limited. */
  fixesBranch: `${GROUP}/fixes-branch`,
  /** On an Agent whose credentials are the machine owner's, kept up to date at each start. */
  ownersLogin: `${GROUP}/owners-login`,
  /** On a Story: the task that was added to its chain last over REST. */
  chainEnd: `${GROUP}/chain-end`,
  /**
   * On a Story whose plan is being approved: which API server does it, and its last sign of life. Until it is removed
   * the REST API does not show the story.
   */
  approving: `${GROUP}/approving`,
  /** On a Task that was made to be restored from the archive, and when: until it has a state, the archive says what it is. */
  restoring: `${GROUP}/restoring`,
} as const

export const FINALIZER = `${GROUP}/cleanup`

/** Name of the `<n>`-th execution of a task. */
export function executionName(task: string, n: number): string {
  return `${task}-${n}`
}

/** Name of the `<n>`-th delivery of a task's accepted work. */
export function deliveryName(task: string, n: number): string {
  return `${task}-d${n}`
}

/** Name of the `<n>`-th Job of an execution, counted from 1: `<execution>-run`, then `<execution>-run-2`. */
export function jobName(execution: string, n: number): string {
  return n === 1 ? `${execution}-run` : `${execution}-run-${n}`
}

/** What branches of tasks that belong to no story begin with, unless the configuration says otherwise. */
export const BRANCH_PREFIX = 'slipway/'

/** The branch of a task that belongs to no story. */
export function ownBranch(task: string, prefix: string = BRANCH_PREFIX): string {
  return `${prefix}${task}`
}

/** Name of the Lease that is the `<n>`-th slot of an agent, counted from 1. */
export function slotName(agent: string, n: number): string {
  return `${SLOT}${agent}-${n}`
}

/** The agent whose slot a Lease is; undefined for a Lease that is none. */
export function agentOfSlot(lease: string): string | undefined {
  return lease.startsWith(SLOT) ? lease.slice(SLOT.length).replace(/-\d+$/, '') : undefined
}

/** Name of the Lease of an agent's one query, which runs beside its slots. */
export function queryLeaseName(agent: string): string {
  return `slipway-query-${agent}`
}

/**
 * The name that this Lease had before. Nobody takes it any more, but a query that began before an upgrade holds it to
 * its end, and no other query of the agent begins meanwhile.
 */
export function formerQueryLeaseName(agent: string): string {
  return `slipway-aside-${agent}`
}

const SLOT = 'slipway-slot-'

/** Name of the Lease of a branch of a repository, by a hash of both. */
export function branchLeaseName(hash: string): string {
  return `slipway-branch-${hash}`
}
