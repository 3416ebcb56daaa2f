import {
  ACP_PERMISSIONS_VALUES,
  ACP_SECOND_PROMPT_VALUES,
  CHOSEN_BY_VALUES,
  DROPS_ACCESS_VALUES,
  ENVIRONMENT_STATE_VALUES,
  EVALUATION_OUTCOME_VALUES,
  EVALUATION_ROLE_VALUES,
  CACHE_MODE_VALUES,
  CHECK_STATE_VALUES,
  CI_STATE_VALUES,
  EXECUTION_PURPOSE_VALUES,
  LFS_CHECKOUT_VALUES,
  MESSAGE_MODE_VALUES,
  ON_ACCEPT_VALUES,
  REBASE_RESULT_VALUES,
  RUN_POLICY_VALUES,
  SUBMODULE_CHECKOUT_VALUES,
  TASK_DELIVERY_STATE_VALUES,
} from './crd/enums.ts'
import type { ExecutionState, HostType, OnAccept } from './crd/types.ts'

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Lowercase<Head>}${Tail extends Uncapitalize<Tail> ? '' : '_'}${SnakeCase<Tail>}`
  : S

/** REST's word for each value of an enum of the CRD: the same in snake_case. */
function wordsOf<V extends string>(values: readonly V[]): { readonly [K in V]: SnakeCase<K> }
function wordsOf(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    values.map((value) => [value, value.replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()]),
  )
}

export const RUN_POLICY_WORDS = wordsOf(RUN_POLICY_VALUES)
export const RUN_POLICIES = Object.values(RUN_POLICY_WORDS)

/** Which submodules a clone has. */
export const SUBMODULES_WORDS = wordsOf(SUBMODULE_CHECKOUT_VALUES)
export const SUBMODULES = Object.values(SUBMODULES_WORDS)

/** Whether files in Git LFS have their content. */
export const LFS_WORDS = wordsOf(LFS_CHECKOUT_VALUES)
export const LFS = Object.values(LFS_WORDS)

/** How an agent gets a folder that a setup has prepared. */
export const CACHE_MODE_WORDS = wordsOf(CACHE_MODE_VALUES)
export const CACHE_MODES = Object.values(CACHE_MODE_WORDS)

/** How a check ended, or that it runs. */
export const CHECK_STATE_WORDS = wordsOf(CHECK_STATE_VALUES)
export const CHECK_STATES = Object.values(CHECK_STATE_WORDS)
export type CheckStateWord = (typeof CHECK_STATES)[number]

/** How the CI of a git host judges a commit. */
export const CI_STATE_WORDS = wordsOf(CI_STATE_VALUES)
export const CI_STATES = Object.values(CI_STATE_WORDS)
export type CiStateWord = (typeof CI_STATES)[number]

/** How far what a setup prepares is. */
export const ENVIRONMENT_STATE_WORDS = wordsOf(ENVIRONMENT_STATE_VALUES)
export const ENVIRONMENT_STATES = Object.values(ENVIRONMENT_STATE_WORDS)

/** What a program that speaks ACP is answered when it asks whether it may use a tool. */
export const ACP_PERMISSIONS_WORDS = wordsOf(ACP_PERMISSIONS_VALUES)
export const ACP_PERMISSIONS = Object.values(ACP_PERMISSIONS_WORDS)
export const ACP_SECOND_PROMPT_WORDS = wordsOf(ACP_SECOND_PROMPT_VALUES)
export const ACP_SECOND_PROMPTS = Object.values(ACP_SECOND_PROMPT_WORDS)

/** What an agent may do with the drop directory. */
export const DROPS_ACCESS_WORDS = wordsOf(DROPS_ACCESS_VALUES)
export const DROPS_ACCESS = Object.values(DROPS_ACCESS_WORDS)

/** When an agent that works is given a message. */
export const MESSAGE_MODE_WORDS = wordsOf(MESSAGE_MODE_VALUES)
export const MESSAGE_MODES = Object.values(MESSAGE_MODE_WORDS)

/** Who chose a task's agent. */
export const CHOSEN_BY_WORDS = wordsOf(CHOSEN_BY_VALUES)
export const CHOSEN_BY = Object.values(CHOSEN_BY_WORDS)

export const PURPOSE_WORDS = wordsOf(EXECUTION_PURPOSE_VALUES)
export const PURPOSES = Object.values(PURPOSE_WORDS)

/** The part that an agent has in an evaluation. */
export const EVALUATION_ROLE_WORDS = wordsOf(EVALUATION_ROLE_VALUES)
export const EVALUATION_ROLES = Object.values(EVALUATION_ROLE_WORDS)

/** How a run of an evaluation ended. */
export const EVALUATION_OUTCOME_WORDS = wordsOf(EVALUATION_OUTCOME_VALUES)
export const EVALUATION_OUTCOMES = ['running', ...Object.values(EVALUATION_OUTCOME_WORDS)] as const

/** What becomes of accepted work. */
export const ON_ACCEPT_WORDS = wordsOf(ON_ACCEPT_VALUES)
export type OnAcceptWord = (typeof ON_ACCEPT_WORDS)[OnAccept]
export const ON_ACCEPT: readonly OnAcceptWord[] = Object.values(ON_ACCEPT_WORDS)

/** REST's word for each kind of code host. */
export const HOST_WORDS = { GitHub: 'github', GitLab: 'gitlab', Gitea: 'gitea' } as const satisfies Record<
  HostType,
  string
>
export type HostWord = (typeof HOST_WORDS)[HostType]
export const HOSTS: readonly HostWord[] = Object.values(HOST_WORDS)

/** How a delivery stands. */
export const DELIVERY_WORDS = wordsOf(TASK_DELIVERY_STATE_VALUES)

/** How work stood to its branch when it was delivered. */
export const REBASE_WORDS = wordsOf(REBASE_RESULT_VALUES)

/** Each state of an execution, and whether it is an end. */
export const EXECUTION_STATE_IS_FINAL = {
  PENDING: false,
  RUNNING: false,
  COMPLETED: true,
  FAILED: true,
  TIMED_OUT: true,
  CANCELLED: true,
  BUDGET_EXCEEDED: true,
  BLOCKED: true,
} as const satisfies Record<ExecutionState, boolean>

/** What an agent is doing, as GET /api/agents/status says it. */
export const AGENT_STATES = ['idle', 'running', 'drained', 'rate_limited', 'unavailable'] as const
export type AgentState = (typeof AGENT_STATES)[number]

/**
 * What is known of an agent's credentials: it needs none, the operator found them, it found them lacking, or it has
 * not looked.
 */
export const CREDENTIALS_STATES = ['none', 'present', 'missing', 'unknown'] as const
export type CredentialsState = (typeof CREDENTIALS_STATES)[number]

/** How far back statistics may look. */
export const STATS_WINDOWS = ['24h', '7d', '30d'] as const
export type StatsWindow = (typeof STATS_WINDOWS)[number]
