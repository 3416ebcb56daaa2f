import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasErrorCode } from '../../lib/files.ts'

/** Content of a file that may vanish meanwhile, or be another user's; empty then. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Files below `folder` that contain `text`; what is removed while it is looked through counts as gone. */
export function filesWith(folder: string, text: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesWith(path, text)
    return entry.isFile() && textOf(path).includes(text) ? [path] : []
  })
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/** Notes the arguments of all processes of this machine until it is stopped, as every user of it may see them. */
export function watchCommandLines(everyMs: number): { stop(): readonly string[] } {
  const seen = new Set<string>()
  const watching = setInterval(() => {
    const pids = entriesOf('/proc').flatMap(({ name }) => (/^\d+$/.test(name) ? [name] : []))
    for (const pid of pids) seen.add(textOf(`/proc/${pid}/cmdline`))
  }, everyMs)
  return {
    stop() {
      clearInterval(watching)
      return [...seen]
    },
  }
}
