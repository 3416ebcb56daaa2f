import type { Agent, AgentAdapter } from '../crd/types.ts'

/** Facts about the CLI that an adapter drives. */
export interface AgentProgram {
  /** What it is started as, where an Agent names no command. */
  readonly command: string
  /** Variables by which it takes a key or a token: each of them logs in. */
  readonly keys: readonly string[]
  /** Variables by which it is told the address of the provider, which logs nobody in. */
  readonly addresses: readonly string[]
  /** Where its own login keeps its token, below the home. */
  readonly loginFile: string
  /** Whether it tells what a run has cost, and keeps a budget by itself. */
  readonly tellsCost: boolean
  /** How a person installs it. */
  readonly install: string
  /** How the owner of the machine logs in. */
  readonly login: string
}

/** Adapters that drive one known CLI: not `script`, which needs none, and not `acp`, whose Agent names its program. */
export type KnownAdapter = Exclude<AgentAdapter, 'script' | 'acp'>

/** Those CLIs. Facts: docs/agents.md. */
export const AGENT_PROGRAMS = {
  claude: {
    command: 'claude',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL'],
    loginFile: '.claude/.credentials.json',
    tellsCost: true,
    install: 'npm install -g @anthropic-ai/claude-code',
    login: 'set ANTHROPIC_API_KEY and start Slipway again, or run claude and then /login',
  },
  codex: {
    command: 'codex',
    keys: ['OPENAI_API_KEY'],
    addresses: [],
    loginFile: '.codex/auth.json',
    tellsCost: false,
    install: 'npm install -g @openai/codex',
    login: 'set OPENAI_API_KEY and start Slipway again, or run codex login',
  },
  gemini: {
    command: 'gemini',
    keys: ['GEMINI_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    loginFile: '.gemini/oauth_creds.json',
    tellsCost: false,
    install: 'npm install -g @google/gemini-cli',
    login: 'set GEMINI_API_KEY and start Slipway again, or run gemini and log in',
  },
} as const satisfies Readonly<Record<KnownAdapter, AgentProgram>>

/** The CLI of an adapter; undefined where that drives none of its own. */
export function programOf(adapter: AgentAdapter): AgentProgram | undefined {
  return adapter === 'script' || adapter === 'acp' ? undefined : AGENT_PROGRAMS[adapter]
}

/**
 * Why an agent has nothing to log in with, in words; undefined where it has, where it needs nothing, or where nobody can
 * tell: a command of its own may bring a login, and so does an image whose Agent says `credentials: {}`.
 */
export function noLoginReason({ metadata, spec }: Agent): string | undefined {
  const { adapter, command, credentials } = spec
  const program = programOf(adapter)
  if (program === undefined || command !== undefined) return undefined
  const { files = [], env = [] } = credentials ?? {}
  const isOwnAffair = credentials !== undefined && files.length === 0 && env.length === 0
  if (isOwnAffair || files.length > 0 || env.some(({ name }) => !program.addresses.includes(name))) return undefined
  const found =
    env.length === 0 ? 'has no login' : `has an address (${env.map(({ name }) => name).join(', ')}) and no login`
  return `agent ${metadata.name} ${found}: name one in spec.credentials, or start Slipway again where it finds its owner's`
}
