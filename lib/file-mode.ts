/** Files that decide who is let in: what everybody on the machine may do with them. */
import { statSync } from 'node:fs'

const WRITE = 0o002
const READ = 0o004

/** Why such a file cannot be used, behind its name, and the way out; undefined where it can, or is not there. */
export function findWriteFault(path: string): string | undefined {
  if (!allowsAll(path, WRITE)) return undefined
  return `can be changed by everybody on this machine, who could let themselves in with it: chmod o-w ${path}`
}

/** What to tell of such a file that holds a secret, behind its name; undefined where not everybody can read it. */
export function findReadRisk(path: string): string | undefined {
  if (!allowsAll(path, READ)) return undefined
  return `holds a secret that everybody on this machine can read: chmod o-r ${path}`
}

function allowsAll(path: string, right: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & right) !== 0
}
