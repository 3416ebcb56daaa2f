import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { GitIdentity } from '../../lib/git-session.ts'
import type { StepContext } from '../context.ts'

/** Who commits where nobody said another. */
const SLIPWAY: GitIdentity = { name: 'Slipway', email: 'slipway@localhost' }

/** Who commits in this run, unless the repository or the agent says another. */
export function identityOf({ gitIdentity }: Pick<RunSpec, 'gitIdentity'>): GitIdentity {
  return gitIdentity ?? SLIPWAY
}

/** Where the system's configuration of git is, by how it was built. What is not there counts for nothing. */
const SYSTEM_FILES = ['/etc/gitconfig', '/usr/local/etc/gitconfig']

/** The system's configuration of git for an agent and the programs that it starts. */
export function systemConfigPath({ tmp }: Pick<StepContext, 'tmp'>): string {
  return join(tmp, 'gitconfig')
}

/**
 * Writes that file. An identity there has the lowest precedence, so one of the repository or the home counts, and that of
 * the machine counts unless somebody named one for the project or the agent.
 */
export async function offerIdentity(context: Pick<StepContext, 'run' | 'tmp'>): Promise<void> {
  const { run } = context
  const system = `[include]\n${SYSTEM_FILES.map((path) => `\tpath = ${path}\n`).join('')}`
  const user = format(identityOf(run))
  await writeFile(systemConfigPath(context), run.gitIdentity === undefined ? `${user}${system}` : `${system}${user}`)
}

function format({ name, email }: GitIdentity): string {
  return `[user]\n\tname = ${quote(name)}\n\temail = ${quote(email)}\n`
}

/** git-config(1), Syntax: within quotes only these two are escaped. */
function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
