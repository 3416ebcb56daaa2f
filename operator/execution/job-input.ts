/** What a Job is made from, and what its containers have in common. */
import type { SecretVariable } from '../../core/agent/agent-config.ts'
import type { Agent, Execution, ProjectCheck, ProjectService, SealedCache } from '../../core/crd/types.ts'
import type { ExecutionPods } from '../../core/execution/pod-settings.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { clip } from '../../core/text.ts'
import type { EnvVar, VolumeMount } from '../../kube/builtin.ts'
import type { OwnGit } from '../../lib/git-session.ts'
import type { Setup } from './setup.ts'

/** What an installation settles for all Jobs. */
export interface JobSettings {
  /** Absolute; where the data volume is mounted in every step, and where this process sees it. */
  readonly volumeRoot: string
  readonly volumeClaim: string
  /** Folder below which the Secrets of an execution are mounted. */
  readonly credentialsRoot: string
  /** Starts the runner; the step's name is appended. */
  readonly runnerCommand: readonly string[]
  /** Slipway's own: of prepare and deliver, and of agents that name none. */
  readonly image: string
  /** What branches of tasks without a story begin with; absent: the usual. */
  readonly branchPrefix?: string | undefined
  readonly embedded: boolean
  /** What one push may send, in bytes; absent: the runner's default. */
  readonly maxPushBytes?: number | undefined
  /** What all pods have in common; an Agent adds to it. */
  readonly pods: ExecutionPods
}

export interface JobInput {
  readonly settings: JobSettings
  /** By which Job and Pod are found. */
  readonly labels: Readonly<Record<string, string>>
  readonly execution: Execution
  /** Absent for a delivery, which has one step alone. */
  readonly agent: Agent | undefined
  readonly run: RunSpec
  /** Secret with the git credentials of prepare and deliver. */
  readonly gitSecret?: string | undefined
  /** Absolute paths of a repository on this machine, and of what it has elsewhere. */
  readonly localRepository?: readonly string[] | undefined
  /** The user's own git, for prepare and deliver. */
  readonly ownGit?: OwnGit | undefined
  /** Image that the task or its project wants the agent to run in. */
  readonly containerImage?: string | undefined
  /** Keys of the agent's Secret that it is given beside its credentials. */
  readonly secrets?: readonly SecretVariable[] | undefined
  /** Of a Prepare. */
  readonly setup?: Setup | undefined
  /** What the environment holds that `run` mounts, in the order of its seal. */
  readonly caches?: readonly SealedCache[] | undefined
  /** What runs beside the agent, and beside checks. */
  readonly services?: readonly ProjectService[] | undefined
  /** Those that `run` names, as the project has them. */
  readonly checks?: readonly ProjectCheck[] | undefined
}

export const VOLUME = 'data'
export const TMP = 'tmp'
export const AUTHORITIES = 'authorities'
export const RUNNER = 'runner'
export const RUNNER_DIR = '/opt/slipway'

/**
 * As JSON without any `$`: Kubernetes would read `$(NAME)` and `$$` in the value of a variable as its own, and titles
 * are what people typed.
 */
export function toVariable(run: RunSpec): string {
  const { delivery } = run
  return escape(delivery?.text === undefined ? run : { ...run, delivery: { ...delivery, text: fit(delivery.text) } })
}

/** The kernel takes 128 KiB for one variable; the rest of a run specification, with the certificates of a git host, has 80. */
const MAX_TEXT_BYTES = 48 * 1024

/** The beginning of a text, as much as there is room for in a variable. */
function fit(text: string): string {
  let kept = text
  while (Buffer.byteLength(escape(kept)) > MAX_TEXT_BYTES) kept = clip(kept, Math.floor(kept.length * 0.9))
  return kept
}

function escape(value: unknown): string {
  return JSON.stringify(value).replaceAll('$', String.raw`\u0024`)
}

/** Of the agent's step, and of the checks that name none. */
export function agentImage({ settings, agent, containerImage }: JobInput): string {
  return containerImage ?? agent?.spec.image ?? settings.image
}

/** An image of others has no runner: it and Node come from ours, by way of an emptyDir. */
export function needsRunnerCopy(input: JobInput): boolean {
  if (input.agent === undefined) return false
  const images = [agentImage(input), ...(input.checks ?? []).flatMap(({ image }) => image ?? [])]
  return images.some((image) => isForeign(input, image))
}

function isForeign({ settings }: JobInput, image: string): boolean {
  return !settings.embedded && image !== settings.image
}

/** Where a container of this image finds the runner. */
export function runnerMounts(input: JobInput, image: string): VolumeMount[] {
  return isForeign(input, image) ? [{ name: RUNNER, mountPath: RUNNER_DIR, readOnly: true }] : []
}

/** Starts the runner in a container of this image; the step's name is appended. */
export function commandOf(input: JobInput, image: string): readonly string[] {
  return isForeign(input, image) ? [`${RUNNER_DIR}/node`, `${RUNNER_DIR}/runner.js`] : input.settings.runnerCommand
}

export function lastOfEach(variables: readonly EnvVar[]): EnvVar[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()]
}

export function authoritiesDir({ settings, execution }: JobInput): string {
  return `${settings.credentialsRoot}/${execution.metadata.name}/${AUTHORITIES}`
}

export function authorityMounts(input: JobInput): VolumeMount[] {
  if (input.settings.pods.caBundle === undefined) return []
  return [{ name: AUTHORITIES, mountPath: authoritiesDir(input), readOnly: true }]
}
