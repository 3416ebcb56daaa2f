import { type Static, Type } from 'typebox'
import { AgentConfig } from './agent-config.ts'

/**
 * What an execution's agent is given, in one file (layout.ts) that the operator writes for each Job. It is not synced:
 * the run specification holds its digest, and a step that finds it missing or different ends with
 * {@link EXIT_NOT_GIVEN} (steps.ts), which has the operator write it again with the next Job.
 */
export const Given = Type.Object({
  schemaVersion: Type.Literal(1),
  /** What it is asked to do; for the `script` agent the script itself. Absent for a query, whose maker wrote prompt.md. */
  prompt: Type.Optional(Type.String()),
  /** What a session that goes on is told; the prompt is for a fresh start. */
  resume: Type.String(),
  /** What its last question was answered with. */
  answer: Type.Optional(Type.String()),
  agentConfig: AgentConfig,
})

export type Given = Static<typeof Given>
