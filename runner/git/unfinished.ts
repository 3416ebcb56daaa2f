import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere } from '../../lib/files.ts'
import { listFiles, StepFailed } from '../failure.ts'
import { type StatusEntry, toText } from './clone-git.ts'

/** What git keeps in `.git` while such an operation has not ended. */
const OPERATIONS = {
  MERGE_HEAD: 'a merge',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
} as const

/**
 * Refuses a clone in which a merge or the like has not ended: only the agent knows what it meant to make of it.
 *
 * @throws StepFailed
 */
export async function requireFinished(clone: string, entries: readonly StatusEntry[]): Promise<void> {
  const files = entries.filter(({ kind }) => kind === 'unmerged').map(({ path }) => toText(path))
  const operation = await findOperation(join(clone, '.git'))
  if (operation === undefined && files.length === 0) return
  const what = operation === undefined ? 'the agent left' : `the agent left ${operation} unfinished, with`
  const conflicts = files.length === 0 ? 'no file in conflict' : `conflicts in ${listFiles(files)}`
  throw new StepFailed(
    'git',
    `${what} ${conflicts}: nothing was committed or pushed, and clone and session are kept; resume the task to let the agent finish it`,
  )
}

/** What has not ended in a repository; undefined: nothing. */
export async function findOperation(gitDir: string): Promise<string | undefined> {
  for (const [file, operation] of Object.entries(OPERATIONS)) {
    if ((await ifThere(stat(join(gitDir, file)), 'ENOENT', 'ENOTDIR')) !== undefined) return operation
  }
  return undefined
}
