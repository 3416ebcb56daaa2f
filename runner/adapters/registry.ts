import { StepFailed } from '../failure.ts'
import type { Adapter } from '../agent/adapter.ts'
import { acpAdapter } from './acp.ts'
import { claudeAdapter } from './claude.ts'
import { codexAdapter } from './codex.ts'
import { geminiAdapter } from './gemini.ts'
import { scriptAdapter } from './script.ts'

const ADAPTERS: ReadonlyMap<string, Adapter> = new Map([
  ['acp', acpAdapter],
  ['claude', claudeAdapter],
  ['codex', codexAdapter],
  ['gemini', geminiAdapter],
  ['script', scriptAdapter],
])

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
