import { createCodexTranscript } from '../../core/transcript/codex.ts'
import { judgeCodex } from '../../core/transcript/codex-verdict.ts'
import type { StepContext } from '../context.ts'
import type { Adapter, AgentCommand, Beginning } from './adapter.ts'
import { commandOf, option } from './command.ts'

/** Codex CLI, headless. Facts about it: docs/agents.md. */
export const codexAdapter: Adapter = {
  start,
  createTranscript: createCodexTranscript,
  judge: (exit, facts) => judgeCodex(facts, exit),
}

/** The prompt goes by stdin, for which `-` stands: arguments can be read by every process of the machine. */
function start({ run }: StepContext, { prompt, sessionId }: Beginning): Promise<AgentCommand> {
  const options = ['--json', '--dangerously-bypass-approvals-and-sandbox', ...option('-m', run.agent.model)]
  const args = sessionId === undefined ? ['exec', ...options, '-'] : ['exec', 'resume', ...options, sessionId, '-']
  return Promise.resolve({ ...commandOf(run, 'codex', args), env: {}, stdin: prompt })
}
