/**
 * The two files of a query that whoever makes it has to do with: the prompt, which must be there before the execution
 * is, and the answer, which an agent could write (specification §6.14).
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTION_FILES, executionPath, MAX_FILE_BYTES } from '../core/execution/layout.ts'
import { parseBounded } from '../core/json.ts'
import { hasErrorCode, readRegularNoFollow, safeJoin, UnsafePath, writeFileAtomic } from './files.ts'
import type { Check } from './validate.ts'

/**
 * Writes what the agent is asked; whoever sees the execution may run it at once, so this comes first.
 *
 * @param lost aborts when another operator leads, which may have asked by now
 */
export async function writePrompt(
  volumeRoot: string,
  execution: string,
  prompt: string,
  lost?: AbortSignal,
): Promise<void> {
  const folder = safeJoin(volumeRoot, executionPath(execution))
  await mkdir(folder, { recursive: true, mode: 0o770 })
  lost?.throwIfAborted()
  await writeFileAtomic(join(folder, EXECUTION_FILES.prompt), prompt)
}

/** The answer of an execution, or undefined when there is none of that form: the operator may have found one before. */
export async function findAnswer<T>(volumeRoot: string, execution: string, check: Check<T>): Promise<T | undefined> {
  try {
    const folder = safeJoin(volumeRoot, executionPath(execution))
    const text = (await readRegularNoFollow(folder, EXECUTION_FILES.answer, MAX_FILE_BYTES.answer)).toString('utf8')
    const checked = check(parseBounded(text))
    return checked.ok ? checked.value : undefined
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
