import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What lets root read and write whatever its permissions say (capabilities(7)). */
const DROP = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--']

/** What stands before a command so that permissions of files mean something to it; undefined when root cannot give that up here. */
export function withoutRoot(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return []
  return spawnSync('setpriv', [...DROP.slice(1), 'true']).status === 0 ? DROP : undefined
}

/**
 * Runs a module of the tests in a process to which permissions of files mean something, and gives what it printed.
 *
 * @returns undefined when this process is root's and cannot give that up here
 */
export function runWithoutRoot(module: URL, args: readonly string[]): string | undefined {
  const command = [process.execPath, fileURLToPath(module), ...args]
  const below = withoutRoot()
  if (below === undefined) return undefined
  const [first = '', ...rest] = [...below, ...command]
  return execFileSync(first, rest, { encoding: 'utf8' })
}
