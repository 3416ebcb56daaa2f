import type { RunSpec } from '../core/execution/run-spec.ts'
import { RUN_SPEC_VARIABLE } from '../core/execution/steps.ts'
import { BadRunSpec, requireValid } from './validate.ts'
import { isRunSpec } from './validators.ts'

/**
 * Reads the operator's instructions.
 *
 * @throws BadRunSpec naming the field
 */
export function readRunSpec(text: string | undefined): RunSpec {
  if (text === undefined) throw new BadRunSpec(`${RUN_SPEC_VARIABLE} is not set: the operator starts the runner`)
  try {
    return requireValid(isRunSpec, JSON.parse(text), RUN_SPEC_VARIABLE)
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadRunSpec(`${RUN_SPEC_VARIABLE} is not JSON`, { cause: error })
    throw error
  }
}
