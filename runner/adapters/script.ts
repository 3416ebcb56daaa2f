import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { clip } from '../../core/text.ts'
import { findSummary } from '../../core/transcript/summary.ts'
import { readRegularNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import type { ExitInterpretation } from '../../core/transcript/exit.ts'
import type { Adapter, AgentCommand, AgentExit } from '../agent/adapter.ts'

const MAX_SCRIPT_BYTES = 16 * 1024 * 1024
const ERROR_LINES = 10

/**
 * The `script` agent: the instructions are a program. It runs with its own shebang, or with bash, and from the top at
 * every start, a resume too. Exit code 0 is success; anything else is a failure, whose message is the last lines of stderr.
 */
export const scriptAdapter: Adapter = { start, interpretExit }

async function start(context: StepContext): Promise<AgentCommand> {
  const prompt = join(context.paths.execution, EXECUTION_FILES.prompt)
  const script = await readRegularNoFollow(context.paths.execution, EXECUTION_FILES.prompt, MAX_SCRIPT_BYTES)
  const hasShebang = script.subarray(0, 2).equals(Buffer.from('#!'))
  const text = script.toString('latin1')
  // Written in a form on Windows, say: bash would take each CR for a part of the last word.
  const isOfWindows = /^[^\n]*\r\n/.test(text)
  if (!hasShebang && !isOfWindows) return { command: 'bash', args: [prompt], env: {} }
  // The kernel reads the shebang of executable files only, and the prompt is mounted read-only.
  const executable = join(context.tmp, 'script')
  await writeFile(executable, isOfWindows ? text.replaceAll('\r\n', '\n') : text, { encoding: 'latin1', mode: 0o700 })
  return hasShebang ? { command: executable, args: [], env: {} } : { command: 'bash', args: [executable], env: {} }
}

function interpretExit(exit: AgentExit): ExitInterpretation {
  const summary = findSummary(exit.stdoutTail)
  const found = summary === undefined ? {} : { summary }
  if (exit.exitCode === 0) return { outcome: 'succeeded', ...found }
  return { outcome: 'failed', error: { category: 'failed', message: formatFailureMessage(exit) }, ...found }
}

function formatFailureMessage({ exitCode, signal, stderrTail }: AgentExit): string {
  const how = exitCode === null ? `the script was ended by ${signal ?? 'a signal'}` : `the script exited ${exitCode}`
  const lines = stderrTail.trimEnd().split('\n').slice(-ERROR_LINES).join('\n')
  return clip(redactUrls(lines === '' ? how : `${how}: ${lines}`), 4000)
}
