import { lstat, mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Type } from 'typebox'
import {
  agentOutputPath,
  clonePath,
  DROPS_PATH,
  EXECUTION_FILES,
  executionPath,
  MAX_FILE_BYTES,
  sandboxPath,
} from '../core/execution/layout.ts'
import type { Given } from '../core/agent/given.ts'
import { executionName } from '../core/names.ts'
import type { AgentOutcome, ExecutionResult } from '../core/execution/result.ts'
import { parseBounded, parseJson } from '../core/json.ts'
import {
  AgentOutcome as AgentOutcomeSchema,
  ExecutionResult as ExecutionResultSchema,
} from '../core/execution/result.ts'
import type { BoundedFile } from '../core/execution/layout.ts'
import { compileCheck } from '../lib/validate.ts'
import type { Check } from '../lib/validate.ts'
import {
  hasErrorCode,
  inFolderNoFollow,
  makeFolder,
  readRegularNoFollow,
  safeJoin,
  UnsafePath,
  writeFileAtomic,
} from '../lib/files.ts'
import { removeTree } from '../lib/remove-tree.ts'
import { inUsableFolder } from '../lib/usable-folder.ts'

const checkResult = compileCheck(ExecutionResultSchema)
const checkPrepared = compileCheck(Type.Object({ baseCommit: Type.String({ pattern: '^[0-9a-f]{40,64}$' }) }))
const checkOutcome = compileCheck(AgentOutcomeSchema)

/** An execution's folder before its first step. */
export interface ExecutionFolder {
  readonly task: string
  readonly execution: string
  /** The Execution's uid: a name may come again after a deletion, a uid never. */
  readonly owner: string
  /** Whether no Job of the execution has been recorded yet. */
  readonly isNew: boolean
  /** What its agent is asked to do; absent where whoever made the execution has written it already. */
  readonly prompt?: string | undefined
  /** What a session is told that goes on. */
  readonly resume: string
  /** What its CLI is given beside that; absent where there is no agent. */
  readonly given?: Given | undefined
}

/** Makes the folders that an execution's steps mount, and writes what its agent is told. */
export async function prepareVolume(root: string, folder: ExecutionFolder): Promise<void> {
  const { task, execution, prompt, resume, given } = folder
  await mkdir(safeJoin(root, executionPath(execution)), { recursive: true, mode: 0o770 })
  if (folder.isNew) await claimFolder(root, folder)
  // Parents that no agent can write; what is inside them may have been replaced by links, so nothing is made there.
  for (const path of [sandboxPath(task), agentOutputPath(execution), DROPS_PATH]) {
    await mkdir(safeJoin(root, path), { recursive: true, mode: 0o770 })
  }
  // An earlier Job of this execution may have taken the permissions of the folder that it was given.
  await inUsableFolder(Buffer.from(safeJoin(root, agentOutputPath(execution))), (output) =>
    makeFolder(join(output, basename(EXECUTION_FILES.artifacts)), 0o770),
  )
  const texts = {
    [EXECUTION_FILES.prompt]: prompt,
    [EXECUTION_FILES.resume]: resume,
    [EXECUTION_FILES.given]: given && JSON.stringify(given),
  }
  for (const [file, text] of Object.entries(texts)) {
    if (text !== undefined) await writeFileAtomic(join(root, executionPath(execution), file), text)
  }
}

/**
 * Clears away what an execution of the same name has left that was deleted: its result would pass for ours. What bears
 * our mark is from an earlier try to begin, whose Job may run already.
 */
async function claimFolder(root: string, { execution, owner, prompt }: ExecutionFolder): Promise<void> {
  const folder = safeJoin(root, executionPath(execution))
  if ((await readText(folder, 'owner')) === owner) return
  for (const name of await readdir(folder)) {
    // Who asks an agent beside the tasks has written the prompt before the execution was there.
    if (name !== EXECUTION_FILES.prompt || prompt !== undefined) await removeTree(join(folder, name))
  }
  await writeFileAtomic(join(folder, EXECUTION_FILES.owner), owner)
}

/**
 * Removes folders of the volume; those that are not there are removed already. Links in them are removed, never
 * followed, and folders that an agent made unwritable do not stay.
 */
export async function removeFolders(root: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await removeTree(safeJoin(root, path))
}

/** Whether one of these folders of the volume is there. */
export async function anyExists(root: string, paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => exists(safeJoin(root, path))))
  return found.includes(true)
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Whether a clone of the task is there to be resumed. */
export async function hasClone(root: string, task: string): Promise<boolean> {
  try {
    // The agent can write the folder that the clone lies in: a link in its place is no clone.
    return await inFolderNoFollow(root, [...clonePath(task).split('/'), '.git'], () => Promise.resolve(true))
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT')) return false
    throw error
  }
}

/** result.json of an execution's latest Job; undefined when there is none that its schema accepts. */
export function readResult(root: string, execution: string, jobNumber: number): Promise<ExecutionResult | undefined> {
  return readChecked(root, execution, 'result', checkResult, (found) => found.jobNumber === jobNumber)
}

/** The agent's outcome.json, of whichever Job of the execution wrote it. The agent can have forged it. */
export function readOutcome(root: string, execution: string): Promise<AgentOutcome | undefined> {
  return readChecked(root, execution, 'outcome', checkOutcome, () => true)
}

/**
 * The commit that the kept clone of a task was made from, as the latest of its executions before number `n` that made
 * one recorded it where no agent can write. For tasks whose first execution ended before it could say so.
 */
export async function findBaseCommit(root: string, task: string, n: number): Promise<string | undefined> {
  for (let earlier = n - 1; earlier >= 1; earlier--) {
    const folder = safeJoin(root, executionPath(executionName(task, earlier)))
    const checked = checkPrepared(parseJson((await readText(folder, 'prepared')) ?? ''))
    if (checked.ok) return checked.value.baseCommit
  }
  return undefined
}

async function readChecked<T extends { readonly execution: string }>(
  root: string,
  execution: string,
  file: BoundedFile,
  check: Check<T>,
  accept: (found: T) => boolean,
): Promise<T | undefined> {
  const text = await readText(safeJoin(root, executionPath(execution)), file)
  const checked = text === undefined ? undefined : check(parseBounded(text))
  if (checked?.ok !== true) return undefined
  return checked.value.execution === execution && accept(checked.value) ? checked.value : undefined
}

/** A larger file than its record is not one of ours. */
async function readText(folder: string, file: BoundedFile): Promise<string | undefined> {
  try {
    return (await readRegularNoFollow(folder, EXECUTION_FILES[file], MAX_FILE_BYTES[file])).toString('utf8')
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}
