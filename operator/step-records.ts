/** What the steps of an execution have recorded on the data volume. */
import { Type } from 'typebox'
import { type BoundedFile, EXECUTION_FILES, executionPath, MAX_FILE_BYTES } from '../core/execution/layout.ts'
import {
  type AgentOutcome,
  type ExecutionResult,
  AgentOutcome as AgentOutcomeSchema,
  ExecutionResult as ExecutionResultSchema,
} from '../core/execution/result.ts'
import { parseBounded, parseJson } from '../core/json.ts'
import { executionName } from '../core/names.ts'
import { safeJoin } from '../lib/files.ts'
import { type Check, compileCheck } from '../lib/validate.ts'
import { readText } from './volume.ts'

const checkResult = compileCheck(ExecutionResultSchema)
const checkPrepared = compileCheck(Type.Object({ baseCommit: Type.String({ pattern: '^[0-9a-f]{40,64}$' }) }))
const checkOutcome = compileCheck(AgentOutcomeSchema)

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
    const checked = checkPrepared(parseJson((await readRecord(folder, 'prepared')) ?? ''))
    if (checked.ok && checked.value.baseCommit !== undefined) return checked.value.baseCommit
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
  const text = await readRecord(safeJoin(root, executionPath(execution)), file)
  const checked = text === undefined ? undefined : check(parseBounded(text))
  if (checked?.ok !== true) return undefined
  return checked.value.execution === execution && accept(checked.value) ? checked.value : undefined
}

/** A larger file than its record is not one of ours. */
function readRecord(folder: string, file: BoundedFile): Promise<string | undefined> {
  return readText(folder, EXECUTION_FILES[file], MAX_FILE_BYTES[file])
}
