import { type Installation, unavailableReason } from '../../core/agent/availability.ts'
import type { Agent } from '../../core/crd/types.ts'
import { badPromptsReason } from '../../lib/prompts.ts'

/** Why an agent cannot run here at all: by where it is to run, or by what it is to be told; undefined when it can. */
export function unusableReason(agent: Agent, installation: Installation): string | undefined {
  return unavailableReason(agent, installation) ?? badPromptsReasonOf(agent)
}

/** A template of an Agent that cannot be used, with the Agent's name: only a change of the Agent mends it. */
export function badPromptsReasonOf({ metadata, spec }: Agent): string | undefined {
  const problem = badPromptsReason(spec.prompts)
  return problem === undefined ? undefined : `agent ${metadata.name}: ${problem}`
}
