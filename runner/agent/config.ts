import type { AgentConfig, AgentMcpServer, AgentMcpVariable } from '../../core/agent/agent-config.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { parseJson } from '../../core/json.ts'
import { hasErrorCode, readRegularNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { comesWithCredentials, removeHomeFile, writeHomeFile } from './home.ts'
import { BadRunSpec, Fields } from '../run-spec.ts'

/** Beyond what the limits of the CRDs add up to. */
const MAX_GIVEN_BYTES = 64 * 1024 * 1024

/** Where the file is missing: an operator from before there was one. */
const NOTHING: AgentConfig = { schemaVersion: 1, mcpServers: [] }

/**
 * What the operator gives the CLI beside its prompt. By hand against its type, as the run spec is.
 *
 * @throws BadRunSpec naming the field
 */
export async function readGiven({ paths }: Pick<StepContext, 'paths'>): Promise<AgentConfig> {
  const text = await readText(paths.execution)
  if (text === undefined) return NOTHING
  const root = new Fields(parseJson(text), EXECUTION_FILES.agentConfig)
  if (root.number('schemaVersion') !== 1) throw new BadRunSpec(`${EXECUTION_FILES.agentConfig}.schemaVersion must be 1`)
  return {
    schemaVersion: 1,
    ...root.optionalTexts(['instructions']),
    mcpServers: (root.optionalObjects('mcpServers') ?? []).map(readServer),
  }
}

async function readText(folder: string): Promise<string | undefined> {
  try {
    return (await readRegularNoFollow(folder, EXECUTION_FILES.agentConfig, MAX_GIVEN_BYTES)).toString('utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function readServer(server: Fields): AgentMcpServer {
  return {
    name: server.name('name'),
    ...server.optionalTexts(['command', 'url']),
    ...server.optionalLists(['args']),
    env: readVariables(server, 'env'),
    headers: readVariables(server, 'headers'),
  }
}

function readVariables(server: Fields, key: string): AgentMcpVariable[] {
  const variables = server.optionalObjects(key) ?? []
  return variables.map((variable) => ({ name: variable.text('name'), ...variable.optionalTexts(['value', 'from']) }))
}

/**
 * Puts the instructions where the CLI looks for those of its user, in its home. Those of an earlier run go when there
 * are none any more; a file that came with the Agent's credentials stays.
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
