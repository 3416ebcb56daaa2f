import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What lets root read and write whatever its permissions say (capabilities(7)). */
const DROP = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--']

/**
 * Runs a module of the tests in a process to which permissions of files mean something, and gives what it printed.
 *
 * @returns undefined when this process is root's and cannot give that up here
 */
export function runWithoutRoot(module: URL, args: readonly string[]): string | undefined {
  const command = [process.execPath, fileURLToPath(module), ...args]
  if (process.getuid?.() !== 0) return execFileSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' })
  const [setpriv = '', ...rest] = [...DROP, ...command]
  if (spawnSync(setpriv, [...DROP.slice(1), 'true']).status !== 0) return undefined
  return execFileSync(setpriv, rest, { encoding: 'utf8' })
}
