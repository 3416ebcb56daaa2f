import { readFile } from 'node:fs/promises'
import { secretsOfFile, secretsOfVariable } from '../../core/agent/login-secrets.ts'
import { ifThere } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'

/**
 * Finds the secrets that the agent of this step gets and may print: the variables of its credentials and of its MCP
 * servers, and the logins in its credential files. A secret that it makes or renews by itself is not known.
 */
export async function findAgentSecrets({ run, env }: StepContext): Promise<readonly string[]> {
  const variables = (run.passEnv ?? []).flatMap((name) => secretsOfVariable(env[name] ?? ''))
  const files = await Promise.all((run.credentialFiles ?? []).map(({ from }) => readIfThere(from)))
  return [...new Set([...variables, ...files.flatMap(secretsOfFile)])]
}

/** Copying the file reports that it is missing. */
async function readIfThere(file: string): Promise<string> {
  return (await ifThere(readFile(file, 'utf8'))) ?? ''
}
