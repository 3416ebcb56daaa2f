import { join } from 'node:path'
import { DROPS_PATH, EXECUTION_FILES } from '../../core/execution/layout.ts'
import { CONTAINER_OFFSPRING_VARIABLE, CONTAINER_VARIABLE } from '../../lib/process.ts'
import type { StepContext } from '../context.ts'

export const EXECUTION_VARIABLE = 'SERVICE_EXECUTION_ID'

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

/**
 * The environment of an agent's CLI, which inherits nothing by default (specification §7.11): the contract's SERVICE_*
 * variables, HOME and TMPDIR, and the variables of the container that the Agent's credentials define.
 */
export function agentEnvironment(context: StepContext): Record<string, string> {
  const { run, paths, env, tmp } = context
  const mark = executionMark(context)
  const inherited = ['PATH', 'LANG', 'TZ', ...(run.passEnv ?? [])].flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(inherited),
    TERM: 'dumb',
    HOME: paths.home,
    TMPDIR: tmp,
    [mark.name]: mark.value,
    SERVICE_QUESTION_FILE: join(paths.execution, EXECUTION_FILES.question),
    SERVICE_ARTIFACT_DIR: join(paths.execution, EXECUTION_FILES.artifacts),
    SERVICE_DROP_DIR: join(run.volumeRoot, DROPS_PATH),
    SERVICE_TASK_ID: run.task,
    [EXECUTION_VARIABLE]: run.execution,
    ...(env[CONTAINER_VARIABLE] === undefined ? {} : { [CONTAINER_OFFSPRING_VARIABLE]: env[CONTAINER_VARIABLE] }),
    ...(run.answer === undefined ? {} : { SERVICE_ANSWER: run.answer }),
  }
}
