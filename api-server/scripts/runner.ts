/**
 * Named scripts (specification §8.26).
 *
 * A script is a file of `scriptsDir` or one of the built-in ones, which a file of the same name replaces. It runs with
 * an environment made from nothing, so that neither our secrets nor a caller's tricks reach it, in a process group
 * that is ended after five minutes. A caller who goes does not end it: half a deployment is worse than one nobody
 * waited for.
 */
import { constants } from 'node:fs'
import { access, lstat, open, readdir } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { apiError } from '../../core/errors.ts'
import type { ScriptRecord, ScriptResult } from '../../core/rest/records/script.ts'
import {
  type CheckVariable,
  isScriptName,
  checkByCommand,
  checkByFile,
  checkByNames,
  describeCommand,
  describeFile,
  toScriptVariables,
} from '../../core/script-parameters.ts'
import type { Clock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { type ScriptCommand, type ScriptEnd, runCommand } from './process.ts'

export interface ScriptOptions {
  readonly scriptsDir?: string | undefined
  readonly deployCommand?: string | undefined
  readonly clock: Clock
  /** Five minutes unless given. */
  readonly scriptTimeoutMs?: number | undefined
  /** PATH of what is run. */
  readonly path?: string | undefined
}

/** A script that this program does itself, and the names of the variables that it takes. */
export interface BuiltIn {
  readonly takes: readonly string[]
  readonly perform: (variables: Readonly<Record<string, string>>) => Promise<ScriptEnd>
}

export interface Scripts {
  list(): Promise<ScriptRecord[]>
  /**
   * Runs a script to its end, also when it fails.
   *
   * @param serverUrl base URL that it reaches this API under
   * @throws ApiError `invalid_request`, `not_found`, `script_timed_out`; `script_refused` while it runs already
   */
  run(
    name: string,
    query: Readonly<Record<string, string>>,
    given: { readonly serverUrl: string; readonly builtIns: Readonly<Record<string, BuiltIn>> },
  ): Promise<ScriptResult>
}

const TIMEOUT_MS = 5 * 60 * 1000
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'
const BUILT_IN = ['deploy', 'start-next-task']
const START_NEXT_TASK = {
  description: 'Queues the task that is next by priority, then by age, and prints its id',
  parameters: ['AGENT'],
}
/** How far a script is searched for its parameters. */
const MAX_TEXT_BYTES = 1024 * 1024

export function createScripts(options: ScriptOptions): Scripts {
  const { clock, scriptTimeoutMs = TIMEOUT_MS } = options
  const scriptsDir = options.scriptsDir === undefined ? undefined : resolve(options.scriptsDir)
  const running = new Set<string>()
  const findFile = async (name: string): Promise<string | undefined> => {
    const path = scriptsDir === undefined ? undefined : join(scriptsDir, name)
    return path !== undefined && (await isScript(path)) ? path : undefined
  }
  const find = async (name: string, builtIn: BuiltIn | undefined): Promise<FoundScript> => {
    const file = await findFile(name)
    const cwd = scriptsDir ?? tmpdir()
    const run = (command: Pick<ScriptCommand, 'path' | 'args'>) => (env: Environment) =>
      runCommand({ ...command, env, cwd }, scriptTimeoutMs, clock)
    if (file !== undefined) return { check: checkByFile(await readStart(file)), perform: run({ path: file, args: [] }) }
    if (name === 'deploy' && options.deployCommand !== undefined) {
      const { deployCommand } = options
      return { check: checkByCommand(deployCommand), perform: run({ path: '/bin/sh', args: ['-c', deployCommand] }) }
    }
    if (builtIn !== undefined) return { check: checkByNames(builtIn.takes), perform: builtIn.perform }
    throw name === 'deploy'
      ? apiError('script_refused', 'no deployCommand is configured')
      : apiError('not_found', 'script')
  }
  const describeScript = async (name: string): Promise<ScriptRecord> => {
    const { parameters, ...rest } = describeFile(await readStart(join(scriptsDir ?? '', name)))
    return { name, built_in: false, ...rest, parameters: [...parameters] }
  }
  const describeBuiltIn = (name: string): Pick<ScriptRecord, 'description' | 'parameters'> => {
    if (name !== 'deploy') return START_NEXT_TASK
    const { deployCommand } = options
    return deployCommand === undefined
      ? { description: 'Nothing yet: the setting deployCommand says what it runs', parameters: [] }
      : { description: 'Runs the setting deployCommand', parameters: [...describeCommand(deployCommand)] }
  }
  return {
    async list() {
      const files = scriptsDir === undefined ? [] : await listScripts(scriptsDir)
      const builtIn = BUILT_IN.filter((name) => !files.includes(name))
      const records = [
        ...(await Promise.all(files.map((name) => describeScript(name)))),
        ...builtIn.map((name) => ({ name, built_in: true, ...describeBuiltIn(name) })),
      ]
      return records.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    async run(name, query, { serverUrl, builtIns }) {
      if (!isScriptName(name)) throw apiError('not_found', 'script')
      const script = await find(name, Object.hasOwn(builtIns, name) ? builtIns[name] : undefined)
      const parameters = toScriptVariables(query, script.check)
      if (!parameters.ok) throw apiError('invalid_request', parameters.message)
      if (running.has(name)) throw apiError('script_refused', `script ${name} is running already`)
      running.add(name)
      const startedAt = clock.now().getTime()
      try {
        const env = { ...baseEnvironment(options.path ?? USUAL_PATH, serverUrl), ...parameters.variables }
        const end = await script.perform(env)
        if (end === undefined) throw apiError('script_timed_out', name, scriptTimeoutMs / 1000)
        const { exitCode, stdout, stderr } = end
        return {
          name,
          exit_code: exitCode,
          stdout,
          stderr,
          duration_seconds: (clock.now().getTime() - startedAt) / 1000,
        }
      } finally {
        running.delete(name)
      }
    },
  }
}

type Environment = Readonly<Record<string, string>>

/** What a name stands for: which parameters it takes, and how it is run; undefined when its time was over. */
interface FoundScript {
  readonly check: CheckVariable
  readonly perform: (env: Environment) => Promise<ScriptEnd | undefined>
}

/** The beginning of a script, as text; nothing of one that may be run but not read, or that is gone. */
async function readStart(path: string): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_TEXT_BYTES), 0, MAX_TEXT_BYTES, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'ENOENT')) return ''
    throw error
  }
}

/** Nothing of our own environment, which holds secrets, but what programs need to start at all. */
function baseEnvironment(path: string, serverUrl: string): Record<string, string> {
  return { PATH: path, HOME: homedir(), TMPDIR: tmpdir(), LANG: 'C.UTF-8', SLIPWAY_SERVER: serverUrl }
}

async function listScripts(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter(isScriptName)
    const found = await Promise.all(names.map(async (name) => ((await isScript(join(folder, name))) ? [name] : [])))
    return found.flat()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** An executable file, no link, that only its owner and group can change: whoever may write it decides what we run. */
async function isScript(path: string): Promise<boolean> {
  try {
    const stat = await lstat(path)
    if (!stat.isFile() || (stat.mode & 0o002) !== 0) return false
    await access(path, constants.X_OK)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false
    throw error
  }
}
