import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clip } from '../../core/text.ts'
import { findSummary } from '../../core/transcript/summary.ts'
import type { StepContext } from '../context.ts'
import { redactUrls } from '../../core/redact-urls.ts'
import type { ExitInterpretation } from '../../core/transcript/exit.ts'
import type { Adapter, AgentCommand, AgentExit } from '../agent/adapter.ts'

const ERROR_LINES = 10

/**
 * The `script` agent: the instructions are a program. It runs with its own shebang, or with bash, and from the top at
 * every start, a resume too. Exit code 0 is success; anything else is a failure, whose message is the last lines of stderr.
 */
export const scriptAdapter: Adapter = { start, interpretExit }

async function start({ given, tmp }: StepContext): Promise<AgentCommand> {
  return { ...(await writeScript(tmp, given?.prompt ?? '')), env: {} }
}

/** Writes a script into a folder. @returns what runs it: its shebang, else bash */
export async function writeScript(tmp: string, text: string): Promise<Pick<AgentCommand, 'command' | 'args'>> {
  const path = join(tmp, 'script')
  // One that was written in a form on Windows, say: bash would take each CR for a part of the last word.
  const isOfWindows = /^[^\n]*\r\n/.test(text)
  await writeFile(path, isOfWindows ? text.replaceAll('\r\n', '\n') : text, { mode: 0o700 })
  // The kernel reads the shebang of executable files only.
  return text.startsWith('#!') ? { command: path, args: [] } : { command: 'bash', args: [path] }
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
