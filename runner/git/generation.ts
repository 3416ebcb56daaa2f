/**
 * One generation of a mirror: a bare repository from which clones borrow objects. Whoever calls this holds the lock of
 * the repository's folder.
 *
 * A generation has the branches, the tags and the HEAD that the remote had at the last look, all branches and tags in one
 * file that is replaced whole, and no address, credential or setting of the remote. Objects are only ever added to it, in
 * packs: nothing is pruned, repacked or unpacked, since clones refer to all of them by this path. What git fetches is made
 * beside it and moved in, so that whoever is killed meanwhile leaves it whole.
 */
import { lstat, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere, syncFolder } from '../../lib/files.ts'
import { git, gitText } from '../../lib/git.ts'
import { findEmptyObject } from '../../lib/git-damage.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { type CloneOrder, cloneRemote } from './clone-remote.ts'

type Source = CloneOrder['source']

/** Makes a new generation at `place` of what `source` has, by way of the folder `making` beside it. @throws GitFailed */
export async function makeGeneration(source: Source, making: string, place: string, signal: AbortSignal) {
  await cloneBare({ source, folder: making, how: [] }, signal)
  await git(['config', '--remove-section', 'remote.origin'], { gitDir: making, signal })
  await rename(making, place)
  await syncFolder(join(place, '..'))
}

/**
 * Brings a generation to what `source` has now.
 *
 * @returns how many commits are new
 * @throws GitFailed
 */
export async function updateGeneration(
  source: Source,
  making: string,
  place: string,
  signal: AbortSignal,
): Promise<number> {
  // Git fetches what the generation lacks, and reads the branches and HEAD of the remote as for any clone.
  await cloneBare({ source, folder: making, how: ['--reference', place] }, signal)
  if ((await isSha256(making)) !== (await isSha256(place))) throw new Error('the remote has another object format now')
  const added = ['rev-list', '--count', '--all', '--not', '--alternate-refs']
  const count = Number(await gitText(added, { gitDir: making, signal }))
  await moveObjects(join(making, 'objects'), join(place, 'objects'))
  for (const file of ['packed-refs', 'HEAD']) await rename(join(making, file), join(place, file))
  await removeTree(making)
  return count
}

async function isSha256(gitDir: string): Promise<boolean> {
  return /^\s*objectformat\s*=\s*sha256$/im.test((await ifThere(readFile(join(gitDir, 'config'), 'utf8'))) ?? '')
}

async function cloneBare({ source, folder, how }: CloneOrder, signal: AbortSignal): Promise<void> {
  // An attempt before may have failed here.
  await removeTree(folder)
  const env = { ...source.options.env, GIT_DEFAULT_REF_FORMAT: 'files' }
  const config = [...(source.options.config ?? []), ['core.fsync', 'all'] as const]
  const options = { ...source.options, env, config }
  await cloneRemote({ source: { ...source, options }, folder, how: ['--bare', ...how] }, signal)
  await git(['pack-refs', '--all'], { gitDir: folder, signal })
}

/** A pack counts from when its index is there, so that comes last. */
async function moveObjects(from: string, to: string): Promise<void> {
  for (const folder of await readdir(from)) {
    if (folder === 'info') continue
    const names = (await readdir(join(from, folder))).filter((name) => !name.endsWith('.keep'))
    const [packed, indexes] = [names.filter((name) => !isIndex(name)), names.filter(isIndex)]
    await mkdir(join(to, folder), { recursive: true })
    for (const name of [...packed, ...indexes]) await rename(join(from, folder, name), join(to, folder, name))
    await syncFolder(join(to, folder))
  }
}

function isIndex(name: string): boolean {
  return name.endsWith('.idx')
}

/** What is wrong with a generation, for people, as far as that can be seen without reading all of it. */
export async function findDamage(place: string): Promise<string | undefined> {
  const objects = join(place, 'objects')
  if ((await ifThere(lstat(join(objects, 'info', 'alternates')))) !== undefined) return 'it borrows objects itself'
  const empty = await findEmptyObject(place)
  if (empty !== undefined) return `${empty} is empty`
  for (const pack of await listPacks(place)) {
    if (!(await isWholePack(join(objects, 'pack', pack)))) return `${pack}.pack is cut off or missing`
  }
  return undefined
}

async function listPacks(place: string): Promise<string[]> {
  const names = await ifThere(readdir(join(place, 'objects', 'pack')), 'ENOENT', 'ENOTDIR')
  return (names ?? []).filter(isIndex).map((name) => name.slice(0, -'.idx'.length))
}

/** A pack ends with its checksum, which its index names before its own. */
async function isWholePack(path: string): Promise<boolean> {
  for (const hashBytes of [20, 32]) {
    const [own, indexed] = [await readEnd(`${path}.pack`, hashBytes), await readEnd(`${path}.idx`, 2 * hashBytes)]
    if (own !== undefined && indexed?.subarray(0, hashBytes).equals(own) === true) return true
  }
  return false
}

/** The last bytes of a file; undefined where it has fewer, or is missing. */
async function readEnd(path: string, bytes: number): Promise<Buffer | undefined> {
  const file = await ifThere(open(path))
  try {
    const { size = 0 } = (await file?.stat()) ?? {}
    if (file === undefined || size < bytes) return undefined
    const buffer = Buffer.alloc(bytes)
    await file.read(buffer, 0, bytes, size - bytes)
    return buffer
  } finally {
    await file?.close()
  }
}

/** Git looks for an object in one pack after the other. */
const MAX_PACKS = 50
const MAX_ADDED_BYTES = 100_000_000

/**
 * Whether a new generation is worth its making. Each is a copy of all that the remote has, and kept clones may still need
 * the one before; so what came after the largest pack must be more than that, or be in very many packs.
 */
export async function hasGrown(place: string): Promise<boolean> {
  const packs = (await listPacks(place)).map((pack) => join(place, 'objects', 'pack', `${pack}.pack`))
  const sizes = await Promise.all(packs.map(async (pack) => (await lstat(pack)).size))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  const largest = Math.max(0, ...sizes)
  return packs.length > MAX_PACKS || all - largest > largest + MAX_ADDED_BYTES
}
