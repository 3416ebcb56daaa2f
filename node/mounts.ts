/**
 * A container's mounts. In a sandbox each is bound at its mountPath. A plain process sees the machine's own files,
 * so there a mount must already lie where the container expects it: claims and host paths at their own path,
 * Secrets and ConfigMaps written at their mountPath below one folder, an emptyDir through TMPDIR.
 */
import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Clock, delay } from '../lib/clock.ts'
import { UnsafePath, hasErrorCode, inFolderNoFollow, isIn, writeFileAtomic } from '../lib/files.ts'
import { removeTree } from '../lib/remove-tree.ts'
import type { Container, KeyToPath, Pod, Volume, VolumeMount } from '../kube/builtin.ts'
import type { Contents } from './environment.ts'
import { ContainerConfigError, ContainerRefused } from './errors.ts'
import { readIfExists, volumesDir, writtenPath } from './layout.ts'

export interface Mount {
  /** Host path. */
  readonly source: string
  readonly mountPath: string
  readonly readOnly: boolean
}

export interface Mounts {
  readonly mounts: readonly Mount[]
  /** Host folder of the emptyDir that a plain process gets as TMPDIR. */
  readonly temporary?: string
}

export interface MountSettings {
  readonly dir: string
  readonly claims: Readonly<Record<string, string>>
  readonly secretsRoot: string
  readonly runtime: 'bwrap' | 'process'
}

/**
 * Makes what a container mounts.
 *
 * @throws ContainerConfigError a Secret or ConfigMap is missing
 * @throws ContainerRefused a mount that this node cannot give, naming it
 */
export async function prepareMounts(
  pod: Pod,
  container: Container,
  contents: Contents,
  settings: MountSettings,
): Promise<Mounts> {
  const mounts: Mount[] = []
  let temporary: string | undefined
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find(({ name }) => name === mount.name)
    if (volume === undefined) throw new ContainerRefused(`mount ${mount.name}: the pod has no such volume`)
    const folder = await folderOf(pod, volume, mount, contents, settings)
    const source = mount.subPath === undefined ? folder : await insideOf(folder, mount.subPath, mount)
    if (volume.emptyDir !== undefined) {
      temporary = temporary === undefined || mount.mountPath === '/tmp' ? source : temporary
      if (settings.runtime === 'process') continue
    }
    checkPlace(source, mount, settings)
    mounts.push({ source, mountPath: mount.mountPath, readOnly: isReadOnly(volume, mount) })
  }
  return temporary === undefined ? { mounts } : { mounts, temporary }
}

function isReadOnly(volume: Volume, mount: VolumeMount): boolean {
  const isFixed = volume.secret !== undefined || volume.configMap !== undefined
  return mount.readOnly === true || volume.persistentVolumeClaim?.readOnly === true || isFixed
}

async function folderOf(
  pod: Pod,
  volume: Volume,
  mount: VolumeMount,
  contents: Contents,
  settings: MountSettings,
): Promise<string> {
  const uid = pod.metadata.uid ?? ''
  const own = join(volumesDir(settings.dir, uid), volume.name)
  if (volume.persistentVolumeClaim !== undefined) return claimFolder(volume.persistentVolumeClaim.claimName, settings)
  if (volume.hostPath !== undefined) return volume.hostPath.path
  if (volume.emptyDir !== undefined) {
    await mkdir(own, { recursive: true, mode: 0o700 })
    return own
  }
  const files = filesOf(volume, contents)
  if (settings.runtime === 'bwrap') {
    await writeFiles(own, files)
    return own
  }
  if (!isIn(settings.secretsRoot, mount.mountPath) || mount.subPath !== undefined) {
    throw new ContainerRefused(
      `mount ${mount.name}: a plain process gets Secrets and ConfigMaps only as a folder below ${settings.secretsRoot}, not at ${mount.mountPath}`,
    )
  }
  await remember(settings.dir, uid, mount.mountPath)
  await writeFiles(mount.mountPath, files)
  return mount.mountPath
}

function claimFolder(name: string, { claims }: MountSettings): string {
  const folder = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (folder === undefined) throw new ContainerConfigError(`persistentvolumeclaim "${name}" not found`)
  return folder
}

function checkPlace(source: string, mount: VolumeMount, { runtime }: MountSettings): void {
  if (runtime === 'bwrap' || resolve(mount.mountPath) === resolve(source)) return
  throw new ContainerRefused(
    `mount ${mount.name}: mountPath ${mount.mountPath} differs from the host path ${source}, which a plain process cannot bridge`,
  )
}

/** A folder or file below a volume, made as a folder when missing. No part of the way may be a link. */
async function insideOf(folder: string, subPath: string, mount: VolumeMount): Promise<string> {
  const refused = new ContainerRefused(`mount ${mount.name}: subPath ${subPath} leaves the volume`)
  const path = join(folder, subPath)
  const segments = relative(folder, path).split(sep)
  if (isAbsolute(subPath) || subPath.split('/').includes('..')) throw refused
  try {
    const name = segments.pop() ?? ''
    await inFolderNoFollow(folder, segments, (parent) => checkLast(join(parent, name), refused), { create: true })
  } catch (error) {
    if (error instanceof UnsafePath) throw refused
    throw error
  }
  return path
}

async function checkLast(path: string, refused: ContainerRefused): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
    if ((await lstat(path)).isSymbolicLink()) throw refused
  }
}

interface File {
  readonly path: string
  readonly bytes: Uint8Array
}

function filesOf(volume: Volume, contents: Contents): File[] {
  const { secret, configMap } = volume
  const [kind, name] = secret === undefined ? ['configmap', configMap?.name] : ['secret', secret.secretName]
  if (name === undefined) throw new ContainerRefused(`volume ${volume.name}: this kind of volume is not supported`)
  const values = (secret === undefined ? contents.configMaps : contents.secrets).get(name)
  if (values === undefined) {
    if (secret?.optional === true) return []
    throw new ContainerConfigError(`${kind} "${name}" not found`)
  }
  const items = secret?.items ?? configMap?.items ?? [...values.keys()].map((key): KeyToPath => ({ key, path: key }))
  return items.map(({ key, path }) => {
    const bytes = values.get(key)
    if (bytes === undefined) throw new ContainerConfigError(`references non-existent ${kind} key: ${key}`)
    if (!isIn('/volume', join('/volume', path))) throw new ContainerRefused(`volume ${volume.name}: path ${path}`)
    return { path, bytes }
  })
}

async function writeFiles(folder: string, files: readonly File[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const { path, bytes } of files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // A file of mode 0400 could not be opened for writing a second time.
    await rm(target, { force: true })
    await writeFile(target, bytes, { mode: 0o400, flag: 'wx' })
    await chmod(target, 0o400)
  }
}

async function remember(dir: string, uid: string, folder: string): Promise<void> {
  const path = writtenPath(dir, uid)
  const known = await readWritten(dir, uid)
  if (known.includes(folder)) return
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFileAtomic(path, JSON.stringify([...known, folder]), 0o600)
}

async function readWritten(dir: string, uid: string): Promise<string[]> {
  const text = await readIfExists(writtenPath(dir, uid))
  const value: unknown = text === undefined ? [] : JSON.parse(text.toString('utf8'))
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

async function removeWritten(dir: string, uid: string): Promise<void> {
  for (const folder of await readWritten(dir, uid)) await removeTree(folder)
  await rm(writtenPath(dir, uid), { force: true })
}

/** Removes a pod's own volumes, and the Secrets and ConfigMaps that were written for it elsewhere. */
export async function removeVolumes(dir: string, uid: string): Promise<void> {
  await removeWritten(dir, uid)
  await removeTree(volumesDir(dir, uid))
}

const LAST_WORDS_TRIES = 50
const LAST_WORDS_MS = 20

/**
 * Removes the folder of a pod whose processes were killed. One that was just being forked, such as the shim's `mv`,
 * may put a last file there while the folder is emptied.
 */
export async function removePodDir(clock: Clock, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await removeTree(path)
    } catch (error) {
      if (!hasErrorCode(error, 'ENOTEMPTY') || tries === LAST_WORDS_TRIES) throw error
      await delay(clock, LAST_WORDS_MS)
    }
  }
}
