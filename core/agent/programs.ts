import type { AgentAdapter } from '../crd/types.ts'

/** What is known of the CLI that an adapter drives. */
export interface AgentProgram {
  /** What it is started as, where an Agent names no command. */
  readonly command: string
  /** Variables by which it takes keys, tokens and the address of the provider. */
  readonly variables: readonly string[]
  /** Where its own login keeps its token, below the home. */
  readonly loginFile: string
  /** Whether it tells what a run has cost, and keeps a budget by itself. */
  readonly tellsCost: boolean
  /** How a person installs it. */
  readonly install: string
  /** How the owner of the machine logs in. */
  readonly login: string
}

/** The CLIs of all adapters but `script`, which needs none. Facts: docs/agents.md. */
export const AGENT_PROGRAMS = {
  claude: {
    command: 'claude',
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
    loginFile: '.claude/.credentials.json',
    tellsCost: true,
    install: 'npm install -g @anthropic-ai/claude-code',
    login: 'set ANTHROPIC_API_KEY and start Slipway again, or run claude and then /login',
  },
  codex: {
    command: 'codex',
    variables: ['OPENAI_API_KEY'],
    loginFile: '.codex/auth.json',
    tellsCost: false,
    install: 'npm install -g @openai/codex',
    login: 'set OPENAI_API_KEY and start Slipway again, or run codex login',
  },
  gemini: {
    command: 'gemini',
    variables: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
    loginFile: '.gemini/oauth_creds.json',
    tellsCost: false,
    install: 'npm install -g @google/gemini-cli',
    login: 'set GEMINI_API_KEY and start Slipway again, or run gemini and log in',
  },
} as const satisfies Readonly<Record<Exclude<AgentAdapter, 'script'>, AgentProgram>>
