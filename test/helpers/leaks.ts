import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Content of a file that may vanish meanwhile, or be another user's; empty then. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Files below `folder` that contain `text`. */
export function filesWith(folder: string, text: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => textOf(path).includes(text))
}
