import { join } from 'node:path'
import { TOOL_VARIABLES } from '../../core/agent/tools.ts'
import { DROPS_PATH, EXECUTION_FILES } from '../../core/execution/layout.ts'
import { type StepContext, offspringEnvironment } from '../context.ts'
import { authorityVariables } from '../../lib/authorities.ts'
import { systemConfigPath } from '../git/identity.ts'
import { answerPath } from './given.ts'

/** The kernel takes 128 KiB for one variable. */
const MAX_ANSWER_BYTES = 48 * 1024

export const EXECUTION_VARIABLE = 'SERVICE_EXECUTION_ID'

/**
 * The environment of an agent's CLI, which inherits nothing by default (specification §7.11): the contract's SERVICE_*
 * variables, HOME and TMPDIR, and the variables of the container that the installation and the Agent's credentials define.
 */
export function agentEnvironment(context: StepContext): Record<string, string> {
  const { run, paths, env, given } = context
  const { answer } = given ?? {}
  const inherited = ['PATH', 'LANG', 'TZ', ...TOOL_VARIABLES, ...(run.passEnv ?? [])].flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    ...Object.fromEntries(inherited),
    TERM: 'dumb',
    HOME: paths.home,
    ...offspringEnvironment(context),
    ...authorityVariables(context),
    GIT_CONFIG_SYSTEM: systemConfigPath(context),
    SERVICE_QUESTION_FILE: join(paths.execution, EXECUTION_FILES.question),
    SERVICE_ARTIFACT_DIR: join(paths.execution, EXECUTION_FILES.artifacts),
    SERVICE_DROP_DIR: join(run.volumeRoot, DROPS_PATH),
    SERVICE_TASK_ID: run.task,
    [EXECUTION_VARIABLE]: run.execution,
    ...(answer === undefined ? {} : { SERVICE_ANSWER_FILE: answerPath(context) }),
    ...(answer === undefined || Buffer.byteLength(answer) > MAX_ANSWER_BYTES ? {} : { SERVICE_ANSWER: answer }),
  }
}
