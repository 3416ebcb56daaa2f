import { join } from 'node:path'
import {
  agentOutputPath,
  clonePath,
  EXECUTION_FILES,
  executionPath,
  homePath,
  mirrorsPath,
} from '../core/execution/layout.ts'
import type { Given } from '../core/execution/given.ts'
import type { RunSpec } from '../core/execution/run-spec.ts'
import type { Clock } from '../lib/clock.ts'
import type { Lender } from '../lib/git-untrusted.ts'
import { CONTAINER_OFFSPRING_VARIABLE, CONTAINER_VARIABLE } from '../lib/process.ts'

/** What every step is given. */
export interface StepContext {
  readonly run: RunSpec
  readonly paths: RunPaths
  readonly clock: Clock
  /** Aborts on SIGTERM and SIGINT. */
  readonly signal: AbortSignal
  /** A folder of this step's own, removed when it ends. */
  readonly tmp: string
  /** The container's environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Secrets, which the step must neither print nor write; absent: it has none. */
  readonly secrets?: readonly string[]
  /** What the agent's step gives its agent; absent in other steps. */
  readonly given?: Given
  /** Prints a line for people in the pod log. The caller redacts what git said. */
  readonly say: (line: string) => void
}

/** Absolute paths of one execution as this container sees them. */
export interface RunPaths {
  readonly clone: string
  readonly home: string
  readonly execution: string
  readonly agentOutput: string
}

export function runPaths(run: RunSpec): RunPaths {
  const { sandbox = run.task } = run
  return {
    clone: join(run.volumeRoot, clonePath(sandbox)),
    home: join(run.volumeRoot, homePath(sandbox)),
    execution: join(run.volumeRoot, executionPath(run.execution)),
    agentOutput: join(run.volumeRoot, agentOutputPath(run.execution)),
  }
}

/** What the clone may borrow from. */
export function findLender({ mirror: key, volumeRoot }: RunSpec): Lender | undefined {
  return key === undefined ? undefined : { key, mirrors: join(volumeRoot, mirrorsPath(key)) }
}

/**
 * Everything that an agent starts inherits this variable. By it the runner finds and ends processes that left the agent's
 * process group. Its value is an absolute path, because two installations on one machine can have executions of the same
 * name.
 */
export function executionMark({ paths }: Pick<StepContext, 'paths'>): {
  readonly name: string
  readonly value: string
} {
  return { name: 'SERVICE_SUMMARY_FILE', value: join(paths.execution, EXECUTION_FILES.summary) }
}

/** Variables of everything that the agent's step starts. */
export function offspringEnvironment(context: Pick<StepContext, 'paths' | 'env' | 'tmp'>): Record<string, string> {
  const mark = executionMark(context)
  const container = context.env[CONTAINER_VARIABLE]
  return {
    TMPDIR: context.tmp,
    [mark.name]: mark.value,
    ...(container === undefined ? {} : { [CONTAINER_OFFSPRING_VARIABLE]: container }),
  }
}
