import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedFile, EXECUTION_FILES, MAX_FILE_BYTES } from '../core/execution/layout.ts'
import type { Prepared } from '../core/execution/prepared.ts'
import { parseJson } from '../core/json.ts'
import type { EarlierOutcome, ExecutionResult, Outcome } from '../core/execution/result.ts'
import { toTerminationMessage } from '../core/execution/termination.ts'
import { hasErrorCode, isOutOfSpace, ifPlain, readRegularNoFollow, writeFileAtomic } from '../lib/files.ts'
import type { StepContext } from './context.ts'
import { isEarlierOutcome, isPrepared } from './validators.ts'

/**
 * Writes result.json durably, then its short form where Kubernetes looks for it. On a full volume the short form alone
 * is left: it lies on the node.
 */
export async function writeResult(context: StepContext, result: ExecutionResult): Promise<void> {
  try {
    await writeFileAtomic(join(context.paths.execution, EXECUTION_FILES.result), `${JSON.stringify(result)}\n`)
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
    context.say('no space is left for result.json: only the termination message tells how this step ended')
  }
  await writeTerminationMessage(context, toTerminationMessage(result, context.run.messageBytes))
}

/** Writes what Kubernetes keeps of the end of a container, where there is one. */
export async function writeTerminationMessage(context: StepContext, message: string): Promise<void> {
  const path = context.env['TERMINATION_MESSAGE_PATH'] ?? '/dev/termination-log'
  try {
    // The kubelet mounts this one file, so it cannot be renamed. Outside a pod /dev has none, and none is created there.
    await writeFile(path, message, { flag: context.env['TERMINATION_MESSAGE_PATH'] === undefined ? 'r+' : 'w' })
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'EACCES', 'EPERM', 'EROFS')) throw error
  }
}

/**
 * How an earlier start of this very Job ended; undefined when the file is missing or of another execution or Job. A step
 * that finds its own outcome ends at once in the same way.
 */
export async function findOwnOutcome(context: StepContext, file: BoundedFile): Promise<EarlierOutcome | undefined> {
  const value = await readJson(context.paths.execution, file)
  if (!isEarlierOutcome(value)) return undefined
  const { execution, jobNumber } = context.run
  return value.execution === execution && value.jobNumber === jobNumber ? value : undefined
}

/**
 * Reads a JSON file below `root`, the folder of an execution; an agent may have written it. Undefined when it is absent, no
 * regular file, too large, or not JSON.
 */
export async function readJson(root: string, file: BoundedFile): Promise<unknown> {
  const bytes = await ifPlain(readRegularNoFollow(root, EXECUTION_FILES[file], MAX_FILE_BYTES[file]))
  return bytes && parseJson(bytes.toString('utf8'))
}

/** What this clone started from; prepare recorded it where the agent cannot write. A kept clone has no record here. */
export async function findPrepared({ paths }: StepContext): Promise<Prepared | undefined> {
  const value = await readJson(paths.execution, 'prepared')
  return isPrepared(value) ? value : undefined
}

/** The exit code of deliver: Pod and Job fail when the execution fails, and a question is no failure (specification §7.3). */
export function exitCodeOf(outcome: Outcome): number {
  return outcome === 'succeeded' || outcome === 'blocked' ? 0 : 1
}
