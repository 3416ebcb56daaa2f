import { formatSize } from '../core/sentences/amounts.ts'
import type { StatsFs } from 'node:fs'
import { lstat, mkdir, readdir, rename, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  checkoutPath,
  checkResultPath,
  DROPS_PATH,
  ENVIRONMENTS_PATH,
  EXECUTION_FILES,
  executionPath,
  givenFile,
  INBOX_FOLDER,
  MAX_FILE_BYTES,
  mirrorsPath,
  OWNER_SUFFIX,
  repositoryPath,
  sandboxOwnerPath,
  sandboxPath,
  SEAL_FILE,
} from '../core/execution/layout.ts'
import { type FolderOwner, formatOwner, parseOwner } from '../core/execution/owner.ts'
import { withoutAbsent } from '../core/omit.ts'
import {
  hasErrorCode,
  ifThere,
  readRegularNoFollow,
  safeJoin,
  writeFileAtomic,
  writeFileUnsynced,
} from '../lib/files.ts'
import { removeTree } from '../lib/remove-tree.ts'
import { allDone, createKeyedMutex } from '../lib/async.ts'

/** The folders of an execution before its first step, and whose they are. */
export interface ExecutionFolder {
  readonly execution: string
  /** The Execution. */
  readonly owner: FolderOwner
  /** Where clone and home lie. */
  readonly sandbox: string
  /** Its task; the Execution of a query. */
  readonly sandboxOwner: FolderOwner
  /** What the mirrors that its clone borrows from are of, without credentials; absent: it borrows from none. */
  readonly repository?: string | undefined
  /** Whether its owner cannot have used the sandbox before. */
  readonly isSandboxNew: boolean
  /** Whether no Job of the execution can have run yet. */
  readonly isNew: boolean
  /** Where a setup keeps what it prepares; absent for any other execution. */
  readonly environment?: { readonly path: string; readonly owner: FolderOwner } | undefined
  /** Absent where there is no agent. */
  readonly given?: GivenFile | undefined
  /** Whether messages to its agent may come. */
  readonly hasInbox?: boolean | undefined
  /** Names of the checks of its Job, and the round that they are of. */
  readonly checks?: { readonly round: number; readonly names: readonly string[] } | undefined
}

/** What an agent is given, as it is written. */
export interface GivenFile {
  /** SHA-256 of the text, in hex. */
  readonly digest: string
  readonly text: string
}

/** More than what is written before the first step takes. */
const MIN_FREE_BYTES = 1024 * 1024

/**
 * Why nothing can begin on the data volume, in words; undefined while there is room. A write that fails later is told
 * by the step that wrote.
 */
export async function findVolumeProblem(
  root: string,
  read: (path: string) => Promise<Pick<StatsFs, 'blocks' | 'bavail' | 'bsize'>> = statfs,
): Promise<string | undefined> {
  const { blocks, bavail, bsize } = await read(root)
  // Some network file systems tell no sizes.
  if (blocks === 0 || bavail * bsize >= MIN_FREE_BYTES) return undefined
  return `no space is left on the data volume (${root} has ${formatSize(bavail * bsize)}): make room on it, then run the task again`
}

/** What takes a folder, and what removes it, waits for the other: keys are absolute paths. */
const runExclusive = createKeyedMutex()

/**
 * Makes the folders that the first step mounts, marks whose they are, and writes what the agent is given. The marks come
 * before the Job: it may be made though nobody hears of it, and the next try must not clear away what its pod has done.
 *
 * Nothing is synced but a mark in the place of another's, and what a clone borrows from. A step that does not find what its
 * agent is given has it written again. Only clearing up asks for the other marks: a folder without one belongs to whom its
 * name says, so a mark that a power cut takes costs nothing.
 *
 * Here and below `lost` aborts when another operator leads. A call that a volume has not answered cannot be taken back,
 * so it is asked again between calls: what comes late must not touch what the other has made meanwhile.
 */
export async function prepareVolume(root: string, folder: ExecutionFolder, lost?: AbortSignal): Promise<void> {
  const { sandbox, execution } = folder
  await allDone([
    runExclusive(safeJoin(root, executionPath(execution)), () => prepareFolder(root, folder, lost)),
    // Parents that no agent can write; what is inside them may have been replaced by links, so nothing is made there.
    runExclusive(safeJoin(root, sandboxPath(sandbox)), () => prepareSandbox(root, folder, lost)),
    mkdir(safeJoin(root, DROPS_PATH), PARENTS),
    ...(folder.environment === undefined ? [] : [prepareEnvironment(root, folder.environment, lost)]),
  ])
}

const MODE = 0o770
const PARENTS = { recursive: true, mode: MODE } as const

async function prepareFolder(root: string, folder: ExecutionFolder, lost: AbortSignal | undefined): Promise<void> {
  lost?.throwIfAborted()
  const { execution, owner, isNew, given, hasInbox, checks } = folder
  const path = safeJoin(root, executionPath(execution))
  const isThere = (await mkdir(path, PARENTS)) === undefined
  const mark = isThere && isNew ? await readExecutionOwner(root, execution) : undefined
  if (isThere && isNew && mark?.uid !== owner.uid) await clearFolder(path, lost)
  lost?.throwIfAborted()
  await allDone([
    writeMark(join(path, EXECUTION_FILES.owner), owner, mark),
    ...(given === undefined ? [] : [writeGiven(join(path, givenFile(given.digest)), given.text)]),
    ...(hasInbox === true ? [mkdir(join(path, INBOX_FOLDER), PARENTS)] : []),
    // What the kubelet makes for a mount belongs to root.
    ...(checks?.names ?? []).flatMap((name) =>
      [checkoutPath(name), checkResultPath(checks?.round ?? 1, name)].map((made) => mkdir(join(path, made), PARENTS)),
    ),
  ])
}

/**
 * Makes the folder of an environment: what the kubelet makes for a mount belongs to root. The mark says whose all those of
 * a project are, and is synced, since without it they stay for ever.
 */
async function prepareEnvironment(
  root: string,
  { path, owner }: NonNullable<ExecutionFolder['environment']>,
  lost: AbortSignal | undefined,
): Promise<void> {
  const ofProject = safeJoin(root, dirname(path))
  await runExclusive(ofProject, async () => {
    lost?.throwIfAborted()
    await mkdir(safeJoin(root, ENVIRONMENTS_PATH), PARENTS)
    if ((await readOwner(root, `${dirname(path)}${OWNER_SUFFIX}`))?.uid !== owner.uid)
      await writeFileAtomic(`${ofProject}${OWNER_SUFFIX}`, formatOwner(owner))
    await mkdir(safeJoin(root, path), PARENTS)
  })
}

/** Whether a folder holds an environment: its seal is written last. */
export async function isSealed(root: string, environment: string): Promise<boolean> {
  const found = await ifThere(lstat(safeJoin(root, `${environment}/${SEAL_FILE}`)), 'ENOENT', 'ENOTDIR')
  return found?.isFile() === true
}

/** Whose the environments of a project are, by its uid; undefined where the mark is missing. */
export function readEnvironmentOwner(root: string, project: string): Promise<FolderOwner | undefined> {
  return readOwner(root, `${ENVIRONMENTS_PATH}/${project}${OWNER_SUFFIX}`)
}

async function writeGiven(path: string, text: string): Promise<void> {
  try {
    await writeFileUnsynced(path, text)
  } catch (error) {
    // Whoever mounts a file that is missing makes a folder in its place.
    if (!hasErrorCode(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw error
    await removeTree(path)
    await writeFileUnsynced(path, text)
  }
}

/**
 * Clears away what an execution of the same name has left that was deleted: its result would pass for ours. What bears
 * our mark is from an earlier try to begin, whose Job may run already.
 */
async function clearFolder(folder: string, lost: AbortSignal | undefined): Promise<void> {
  for (const name of await readdir(folder)) {
    // Who makes a query writes the prompt before the execution is there.
    if (name !== EXECUTION_FILES.prompt) await removeTree(join(folder, name), lost)
  }
}

/**
 * Synced where another's mark was: should a power cut bring that back, the files would pass for those of who is gone. And
 * where nothing else says what a clone borrows from, which is of no use without.
 */
function writeMark(path: string, owner: FolderOwner, before: FolderOwner | undefined): Promise<void> {
  const isOthers = before !== undefined && before.uid !== owner.uid
  const isSynced = isOthers || (owner.mirror !== undefined && owner.mirror !== before?.mirror)
  return (isSynced ? writeFileAtomic : writeFileUnsynced)(path, formatOwner(owner))
}

/** Marks the folder of an execution as another's, whose files they are from now on; nothing where there is no folder. */
export async function takeExecutionFolder(
  root: string,
  execution: string,
  owner: FolderOwner,
  lost?: AbortSignal,
): Promise<void> {
  const folder = safeJoin(root, executionPath(execution))
  await runExclusive(folder, async () => {
    lost?.throwIfAborted()
    const { place } = (await readExecutionOwner(root, execution)) ?? {}
    const mark = formatOwner({ ...owner, ...withoutAbsent({ place }) })
    await ifThere(writeFileAtomic(join(folder, EXECUTION_FILES.owner), mark))
  })
}

/**
 * Makes the sandbox its owner's: the clone and the home that a deleted task of the same name has left are cleared away.
 * Without a mark they are those of the task, from before Slipway marked them, unless it has run nothing yet.
 */
async function prepareSandbox(root: string, folder: ExecutionFolder, lost: AbortSignal | undefined): Promise<void> {
  const { sandbox, sandboxOwner, isSandboxNew, isNew } = folder
  const path = safeJoin(root, sandboxPath(sandbox))
  lost?.throwIfAborted()
  const isThere = (await mkdir(path, PARENTS)) === undefined
  const mark = isThere && isNew ? await readSandboxOwner(root, sandbox) : undefined
  const isOurs = mark === undefined ? !isSandboxNew : mark.uid === sandboxOwner.uid
  if (isThere && isNew && !isOurs) {
    await removeTree(path, lost)
    lost?.throwIfAborted()
    await mkdir(path, PARENTS)
  }
  lost?.throwIfAborted()
  await writeMark(safeJoin(root, sandboxOwnerPath(sandbox)), sandboxOwner, mark)
  if (sandboxOwner.mirror !== undefined) await prepareRepository(root, folder, sandboxOwner.mirror, lost)
}

/**
 * Makes the folder of a repository, where nobody else makes it with another mode, and marks what it is of; the time of the
 * mark is when it was used last. After the mark of the sandbox: until that is there, it may be removed.
 */
async function prepareRepository(
  root: string,
  { repository, sandboxOwner: { namespace } }: ExecutionFolder,
  key: string,
  lost: AbortSignal | undefined,
): Promise<void> {
  const path = safeJoin(root, repositoryPath(key))
  await runExclusive(path, async () => {
    lost?.throwIfAborted()
    await mkdir(safeJoin(root, mirrorsPath(key)), PARENTS)
    await writeFileUnsynced(
      `${path}${OWNER_SUFFIX}`,
      formatOwner({ uid: key, ...withoutAbsent({ namespace, name: repository }) }),
    )
  })
}

/** Marks a sandbox to be kept though its owner is gone; one that nobody has marked was never used. */
export async function keepSandbox(root: string, sandbox: string, until: string, lost?: AbortSignal): Promise<void> {
  await runExclusive(safeJoin(root, sandboxPath(sandbox)), async () => {
    const mark = await readSandboxOwner(root, sandbox)
    if (mark === undefined) return
    lost?.throwIfAborted()
    await writeFileAtomic(safeJoin(root, sandboxOwnerPath(sandbox)), formatOwner({ ...mark, keptUntil: until }))
  })
}

/** @returns undefined where the mark is missing or names nobody */
export async function readSandboxOwner(root: string, sandbox: string): Promise<FolderOwner | undefined> {
  return readOwner(root, sandboxOwnerPath(sandbox))
}

/** As {@link readSandboxOwner}, of the files of an execution. */
export async function readExecutionOwner(root: string, execution: string): Promise<FolderOwner | undefined> {
  return readOwner(root, `${executionPath(execution)}/${EXECUTION_FILES.owner}`)
}

/** As {@link readSandboxOwner}, of a repository: its name is what it is of, without credentials. */
export async function readRepositoryOwner(root: string, key: string): Promise<FolderOwner | undefined> {
  return readOwner(root, `${repositoryPath(key)}${OWNER_SUFFIX}`)
}

async function readOwner(root: string, path: string): Promise<FolderOwner | undefined> {
  const text = await readText(safeJoin(root, dirname(path)), basename(path), MAX_FILE_BYTES.owner)
  return text === undefined ? undefined : parseOwner(text)
}

/** Undefined for what is missing, is no ordinary file, or is larger. */
export function readText(folder: string, file: string, maxBytes: number): Promise<string | undefined> {
  const reading = readRegularNoFollow(folder, file, maxBytes)
  return ifThere(reading.then(String), 'ENOENT', 'ENOTDIR', 'UNSAFE_PATH')
}

/** Folders that are about to be removed; whatever else begins with a dot there is being written. */
const DISCARDED = /^\.discarded-/

/**
 * Removes a folder and its mark, if `isUnowned` says so while nobody can take the folder: it is out of the way at once,
 * and its content goes afterwards.
 *
 * @returns whether it was removed
 */
export async function discardFolder(root: string, path: string, isUnowned: () => Promise<boolean>): Promise<boolean> {
  const folder = safeJoin(root, path)
  const discarded = join(dirname(folder), `.discarded-${basename(folder)}`)
  const isDiscarded = await runExclusive(folder, async () => {
    if (!(await isUnowned())) return false
    await removeTree(discarded)
    await ifThere(rename(folder, discarded))
    await removeTree(`${folder}${OWNER_SUFFIX}`)
    return true
  })
  if (isDiscarded) await removeTree(discarded)
  return isDiscarded
}

/** Removes what {@link discardFolder} had no time to remove. */
export async function removeDiscarded(root: string, parent: string): Promise<void> {
  for (const name of await readFolder(root, parent)) {
    if (DISCARDED.test(name)) await removeTree(safeJoin(root, `${parent}/${name}`))
  }
}

/** Names in a folder of the volume; none where it is not there. */
export async function readFolder(root: string, path: string): Promise<string[]> {
  return (await ifThere(readdir(safeJoin(root, path)))) ?? []
}

/** The same, without those that begin with a dot: they are being written, or about to be removed. */
export async function listNames(root: string, path: string): Promise<string[]> {
  return (await readFolder(root, path)).filter((name) => !name.startsWith('.'))
}

/** The names below a folder that have a folder or a mark there, or both. */
export async function namesOfOwned(root: string, parent: string): Promise<string[]> {
  const names = await listNames(root, parent)
  return [...new Set(names.map((name) => (name.endsWith(OWNER_SUFFIX) ? name.slice(0, -OWNER_SUFFIX.length) : name)))]
}

/**
 * Removes folders of the volume; those that are not there are removed already. Links in them are removed, never
 * followed, and folders that an agent made unwritable do not stay.
 */
export async function removeFolders(root: string, paths: readonly string[], lost?: AbortSignal): Promise<void> {
  for (const path of paths) await removeTree(safeJoin(root, path), lost)
}
