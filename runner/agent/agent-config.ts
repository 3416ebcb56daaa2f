import type { AgentConfig } from '../../core/execution/agent-config.ts'
import type { StepContext } from '../context.ts'
import { comesWithCredentials, removeHomeFile, writeHomeFile } from './home.ts'

const NOTHING: AgentConfig = { schemaVersion: 1, mcpServers: [] }

/** What configures the agent's CLI. */
export function agentConfigOf({ given }: StepContext): AgentConfig {
  return given?.agentConfig ?? NOTHING
}

/**
 * Writes the instructions to the file in the home where the CLI looks for those of its user. If there are none, the file
 * of an earlier run is removed. A file that came with the Agent's credentials stays.
 *
 * @param path below the home
 */
export async function writeInstructions(
  context: StepContext,
  { instructions }: AgentConfig,
  path: string,
): Promise<void> {
  if (instructions !== undefined) return writeHomeFile(context, path, instructions)
  if (!comesWithCredentials(context, path)) await removeHomeFile(context, path)
}
