/** The words in which each program is spoken to by the scripted model, and by which its ends are known. */
import type { Refusal, Turn } from './turn.ts'
import { googleRefuses, KEY_REFUSED, openaiRefuses, OVERLOADED } from './refusals.ts'
import type { Program } from './rig.ts'

/** What differs between the programs, in tests of what does not. */
export interface Words {
  readonly program: Program
  /** Fields of a task's agent, besides its type. */
  readonly agent: Readonly<Record<string, string>>
  /** The model writes hello.txt. */
  readonly writes: Turn
  /** The model runs a command. */
  readonly runs: (command: string) => Turn
  readonly overloaded: Refusal
  readonly keyRefused: Refusal
  /** What it says of a key that is refused. */
  readonly saysKeyRefused: RegExp
  /** Variable with the key. */
  readonly keyVariable: string
  /** Header as the provider gets it with a key. */
  readonly authorization: (key: string) => string
  /** How it names a session. */
  readonly sessionId: RegExp
  /** Where it keeps its sessions, below the home. */
  readonly sessions: string
  /** It does not ask again when an answer breaks off. */
  readonly givesUpAtCuts?: true
  /** What it used it tells with its result alone: of a run that is ended before, nobody knows. */
  readonly tellsAtTheEnd?: true
  /** The command by which it serves until its stdin is closed; absent: it ends with its turn. */
  readonly serves?: string
  /** A session that is taken up in the minute in which it began is gone. */
  readonly losesYoungSessions?: true
}

const UUID = /^[0-9a-f-]{36}$/

export const CLAUDE: Words = {
  program: 'claude',
  agent: {},
  writes: { kind: 'use', tool: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } },
  runs: (command) => ({ kind: 'use', tool: 'Bash', input: { command } }),
  overloaded: OVERLOADED,
  keyRefused: KEY_REFUSED,
  saysKeyRefused: /Invalid API key.*: renew the credentials of agent claude \(an API key, a token of/,
  keyVariable: 'ANTHROPIC_API_KEY',
  authorization: (key) => key,
  sessionId: UUID,
  sessions: '.claude/projects',
}

export const GEMINI: Words = {
  program: 'gemini',
  // Without a model a router would ask another one first.
  agent: { model: 'gemini-2.5-flash' },
  writes: { kind: 'use', tool: 'write_file', input: { file_path: 'hello.txt', content: 'hello\n' } },
  runs: (command) => ({ kind: 'use', tool: 'run_shell_command', input: { command } }),
  overloaded: googleRefuses(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  keyRefused: googleRefuses(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
  ]),
  saysKeyRefused: /API key not valid.*: renew the credentials of agent gemini \(GEMINI_API_KEY, or a login\)/s,
  keyVariable: 'GEMINI_API_KEY',
  authorization: (key) => key,
  sessionId: UUID,
  sessions: '.gemini/tmp',
  givesUpAtCuts: true,
}

export const GEMINI_ACP: Words = {
  ...GEMINI,
  program: 'gemini-acp',
  saysKeyRefused: /API key not valid.*: renew the credentials of agent gemini-acp \(what its program logs in with\)/s,
  tellsAtTheEnd: true,
  serves: 'env GEMINI_CLI_NO_RELAUNCH=true GEMINI_CLI_TRUST_WORKSPACE=true gemini --acp',
  losesYoungSessions: true,
}

export const OPENCODE: Words = {
  program: 'opencode',
  agent: {},
  writes: { kind: 'use', tool: 'bash', input: { command: 'echo hello > hello.txt', description: 'Write it' } },
  runs: (command) => ({ kind: 'use', tool: 'bash', input: { command, description: 'Run it' } }),
  overloaded: OVERLOADED,
  keyRefused: KEY_REFUSED,
  saysKeyRefused: /invalid x-api-key.*: renew the credentials of agent opencode \(what its program logs in with\)/s,
  keyVariable: 'ANTHROPIC_API_KEY',
  authorization: (key) => key,
  sessionId: /^ses_/,
  sessions: '.local/share/opencode',
  tellsAtTheEnd: true,
  serves: 'opencode acp',
}

export const CODEX: Words = {
  program: 'codex',
  agent: {},
  writes: { kind: 'use', tool: 'exec_command', input: { cmd: 'echo hello > hello.txt' } },
  runs: (cmd) => ({ kind: 'use', tool: 'exec_command', input: { cmd } }),
  overloaded: openaiRefuses(503, 'server_is_overloaded', 'The server is overloaded'),
  keyRefused: openaiRefuses(401, 'invalid_api_key', 'Incorrect API key provided'),
  saysKeyRefused: /401.*: renew the credentials of agent codex \(an API key, or `codex login`\)/s,
  keyVariable: 'OPENAI_API_KEY',
  authorization: (key) => `Bearer ${key}`,
  sessionId: UUID,
  sessions: '.codex/sessions',
}
