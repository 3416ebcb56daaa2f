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
  /** Written to its stdin; absent: it has none. */
  readonly stdin?: string
  /** True: stdin stays open for replies until the CLI has said all. */
  readonly isDialogue?: boolean
  /** Line of a dialogue at which the CLI ends its turn, telling what that has cost; absent: it knows none. */
  readonly interrupt?: string
  /** True: after its last word it may go on by itself, for what runs in the background. */
  readonly mayGoOn?: boolean
}

/** How the CLI ended, when it ended by itself. */
export interface AgentExit extends ProcessEnd {
  /** Last part of what it printed. */
  readonly stdoutTail: string
}

/** How to begin: with the task's prompt, or in a kept session with what has happened since. */
export interface Beginning {
  readonly prompt: string
  readonly sessionId?: string
}

/**
 * One kind of agent CLI: how it is started, how its output is read, and what its end means. Decides; starts nothing
 * itself. How to add one: docs/agents.md.
 */
export interface Adapter {
  readonly start: (context: StepContext, beginning: Beginning) => Promise<AgentCommand>
  /**
   * Reads stdout; absent: it is plain text and no conversation is made of it.
   *
   * @param before what the session had used before this run
   */
  readonly createTranscript?: (before?: Tokens) => Transcript
  /** Where its CLI writes down what its sessions use; absent: it tells that on stdout as it goes. */
  readonly sessions?: SessionFiles
  /** Charged where its CLI, which tells a cost in the end, was ended before, and the Agent has no prices. */
  readonly estimate?: AgentPrices
  readonly interpretExit: (exit: AgentExit, facts: Readonly<TranscriptFacts>) => ExitInterpretation
}
