/**
 * Where the node keeps what a kubelet keeps, below its own folder:
 *
 *     pods/<uid>/<container>/log          both output streams as written, see log-file.ts for rotation
 *     pods/<uid>/<container>/log.times    when how much of it existed
 *     pods/<uid>/<container>/pids         shim and container, each with its start time
 *     pods/<uid>/<container>/state.json   how the container ended
 *     pods/<uid>/<container>/termination  its termination message
 *     volumes/<uid>/<volume>              emptyDir
 *     written/<uid>.json                  files of Secrets and ConfigMaps outside this folder, to be removed
 *     clock.json                          whether the wall clock was set, see lib/elapsed.ts
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../lib/files.ts'

export interface ContainerPaths {
  readonly dir: string
  readonly log: string
  readonly logTimes: string
  readonly pids: string
  readonly state: string
  readonly restarts: string
  readonly termination: string
}

/** Uids and names come from an API that refuses separators in them; a path from them is checked all the same. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/\0]/.test(text)) throw new Error(`not a file name: ${text}`)
  return text
}

export function podsDir(root: string): string {
  return join(root, 'pods')
}

export function podDir(root: string, uid: string): string {
  return join(podsDir(root), segment(uid))
}

export function containerPaths(root: string, uid: string, container: string): ContainerPaths {
  const dir = join(podDir(root, uid), segment(container))
  const at = (name: string): string => join(dir, name)
  return {
    dir,
    log: at('log'),
    logTimes: at('log.times'),
    pids: at('pids'),
    state: at('state.json'),
    restarts: at('restarts.json'),
    termination: at('termination'),
  }
}

/** Uids of all pods of which anything lies here. */
export async function listUids(root: string): Promise<Set<string>> {
  const names = await Promise.all(['pods', 'volumes', 'written'].map((folder) => namesIn(join(root, folder))))
  return new Set(names.flat().map((name) => name.replace(/\.json$/, '')))
}

/** Names in a folder; none when it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await ifThere(readdir(folder))) ?? []
}

export function volumesDir(root: string, uid: string): string {
  return join(root, 'volumes', segment(uid))
}

export function writtenPath(root: string, uid: string): string {
  return join(root, 'written', `${segment(uid)}.json`)
}

/** Undefined when the file does not exist. */
export function readIfExists(path: string): Promise<Buffer | undefined> {
  return ifThere(readFile(path), 'ENOENT', 'ENOTDIR')
}
