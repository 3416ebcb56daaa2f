import { StepFailed } from '../failure.ts'
import type { Adapter } from './adapter.ts'
import { scriptAdapter } from './script.ts'

const ADAPTERS: ReadonlyMap<string, Adapter> = new Map([['script', scriptAdapter]])

/** @throws StepFailed (unavailable) for an agent whose CLI this runner cannot drive. */
export function getAdapter(name: string): Adapter {
  const adapter = ADAPTERS.get(name)
  if (adapter !== undefined) return adapter
  const known = [...ADAPTERS.keys()].join(', ')
  throw new StepFailed(
    'unavailable',
    `this version of Slipway cannot run agents with adapter ${name} (it has: ${known}): run the task with another agent, such as script`,
  )
}
