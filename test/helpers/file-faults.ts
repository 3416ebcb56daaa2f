/**
 * File functions that fail when told to. The code under test imports the named functions of `node:fs/promises`; Node
 * updates those imports when the module's default export has changed and `syncBuiltinESMExports` is called.
 */
import { readlinkSync } from 'node:fs'
import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** The operations on files below one folder. An operation is named `<function> <path in the folder>`. */
export interface FaultyFolder {
  /** Names of all operations so far. */
  readonly seen: ReadonlySet<string>
  /** Names of those that have failed. */
  readonly failed: ReadonlySet<string>
}

interface Watched {
  readonly seen: Set<string>
  readonly failed: Set<string>
  readonly failing: ReadonlySet<string>
}

const folders = new Map<string, Watched>()
const OPERATIONS =
  'access appendFile chmod copyFile lstat mkdir open readdir readFile realpath rename rm rmdir stat truncate unlink writeFile'.split(
    ' ',
  ) as readonly (keyof typeof files)[]
const HANDLE_OPERATIONS = ['read', 'write', 'writeFile', 'sync', 'truncate', 'stat'] as const

/** Watches the operations below `folder`; of those with a name in `failing` the first one fails. */
export function watchFiles(folder: string, failing: readonly string[]): FaultyFolder {
  const watched: Watched = { seen: new Set(), failed: new Set(), failing: new Set(failing) }
  folders.set(folder, watched)
  return watched
}

const once = new Set<string>()

/** Lets one operation on one path fail the next time: by EMFILE, as in a process that has too many files open. */
export function failOnce(operation: keyof typeof files, path: string): { readonly isOver: () => boolean } {
  once.add(`${operation} ${path}`)
  return { isOver: () => !once.has(`${operation} ${path}`) }
}

/** What an operation fails with. */
export function causeOf(operation: string): string {
  return `ENOSPC: no space left on device (${operation})`
}

/** Puts the watching functions in place; the returned function takes them away. */
export function installFaults(): () => void {
  const original = { ...files }
  const changed = files as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of OPERATIONS) {
    const real = original[name] as (...args: unknown[]) => Promise<unknown>
    changed[name] = async (...args) => {
      const path = withoutDescriptor(String(args[0]))
      check(name, path)
      const result = await real.apply(files, args)
      return name === 'open' ? watchHandle(result as FileHandle, path) : result
    }
  }
  syncBuiltinESMExports()
  return () => {
    Object.assign(files, original)
    syncBuiltinESMExports()
    folders.clear()
    once.clear()
  }
}

function watchHandle(handle: FileHandle, path: string): FileHandle {
  const changed = handle as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of HANDLE_OPERATIONS) {
    const real = changed[name]
    changed[name] = async (...args) => {
      check(`handle.${name}`, path)
      return real?.apply(handle, args)
    }
  }
  return handle
}

function check(operation: string, path: string): void {
  if (once.delete(`${operation} ${path}`))
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  const [folder, watched] = [...folders].find(([root]) => path.startsWith(`${root}/`)) ?? []
  // The root of the claim is made by the test itself.
  if (folder === undefined || watched === undefined || path === `${folder}/volume`) return
  const name = `${operation} ${withoutNumbers(path.slice(folder.length + 1))}`
  watched.seen.add(name)
  if (!watched.failing.has(name) || watched.failed.has(name)) return
  watched.failed.add(name)
  throw Object.assign(new Error(causeOf(name)), { code: 'ENOSPC' })
}

/** A folder may be named by its open descriptor (lib/files.ts). */
function withoutDescriptor(path: string): string {
  return path.replace(/^\/proc\/self\/fd\/\d+/, (link) => {
    try {
      return readlinkSync(link)
    } catch {
      return link
    }
  })
}

function withoutNumbers(path: string): string {
  return path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID').replaceAll(/\.\d+\.\d+\.tmp/g, '.tmp')
}
