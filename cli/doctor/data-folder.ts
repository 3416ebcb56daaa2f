/** The data folder of a server on this machine: whether it is there, has room, is whole, and is not from the future. */
import { countOf, formatSize } from '../../core/sentences/amounts.ts'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checkFolder, fileOf } from '../../embedded/storage/folder.ts'
import { findHeld } from '../../lib/belonging.ts'
import type { Config } from '../../lib/config-schema.ts'
import { hasErrorCode, ifThere } from '../../lib/files.ts'
import { measureRepositories } from '../../operator/repositories.ts'
import { measureSandboxes, readRoom } from '../../operator/room.ts'
import { shellWord } from '../../core/shell.ts'
import { storeFolder } from '../data-dir.ts'
import { localVolume } from '../local-node.ts'
import { type Finding, makeFinding } from './finding.ts'

const MEBIBYTE = 2 ** 20
/** Below the first a clone seldom fits; below the second the store itself may stop. */
const [LITTLE, TOO_LITTLE] = [1024 * MEBIBYTE, 64 * MEBIBYTE]
/** Clocks of machines that share a disk differ by less. */
const FUTURE_MS = 60_000

/** Looks, and changes nothing; may run beside a server. */
export async function checkDataFolder(config: Config, now: Date): Promise<Finding[]> {
  const { dataDir } = config
  const isThere = (await sizeOf(dataDir)) !== undefined
  const room = await checkRoom(isThere ? dataDir : await nearestFolder(dataDir))
  if (!isThere) return [makeFinding('data', 'ok', `${dataDir} does not exist yet; the first start makes it`), room]
  if (!(await isWritable(dataDir))) {
    const text = `${dataDir} cannot be written by this user; choose another with --data-dir, or take it over`
    return [makeFinding('data', 'fail', text, `sudo chown -R "$USER" ${shellWord(dataDir)}`), room]
  }
  const looks = [checkStore(config, now), checkVolume(config), checkSizes(config)]
  return [makeFinding('data', 'ok', dataDir), room, ...(await Promise.all(looks)).flat()]
}

/** What the operator found there and left for a person to decide. */
async function checkVolume(config: Config): Promise<Finding[]> {
  const remedy = `slipway adopt --data-dir ${shellWord(config.dataDir)}`
  return (await findHeld(localVolume(config))).map(({ held }) => makeFinding('volume', 'fail', held.text, remedy))
}

/** How much clones and mirrors take of what they may. */
async function checkSizes(config: Config): Promise<Finding[]> {
  const root = localVolume(config)
  const room = await ifThere(readRoom(root, config.retention))
  if (room === undefined) return []
  const [clones, repositories] = await Promise.all([measureSandboxes(root), measureRepositories(root)])
  return [
    describeSize('workspaces', countOf(clones.length, 'task'), clones, room.workspaceBytes),
    describeSize('mirrors', countOf(repositories.length, 'repository', 'repositories'), repositories, room.mirrorBytes),
  ]
}

function describeSize(
  topic: string,
  count: string,
  found: readonly { readonly bytes: number }[],
  most: number,
): Finding {
  const bytes = found.reduce((sum, one) => sum + one.bytes, 0)
  const limit = Number.isFinite(most) ? ` of ${formatSize(most)}` : ''
  const text = `${count}, ${formatSize(bytes)}${limit}`
  if (bytes <= most) return makeFinding(topic, 'ok', text)
  const setting = topic === 'mirrors' ? 'mirrorBytes' : 'workspaceBytes'
  return makeFinding(topic, 'warn', text, `accept or delete finished tasks, or raise retention.${setting}`)
}

async function checkRoom(folder: string): Promise<Finding> {
  const { blocks, bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${formatSize(free)} free`
  // Some file systems do not tell.
  if (blocks === 0 || free >= LITTLE) return makeFinding('disk', 'ok', blocks === 0 ? 'free space is not known' : text)
  return makeFinding('disk', free < TOO_LITTLE ? 'fail' : 'warn', text, `free some space on the disk of ${folder}`)
}

async function checkStore(config: Config, now: Date): Promise<Finding[]> {
  const folder = storeFolder(config)
  const bytes = await sizeOf(fileOf(folder))
  if (bytes === undefined) return [makeFinding('store', 'ok', 'there is none yet; the first start makes it')]
  const { records, problems } = await checkFolder(folder)
  const remedy = `slipway check --data-dir ${shellWord(config.dataDir)}`
  const [first, ...others] = problems
  const store =
    first === undefined
      ? makeFinding('store', 'ok', `whole: ${countOf(records, 'object')}, ${formatSize(bytes)}`)
      : makeFinding('store', 'fail', others.length === 0 ? first : `${first} (and ${others.length} more)`, remedy)
  const { mtimeMs } = await stat(fileOf(folder))
  if (mtimeMs <= now.getTime() + FUTURE_MS) return [store]
  const when = new Date(mtimeMs).toISOString()
  return [store, makeFinding('clock', 'warn', `the store was written at ${when}, which is in the future`, SET_CLOCK)]
}

/** How a clock is mended. */
export const SET_CLOCK = 'sudo timedatectl set-ntp true'

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
    throw error
  }
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  return parent === path || (await sizeOf(parent)) !== undefined ? parent : nearestFolder(parent)
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await ifThere(stat(path), 'ENOENT', 'ENOTDIR'))?.size
}
