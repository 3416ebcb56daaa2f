import type { AgentPrices, Tokens } from '../../core/crd/types.ts'
import type { Transcript, TranscriptFacts } from '../../core/transcript/transcript.ts'
import type { ProcessEnd, ExitInterpretation } from '../../core/transcript/exit.ts'
import type { SessionFiles } from './meter.ts'
import type { StepContext } from '../context.ts'

/** What to start: the command line of an agent's CLI, run in the root of the clone. */
export interface AgentCommand {
  readonly command: string
  readonly args: readonly string[]
  /** Variables beside those that every agent gets. */
  readonly env: Readonly<Record<string, string>>
  /** Written to its stdin; absent: it has no stdin. */
  readonly stdin?: string
  /** True: stdin stays open for replies until the CLI has said everything. */
  readonly isDialogue?: boolean
  /** The line of a dialogue that tells the agent something while it works, with an id by which the CLI says that it did; absent: it takes none before its turn ends. */
  readonly say?: (text: string, id: string) => string
  /** It says so only when its model answers, however long that takes. */
  readonly saysLate?: true
  /** Reads stdout, where that depends on what was started; absent: the adapter's own. */
  readonly transcript?: Transcript
  /** A line of a dialogue that makes the CLI end its turn and report its cost; absent: there is none. */
  readonly interrupt?: () => string
}

/** How the CLI ended, when it ended by itself. */
export interface AgentExit extends ProcessEnd {
  /** The last part of its output. */
  readonly stdoutTail: string
}

/** How a run begins: with the task's prompt, or in a kept session with what has happened since. */
export interface Beginning {
  readonly prompt: string
  readonly sessionId?: string
}

/**
 * One kind of agent CLI: how it is started, how its output is read, and what its exit means. An adapter decides, and starts
 * nothing itself. docs/agents.md says how to add one.
 */
export interface Adapter {
  readonly start: (context: StepContext, beginning: Beginning) => Promise<AgentCommand>
  /**
   * Reads stdout; absent: it is plain text and no conversation is made of it.
   *
   * @param before what the session had used before this run
   */
  readonly createTranscript?: (before?: Tokens) => Transcript
  /** Where its CLI records what its sessions use; absent: it reports that on stdout while it runs. */
  readonly sessions?: SessionFiles
  /** True: it tells its cost while it runs, if at all, and leaves it to us to keep a budget by that. */
  readonly isWatchedByCost?: true
  /** Prices that count if the CLI was ended before it reported its cost, and the Agent has no prices. */
  readonly estimate?: AgentPrices
  /** Names of MCP servers that did not start, for a CLI that tells them on stderr alone. */
  readonly findFailedServers?: (stderr: string) => readonly string[]
  readonly interpretExit: (exit: AgentExit, facts: Readonly<TranscriptFacts>) => ExitInterpretation
}
