import type { AgentOutcome } from '../../core/execution/result.ts'
import type { StepContext } from '../context.ts'

/** What to start: the command line of an agent's CLI, run in the root of the clone. */
export interface AgentCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Variables beside those that every agent gets. */
  readonly env: Readonly<Record<string, string>>
}

/** How the CLI ended, when it ended by itself. */
export interface AgentExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Last part of what it printed. */
  readonly stdoutTail: string
  readonly stderrTail: string
}

/** What an adapter reads from an exit; the step adds times, questions, summary file and identity. */
export type AdapterOutcome = Pick<AgentOutcome, 'outcome'> &
  Partial<
    Pick<AgentOutcome, 'error' | 'sessionId' | 'summary' | 'questions' | 'costUSD' | 'tokens' | 'turns' | 'resumeAfter'>
  >

/** One kind of agent CLI: how it is started, and what its end means. Decides; starts nothing itself. */
export interface Adapter {
  readonly start: (context: StepContext) => Promise<AgentCommand>
  readonly readOutcome: (exit: AgentExit) => AdapterOutcome
}
