import type { Agent } from '../crd/types.ts'
import { SCRIPT_AGENT } from '../task/agent-spec.ts'
import { programOf } from './programs.ts'

/** What an installation offers to agents. */
export interface Installation {
  /** What separates an agent from the machine and from other agents. */
  readonly isolation: 'container' | 'sandbox' | 'none'
  /** Whether the owner of the machine allows agents without isolation. */
  readonly allowUnsandboxed: boolean
  /** Whether pods run on this machine: only then may an Agent name its files. */
  readonly embedded: boolean
  /** The agents' CLIs that are on this machine; absent: they are in images, and nobody can tell from here. */
  readonly programs?: ReadonlySet<string>
  /** How the command begins by which Slipway plays recordings of agents; absent: there are none. */
  readonly replay?: readonly string[]
}

/**
 * Why an agent cannot run in this installation at all, in words; undefined when it can.
 *
 * Source: specification §13.3 (plain processes isolate nothing) and §3.17 (`hostPath` only embedded).
 */
export function unavailableReason(agent: Agent, installation: Installation): string | undefined {
  const { name } = agent.metadata
  if (installation.isolation === 'none' && !isHarmless(agent, installation) && !installation.allowUnsandboxed) {
    return `agent ${name} runs only in isolation, and plain processes give none; \`--runtime process\` allows it`
  }
  return stalledReason(agent, installation) ?? notInstalledReason(agent, installation)
}

/**
 * Scripts do what their author wrote, and recordings what is recorded, on what the repository holds. An agent with
 * variables of its own may lead the player of recordings elsewhere (NODE_OPTIONS).
 */
function isHarmless({ spec }: Agent, { replay }: Installation): boolean {
  if (spec.adapter === SCRIPT_AGENT) return true
  return spec.credentials === undefined && replay?.every((word, at) => spec.command?.[at] === word) === true
}

function notInstalledReason({ metadata, spec }: Agent, { programs }: Installation): string | undefined {
  const program = programOf(spec.adapter)
  if (programs === undefined || program === undefined || spec.command !== undefined) return undefined
  const { command, install } = program
  if (programs.has(command)) return undefined
  return `agent ${metadata.name}: ${command} is not installed on this machine; install it (${install}) and start Slipway again`
}

/** What only a change of the Agent can mend; undefined when nothing. */
export function stalledReason(agent: Agent, installation: Pick<Installation, 'embedded'>): string | undefined {
  const onHost = agent.spec.credentials?.files?.find(({ hostPath }) => hostPath !== undefined)
  if (installation.embedded || onHost === undefined) return undefined
  return `agent ${agent.metadata.name}: credentials.files[].hostPath (${onHost.hostPath}) is not for clusters`
}
