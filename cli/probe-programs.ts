/**
 * Which programs and logins agents would find on this machine, for people who set an agent up. Looks anew, so that what
 * was installed since the start is seen; what runs use was found at the start.
 */
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentProgram, AGENT_PROGRAMS } from '../core/agent/programs.ts'
import { type Installation, unavailableReason } from '../core/agent/availability.ts'
import type { Agent, AgentAdapter } from '../core/crd/types.ts'
import { API_VERSION } from '../core/names.ts'
import type { ProgramRecord } from '../core/rest/records/setup.ts'
import type { Clock } from '../lib/clock.ts'
import { hasErrorCode } from '../lib/files.ts'
import { endGroup, startGroup } from '../lib/process.ts'
import type { Owner } from './agent-logins.ts'
import { type FoundProgram, findPrograms } from './agent-programs.ts'

export interface ProbeOptions {
  readonly owner: Owner
  /** What runs find, as it was at the start. */
  readonly installation: Installation
  readonly clock: Clock
}

const KEPT_MS = 15_000
const VERSION_LIMIT_MS = 5_000
/** For what the program wrote before its end and is not read yet. */
const REST_MS = 200
const MAX_VERSION_LENGTH = 100

/** A probe that answers from memory for fifteen seconds; whoever asks meanwhile waits for the same look. */
export function createProgramProbe(options: ProbeOptions): () => Promise<readonly ProgramRecord[]> {
  let last: { readonly atMs: number; readonly found: Promise<readonly ProgramRecord[]> } | undefined
  return () => {
    const nowMs = options.clock.now().getTime()
    if (last === undefined || nowMs - last.atMs >= KEPT_MS) {
      const found = probe(options)
      last = { atMs: nowMs, found }
      found.catch(() => (last = undefined))
    }
    return last.found
  }
}

async function probe(options: ProbeOptions): Promise<readonly ProgramRecord[]> {
  const found = await findPrograms(options.owner.env['PATH'] ?? '')
  const records: ProgramRecord[] = []
  // One after another: each starts a process.
  for (const adapter of ['claude', 'codex', 'gemini'] as const) {
    const program: AgentProgram = AGENT_PROGRAMS[adapter]
    const path = found.find(({ command }) => command === program.command)
    records.push(await describe(adapter, program, path, options))
  }
  const script = { adapter: 'script', is_found: true, login: 'not_needed', is_ready: true } as const
  return [...records, script]
}

async function describe(
  adapter: AgentAdapter,
  program: AgentProgram,
  found: FoundProgram | undefined,
  { owner, installation, clock }: ProbeOptions,
): Promise<ProgramRecord> {
  const version = found && (await readVersion(found, owner, clock))
  const login = await findLogin(program, owner)
  const lack = findLack(adapter, program, { found, hasLogin: login.login !== 'none', installation })
  return {
    adapter,
    command: program.command,
    is_found: found !== undefined,
    ...(version === undefined ? {} : { version }),
    ...login,
    is_ready: lack === undefined,
    ...lack,
  }
}

interface Findings {
  readonly found: FoundProgram | undefined
  readonly hasLogin: boolean
  readonly installation: Installation
}

/** The first thing that is missing, in the order in which people mend it. */
function findLack(
  adapter: AgentAdapter,
  { command, install, login }: AgentProgram,
  { found, hasLogin, installation }: Findings,
): Pick<ProgramRecord, 'missing' | 'remedy'> | undefined {
  if (found === undefined)
    return { missing: `${command} is not installed on this machine`, remedy: `${install} # then start Slipway again` }
  const agent: Agent = { apiVersion: API_VERSION, kind: 'Agent', metadata: { name: adapter }, spec: { adapter } }
  const { programs: _, ...place } = installation
  const reason = unavailableReason(agent, place)
  if (reason !== undefined)
    return { missing: reason, remedy: 'install bubblewrap, or start Slipway with --runtime process' }
  if (installation.programs?.has(command) === false)
    return { missing: `${command} was installed after Slipway had started`, remedy: 'start Slipway again' }
  if (!hasLogin) return { missing: `no login of ${command} was found`, remedy: login }
  return undefined
}

/** A variable comes first, as it does for runs. */
async function findLogin(
  { keys, loginFile }: AgentProgram,
  { env, home }: Owner,
): Promise<Pick<ProgramRecord, 'login' | 'login_source'>> {
  const variable = keys.find((name) => (env[name] ?? '') !== '')
  if (variable !== undefined) return { login: 'environment', login_source: variable }
  try {
    await access(join(home, loginFile), constants.R_OK)
    return { login: 'file', login_source: `~/${loginFile}` }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) return { login: 'none' }
    throw error
  }
}

/** The first line of `<command> --version`; undefined where it fails, or says nothing in time. */
async function readVersion({ path }: FoundProgram, { env, home }: Owner, clock: Clock): Promise<string | undefined> {
  const child = startGroup(path, ['--version'], {
    env: { PATH: env['PATH'] ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { pid } = child
  const end = (): Promise<void> => (pid === undefined ? Promise.resolve() : endGroup(pid, { graceMs: 500, clock }))
  let ending: Promise<void> | undefined
  const stop = (): void => {
    // `close` comes only when nobody holds the pipe: what the program has left running may hold it for ever.
    ending ??= end().finally(() => child.stdout?.destroy())
  }
  const cancel = clock.schedule(VERSION_LIMIT_MS, stop)
  let cancelRest = (): void => undefined
  child.once('exit', () => (cancelRest = clock.schedule(REST_MS, stop)))
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    if (text.length < MAX_VERSION_LENGTH) text += chunk.toString('utf8')
  })
  try {
    await once(child, 'close')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES', 'ENOEXEC')) return undefined
    throw error
  } finally {
    cancel()
    cancelRest()
    await ending
  }
  const line = text.split('\n', 1)[0]?.trim().slice(0, MAX_VERSION_LENGTH) ?? ''
  return line === '' ? undefined : line
}
