import { readFile } from 'node:fs/promises'
import { findHiddenTool, findMissingCommand, HIDDEN_TOOLS_VARIABLE } from '../../core/agent/tools.ts'
import type { ExecutionError } from '../../core/execution/result.ts'
import { RESULT_LIMITS } from '../../core/execution/result-limits.ts'
import { clip } from '../../core/text.ts'
import { ifThere } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'

/** Says where a command is that is not found here, if it is on the machine's PATH. */
export async function describeHiddenTool({ env }: StepContext, command: string): Promise<string | undefined> {
  const path = env[HIDDEN_TOOLS_VARIABLE]
  const list = path && (await ifThere(readFile(path, 'utf8'), 'ENOENT', 'EACCES'))
  return list ? findHiddenTool(list, command) : undefined
}

/** The error of a program that ended because a command was not found, with the place where it is. */
export async function withHiddenTool(
  context: StepContext,
  error: ExecutionError,
  { exitCode, stderrTail }: { readonly exitCode: number | null; readonly stderrTail: string },
): Promise<ExecutionError> {
  const command = exitCode === 127 ? findMissingCommand(stderrTail) : undefined
  const found = command && (await describeHiddenTool(context, command))
  return found ? { ...error, message: clip(`${found}\n${error.message}`, RESULT_LIMITS.errorLength) } : error
}
