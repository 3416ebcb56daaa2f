import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, parseJson } from '../../core/json.ts'
import { createGeminiTranscript } from '../../core/transcript/gemini.ts'
import { judgeGemini } from '../../core/transcript/gemini-verdict.ts'
import { hasErrorCode, readRegularNoFollow, UnsafePath, writeFileAtomic } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import type { Adapter, AgentCommand, Beginning } from './adapter.ts'
import { commandOf, option } from './command.ts'

/** Gemini CLI, headless. Facts about it: docs/agents.md. */
export const geminiAdapter: Adapter = {
  start,
  createTranscript: createGeminiTranscript,
  judge: (exit, facts) => judgeGemini(facts, exit),
}

const ENVIRONMENT = {
  // The launcher starts itself again as a child and would not pass SIGTERM on.
  GEMINI_CLI_NO_RELAUNCH: 'true',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
}

/** Ten attempts by default, which would hide a limit for minutes; waiting is the operator's affair. */
const SETTINGS = {
  general: { maxAttempts: 2, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
}

async function start(context: StepContext, { prompt, sessionId }: Beginning): Promise<AgentCommand> {
  const { run } = context
  await writeSettings(context)
  return {
    ...commandOf(run, 'gemini', [
      '--yolo',
      '--skip-trust',
      '--output-format',
      'stream-json',
      ...option('-m', run.agent.model),
      ...option('--resume', sessionId),
    ]),
    env: ENVIRONMENT,
    stdin: prompt,
  }
}

const MAX_SETTINGS_BYTES = 1024 * 1024

/** Ours beside those that the home has already: a login's, or those of an earlier run. */
async function writeSettings({ paths, env }: StepContext): Promise<void> {
  const folder = join(paths.home, '.gemini')
  const file = join(folder, 'settings.json')
  const before = parseJson(await readIfThere(paths.home, '.gemini/settings.json'))
  const kept = isJsonObject(before) ? before : {}
  // With a key in the environment the CLI wants to be told that it is to use it.
  const login = env['GEMINI_API_KEY'] === undefined ? {} : { security: { auth: { selectedType: 'gemini-api-key' } } }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFileAtomic(file, `${JSON.stringify({ ...kept, ...login, ...SETTINGS })}\n`)
}

/** Nothing where an earlier run left a link, a pipe or the like. */
async function readIfThere(home: string, path: string): Promise<string> {
  try {
    return (await readRegularNoFollow(home, path, MAX_SETTINGS_BYTES)).toString('utf8')
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT')) return ''
    throw error
  }
}
