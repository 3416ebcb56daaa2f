import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTION_FILES, STAGED_REPOSITORY, checkResultPath, checkoutPath } from '../../core/execution/layout.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { Staged } from '../../core/execution/staged.ts'
import { ifPlain, inFolderNoFollow, isOutOfSpace, readNames, writeFileAtomic } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'
import { readJson } from '../result-file.ts'
import { isStaged } from '../validators.ts'

/** The checks of a Job. */
export type Checks = NonNullable<RunSpec['checks']>

/** What stage of this very Job has noted; undefined: nothing that can be used. */
export async function findStaged({ run, paths }: StepContext): Promise<Staged | undefined> {
  const value = await readJson(paths.execution, 'staged')
  if (!isStaged(value)) return undefined
  return value.execution === run.execution && value.jobNumber === run.jobNumber ? value : undefined
}

export function writeStaged({ paths }: StepContext, staged: Staged): Promise<void> {
  return writeFileAtomic(join(paths.execution, EXECUTION_FILES.staged), `${JSON.stringify(staged)}\n`)
}

/** Removes what was staged before, and makes the folders of each check. Those that a Job mounts stay the same folders. */
export async function clearStaged(context: StepContext, { round, list }: Checks): Promise<void> {
  const { execution } = context.paths
  await removeTree(join(execution, EXECUTION_FILES.staged))
  await removeStaged(context)
  await emptyEach(join(execution, 'rounds', String(round)))
  for (const { name } of list)
    for (const folder of [checkoutPath(name), checkResultPath(round, name)])
      await mkdir(join(execution, folder), { recursive: true, mode: 0o770 })
}

/** Removes what checks work in, and what would be pushed; what they have left stays. */
export async function removeStaged(context: StepContext): Promise<void> {
  await removeCheckouts(context)
  await removeTree(join(context.paths.execution, STAGED_REPOSITORY))
}

export function removeCheckouts({ paths }: StepContext): Promise<void> {
  return emptyEach(join(paths.execution, 'checkouts'))
}

/** Removes what is in the folders of a folder, and its files. */
async function emptyEach(folder: string): Promise<void> {
  for (const name of (await ifPlain(inFolderNoFollow(folder, [], (found) => readNames(found)))) ?? []) {
    const path = join(folder, name)
    const names = await ifPlain(inFolderNoFollow(folder, [name], (found) => readNames(found)))
    if (names === undefined) await removeTree(path)
    for (const one of names ?? []) await removeTree(join(path, one))
  }
}

/** Keeps the diff of this round beside what its checks have left, so that rounds can be compared. */
export async function keepDiff({ paths, say }: StepContext, { round }: Checks): Promise<void> {
  const kept = join(paths.execution, 'rounds', String(round), EXECUTION_FILES.diff)
  try {
    await copyFile(join(paths.execution, EXECUTION_FILES.diff), kept)
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
    await removeTree(kept)
    say('no space is left to keep the diff of this round')
  }
}
