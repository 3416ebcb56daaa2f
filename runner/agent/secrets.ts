import { readFile } from 'node:fs/promises'
import { secretsOfFile, secretsOfVariable } from '../../core/agent/login-secrets.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'

/**
 * The secrets that the agent of this step is given, and may print: the variables of its credentials and of its servers
 * of tools, and the logins in its credential files. One that it makes or renews by itself is not known.
 */
export async function findAgentSecrets({ run, env }: StepContext): Promise<readonly string[]> {
  const variables = (run.passEnv ?? []).flatMap((name) => secretsOfVariable(env[name] ?? ''))
  const files = await Promise.all((run.credentialFiles ?? []).map(({ from }) => readIfThere(from)))
  return [...new Set([...variables, ...files.flatMap(secretsOfFile)])]
}

/** What is missing is told when it is copied. */
async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return ''
    throw error
  }
}
