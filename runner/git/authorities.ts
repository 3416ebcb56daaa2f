import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { AUTHORITIES_VARIABLE, AUTHORITY_VARIABLES } from '../../core/execution/steps.ts'
import type { StepContext } from '../context.ts'

type Place = Pick<StepContext, 'env' | 'tmp'>

/** The certificates that the installation trusts beside the usual ones. Node itself adds them; other programs do not. */
export async function findAuthorities({ env }: Pick<StepContext, 'env'>): Promise<string | undefined> {
  const file = env[AUTHORITIES_VARIABLE]
  return file === undefined ? undefined : readFile(file, 'utf8')
}

/**
 * Writes a file with the usual authorities, Mozilla's, which Node ships, and `bundles`: most programs read one file in
 * place of their own list.
 */
export async function writeAuthorities(file: string, ...bundles: readonly string[]): Promise<void> {
  await writeFile(file, `${[...rootCertificates, ...bundles].join('\n')}\n`, { mode: 0o600 })
}

/** Makes that file for an agent, where the installation has such certificates. */
export async function offerAuthorities(context: Place): Promise<void> {
  const bundle = await findAuthorities(context)
  if (bundle !== undefined) await writeAuthorities(pathIn(context), bundle)
}

/** Variables by which an agent and the programs that it starts find the file. */
export function authorityVariables(context: Place): Record<string, string> {
  if (context.env[AUTHORITIES_VARIABLE] === undefined) return {}
  return Object.fromEntries(AUTHORITY_VARIABLES.map((name) => [name, pathIn(context)]))
}

function pathIn({ tmp }: Place): string {
  return join(tmp, 'authorities.pem')
}
