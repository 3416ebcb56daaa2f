/** What a pod says of an execution's steps. */
import type { CheckVerdict } from './checks.ts'
import type { ExecutionResult } from './result.ts'
import type { StepName } from './steps.ts'
import type { PrepareReport } from './termination.ts'

/** How one step's container stands. */
export interface StepFacts {
  readonly name: StepName
  readonly phase: 'waiting' | 'running' | 'ended'
  readonly startedAt?: string | undefined
  readonly finishedAt?: string | undefined
  readonly exitCode?: number | undefined
  /** Kubernetes' word: Completed, Error, OOMKilled, ContainerCannotRun … */
  readonly reason?: string | undefined
  /** The step's result in its short form, when it left one. */
  readonly message?: TerminationMessage | undefined
  /** What prepare tells beside a result. */
  readonly report?: PrepareReport | undefined
  /** What it, or the container runtime, last said, when it left no result. */
  readonly lastWords?: string | undefined
  /** Of the container of a check. */
  readonly check?: CheckFacts | undefined
}

/** What the pod says of one check: its spec what it is, its container how it ended. */
export interface CheckFacts {
  readonly name: string
  readonly required: boolean
  readonly round: number
  /** What the container told. Code of the agent runs in it, and can tell this of no other check. */
  readonly verdict?: Pick<CheckVerdict, 'state' | 'exitCode' | 'seconds' | 'reason'> | undefined
}

/** The short form of a result: of the texts only the error's is left. */
export type TerminationMessage = Pick<ExecutionResult, 'outcome' | 'error' | 'pushed'> & Partial<ExecutionResult>

/** What a pod says of one service of the project. */
export interface ServiceFacts {
  readonly name: string
  readonly image?: string | undefined
  /** Whether the agent may start as far as this one goes. */
  readonly isStarted: boolean
  readonly restarts: number
  /** Kubernetes' word for why it does not run or last ended, and what it adds to that. */
  readonly reason?: string | undefined
  readonly words?: string | undefined
}

/** The execution's latest pod. */
export interface PodFacts {
  readonly name: string
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  /** Kubernetes' word for what became of the pod as a whole: Evicted, EvictionByEvictionAPI, Unschedulable … */
  readonly reason?: string | undefined
  readonly message?: string | undefined
  /** Whether somebody has deleted it. */
  readonly isDeleted?: boolean | undefined
  readonly steps: readonly StepFacts[]
  /** Of the project, beside the agent; absent: it has none. */
  readonly services?: readonly ServiceFacts[] | undefined
  /** The agent's step runs in an image of others, which gets Node and the runner from ours. */
  readonly hasForeignImage?: boolean | undefined
}
