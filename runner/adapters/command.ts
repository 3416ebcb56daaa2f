import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { StepContext } from '../context.ts'
import type { AgentCommand } from '../agent/adapter.ts'

/** The Agent's own command, or the CLI's usual name, followed by the adapter's arguments. */
export function commandOf(
  { agent }: RunSpec,
  usual: string,
  args: readonly string[],
): Pick<AgentCommand, 'command' | 'args'> {
  const [command = usual, ...before] = agent.command ?? []
  return { command, args: [...before, ...args] }
}

/** An option with its value, or nothing. */
export function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value]
}

/** Warns of allowed tools that a CLI does not have or cannot tell apart: they allow nothing. */
export function warnIgnoredTools({ say }: StepContext, program: string, names: readonly string[]): void {
  if (names.length > 0) say(`${program} has no tool of this kind, so nothing is allowed by it: ${names.join(', ')}`)
}
