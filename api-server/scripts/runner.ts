/**
 * Named scripts (specification §8.26).
 *
 * A script is a file of `scriptsDir` or one of the built-in ones, which a file of the same name replaces. It runs with
 * an environment made from nothing, so that neither our secrets nor a caller's tricks reach it, in a process group
 * that is ended after five minutes. A caller who goes does not end it: half a deployment is worse than one nobody
 * waited for.
 */
import { constants } from 'node:fs'
import { access, lstat, readdir } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { InvalidRequest, RecordNotFound, ScriptRefused, ScriptTimedOut } from '../../core/errors.ts'
import type { ScriptRecord, ScriptResult } from '../../core/rest/records/script.ts'
import { isScriptName, toScriptVariables } from '../../core/script.ts'
import type { Clock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { ScriptCommand, ScriptEnd } from './process.ts'
import { runCommand } from './process.ts'

export interface ScriptOptions {
  readonly scriptsDir?: string | undefined
  readonly deployCommand?: string | undefined
  readonly clock: Clock
  /** Five minutes unless given. */
  readonly scriptTimeoutMs?: number | undefined
  /** PATH of what is run. */
  readonly path?: string | undefined
}

/** A script that this program does itself. */
export type BuiltIn = (variables: Readonly<Record<string, string>>) => Promise<ScriptEnd>

export interface Scripts {
  list(): Promise<ScriptRecord[]>
  /**
   * Runs a script to its end, also when it fails.
   *
   * @param serverUrl base URL that it reaches this API under
   * @throws InvalidRequest, RecordNotFound, ScriptTimedOut; ScriptRefused while it runs already
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

export function createScripts(options: ScriptOptions): Scripts {
  const { clock, scriptTimeoutMs = TIMEOUT_MS } = options
  const scriptsDir = options.scriptsDir === undefined ? undefined : resolve(options.scriptsDir)
  const running = new Set<string>()
  const findFile = async (name: string): Promise<string | undefined> => {
    const path = scriptsDir === undefined ? undefined : join(scriptsDir, name)
    return path !== undefined && (await isScript(path)) ? path : undefined
  }
  const perform = async (name: string, env: Readonly<Record<string, string>>, builtIn: BuiltIn | undefined) => {
    const command = await commandOf(name, await findFile(name), options)
    if (command !== undefined)
      return runCommand({ ...command, env, cwd: scriptsDir ?? tmpdir() }, scriptTimeoutMs, clock)
    if (builtIn !== undefined) return builtIn(env)
    throw name === 'deploy' ? new ScriptRefused('no deployCommand is configured') : new RecordNotFound('script')
  }
  return {
    async list() {
      const files = scriptsDir === undefined ? [] : await listScripts(scriptsDir)
      const builtIn = BUILT_IN.filter((name) => !files.includes(name))
      const records = [
        ...files.map((name) => ({ name, built_in: false })),
        ...builtIn.map((name) => ({ name, built_in: true })),
      ]
      return records.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    async run(name, query, { serverUrl, builtIns }) {
      if (!isScriptName(name)) throw new RecordNotFound('script')
      const parameters = toScriptVariables(query)
      if (!parameters.ok) throw new InvalidRequest(parameters.message)
      if (running.has(name)) throw new ScriptRefused(`script ${name} is running already`)
      running.add(name)
      const startedAt = clock.now().getTime()
      try {
        const env = { ...baseEnvironment(options.path ?? USUAL_PATH, serverUrl), ...parameters.variables }
        const end = await perform(name, env, Object.hasOwn(builtIns, name) ? builtIns[name] : undefined)
        if (end === undefined) throw new ScriptTimedOut(name, scriptTimeoutMs / 1000)
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

async function commandOf(
  name: string,
  file: string | undefined,
  { deployCommand }: ScriptOptions,
): Promise<Pick<ScriptCommand, 'path' | 'args'> | undefined> {
  if (file !== undefined) return { path: file, args: [] }
  if (name === 'deploy' && deployCommand !== undefined) return { path: '/bin/sh', args: ['-c', deployCommand] }
  return undefined
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
