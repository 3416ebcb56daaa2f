/** What Slipway needs of the machine: Node, a sandbox, and the agents' programs. */
import { dirname } from 'node:path'
import type { ProgramRecord } from '../../core/rest/records/setup.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Config } from '../../lib/config-schema.ts'
import type { Owner } from '../agent-logins.ts'
import { findOnPath } from '../agent-programs.ts'
import { type Isolation, chooseIsolation } from '../isolation.ts'
import { createProgramProbe } from '../probe-programs.ts'
import { checkToolFolders, findHiddenTools } from '../tool-folders.ts'
import { type Finding, findingsOf, makeFinding } from './finding.ts'
import { messageOf } from '../../lib/error-message.ts'

/** An older one does not start the program at all (tools/node-version.mjs). */
export function checkNode(version: string): Finding {
  return makeFinding('node', 'ok', version)
}

/** The isolation of executions on this machine, and what agents find there. */
export async function checkAgents(config: Config, file: string, owner: Owner): Promise<Finding[]> {
  const { runtime } = config
  const { isolation, finding } = await checkIsolation(runtime, owner.env['PATH'] ?? '')
  const installation = { isolation, allowUnsandboxed: runtime === 'process', embedded: true }
  const tools = isolation === 'sandbox' ? await findingsOf('tools', () => checkTools(config, file, owner)) : []
  return [finding, ...tools, ...checkPrograms(await createProgramProbe({ owner, installation, clock: systemClock })())]
}

/** Programs that the owner has on PATH and agents in a sandbox have not, and the setting that shows them. */
export async function checkTools({ toolFolders, dataDir }: Config, file: string, owner: Owner): Promise<Finding> {
  const place = { home: owner.home, dataDir }
  await checkToolFolders(toolFolders, place)
  const { programs, offered } = await findHiddenTools(owner, toolFolders, place)
  if (programs.length === 0) return makeFinding('tools', 'ok', 'sandboxes show all programs of your PATH')
  const folders = [...new Set(programs.map((path) => dirname(path)))].join(', ')
  const text = `programs of your PATH that sandboxes do not show: ${programs.length}, in ${folders}`
  if (offered.length === 0)
    return makeFinding('tools', 'warn', text, 'install those that agents need outside your home')
  const setting = `toolFolders: ${JSON.stringify([...toolFolders, ...offered])}`
  return makeFinding('tools', 'warn', text, `${setting} # in ${file}, if agents need them`)
}

/** Which isolation it is, and why it is not a better one. */
async function checkIsolation(
  runtime: Config['runtime'],
  path: string,
): Promise<{ readonly isolation: Isolation['kind']; readonly finding: Finding }> {
  try {
    const { kind, text } = await chooseIsolation(runtime)
    if (kind !== 'none') return { isolation: kind, finding: makeFinding('sandbox', 'ok', text) }
    const finding = makeFinding('sandbox', 'warn', text, await sandboxRemedy(runtime, path))
    return { isolation: kind, finding }
  } catch (error) {
    const text = messageOf(error)
    return { isolation: 'none', finding: makeFinding('sandbox', 'fail', text, await sandboxRemedy(runtime, path)) }
  }
}

async function sandboxRemedy(runtime: Config['runtime'], path: string): Promise<string> {
  if (runtime === 'process') return 'start Slipway without --runtime process (SLIPWAY_RUNTIME)'
  if ((await findOnPath(path, 'bwrap')) === undefined) return 'apt-get install bubblewrap'
  return 'bubblewrap is installed, and may make no user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns user.max_user_namespaces'
}

/** One finding for each agent's program; who has one that works need not install the others. */
export function checkPrograms(programs: readonly ProgramRecord[]): Finding[] {
  const agents = programs.filter(({ login }) => login !== 'not_needed')
  const isOneReady = agents.some(({ is_ready }) => is_ready)
  return agents.map(({ adapter, is_ready, is_found, version, login_source, missing = 'it cannot work', remedy }) => {
    if (is_ready)
      return makeFinding(adapter, 'ok', `${version ?? 'found'}, logs in with ${login_source ?? 'its own login'}`)
    if (isOneReady && !is_found) return makeFinding(adapter, 'ok', 'not installed; another agent works')
    return makeFinding(adapter, 'warn', missing, remedy)
  })
}
