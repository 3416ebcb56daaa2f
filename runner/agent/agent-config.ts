import type { AgentConfig } from '../../core/execution/agent-config.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { parseJson } from '../../core/json.ts'
import { ifThere, readRegularNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { comesWithCredentials, removeHomeFile, writeHomeFile } from './home.ts'
import { requireValid } from '../validate.ts'
import { isAgentConfig } from '../validators.ts'

/** More than the limits of the CRDs allow together. */
const MAX_CONFIG_BYTES = 64 * 1024 * 1024

/** An older operator writes no file. */
const NOTHING: AgentConfig = { schemaVersion: 1, mcpServers: [] }

/**
 * Reads what the operator wrote for the agent's CLI.
 *
 * @throws BadRunSpec naming the field
 */
export async function readAgentConfig({ paths }: Pick<StepContext, 'paths'>): Promise<AgentConfig> {
  const text = await readText(paths.execution)
  return text === undefined ? NOTHING : requireValid(isAgentConfig, parseJson(text), EXECUTION_FILES.agentConfig)
}

async function readText(folder: string): Promise<string | undefined> {
  const bytes = await ifThere(readRegularNoFollow(folder, EXECUTION_FILES.agentConfig, MAX_CONFIG_BYTES))
  return bytes?.toString('utf8')
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
