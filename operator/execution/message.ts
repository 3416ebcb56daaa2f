import { Type } from 'typebox'
import type { TerminationMessage } from '../../core/execution/outcome.ts'
import { ExecutionResult } from '../../core/execution/result.ts'
import { TERMINATION_MESSAGE_BYTES } from '../../core/execution/termination.ts'
import { parseJson } from '../../core/json.ts'
import { compileCheck } from '../../lib/validate.ts'

const { outcome, pushed } = ExecutionResult.properties
const check = compileCheck(Type.Object({ ...Type.Partial(ExecutionResult).properties, outcome, pushed }))

/** The short result in a container's termination message; undefined for anything that is none, or longer than any. */
export function readMessage(text: string | undefined): TerminationMessage | undefined {
  if (text === undefined || !text.startsWith('{') || text.length > TERMINATION_MESSAGE_BYTES) return undefined
  const checked = check(parseJson(text))
  return checked.ok ? checked.value : undefined
}
