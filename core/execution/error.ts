import type { ErrorCategory, ExecutionError } from '../crd/types.ts'
import { clip } from '../text.ts'
import { RESULT_LIMITS } from './result-limits.ts'

/** An error as executions and tasks keep it; much of what it says may come from outside, such as a server's answer. */
export function executionError({ category, message }: { category: ErrorCategory; message: string }): ExecutionError {
  return { category, message: clip(message, RESULT_LIMITS.errorLength) }
}
