/** What is recorded of the real CLIs, as fixtures of the parsers (test/fixtures/transcripts). */
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { Script, Turn } from './turn.ts'
import { type Words, CLAUDE, CODEX, GEMINI } from './programs.ts'
import {
  anthropicRefuses,
  codexUsedUp,
  GEMINI_UNPAID,
  geminiUsedUp,
  NO_CREDIT,
  NO_SUCH_MODEL,
  OPENAI_BROKEN,
  openaiRefuses,
  secondsAhead,
  subscriptionUsedUp,
} from './refusals.ts'

export interface RecordedCase {
  readonly words: Words
  readonly name: string
  readonly turns?: readonly Script[]
  readonly always?: Turn
  readonly agent?: Partial<RunSpec['agent']>
  readonly run?: Partial<RunSpec>
  /** Of claude: a subscription's token in place of a key. */
  readonly hasSubscription?: true
  /** Of gemini: its settings. */
  readonly settings?: object
}

const says = { kind: 'say', text: 'Created hello.txt' } as const
const breaksOff = { kind: 'cut', text: 'Half of an answer' } as const
const NO_SESSION = '99999999-9999-4999-8999-999999999999'

/** What every program is recorded doing. */
function common(words: Words): RecordedCase[] {
  return [
    { words, name: 'success', turns: [words.writes, says] },
    { words, name: 'key-refused', always: words.keyRefused },
    { words, name: 'overloaded', always: words.overloaded },
    { words, name: 'overloaded-once', turns: [words.overloaded, says] },
    { words, name: 'breaks-off', always: breaksOff },
    { words, name: 'session-lost', agent: { sessionId: NO_SESSION } },
    { words, name: 'unknown-model', always: NO_SUCH_MODEL[words.program] },
  ]
}

const options = ['Postgres', 'SQLite'].map((label) => ({ label, description: `use ${label}` }))
const questions = [{ question: 'Which database?', header: 'DB', options, multiSelect: false }]

export const RECORDED_CASES: readonly RecordedCase[] = [
  ...common(CLAUDE),
  { words: CLAUDE, name: 'question', turns: [{ kind: 'use', tool: 'AskUserQuestion', input: { questions } }] },
  { words: CLAUDE, name: 'usage-limit', turns: [() => subscriptionUsedUp(secondsAhead(3600))], hasSubscription: true },
  { words: CLAUDE, name: 'throttled', always: anthropicRefuses(429, 'rate_limit_error', 'Too many requests') },
  { words: CLAUDE, name: 'no-credit', always: NO_CREDIT },
  { words: CLAUDE, name: 'budget', always: CLAUDE.writes, run: { budgetUSD: 0.0001 } },
  { words: CLAUDE, name: 'max-turns', always: CLAUDE.writes, agent: { command: ['claude', '--max-turns', '1'] } },
  ...common(GEMINI),
  { words: GEMINI, name: 'daily-quota', always: geminiUsedUp('Day') },
  { words: GEMINI, name: 'minute-quota', always: geminiUsedUp('Minute') },
  { words: GEMINI, name: 'unpaid', always: GEMINI_UNPAID },
  { words: GEMINI, name: 'max-turns', always: GEMINI.writes, settings: { model: { maxSessionTurns: 1 } } },
  ...common(CODEX),
  { words: CODEX, name: 'server-error', always: OPENAI_BROKEN },
  { words: CODEX, name: 'usage-limit', turns: [() => codexUsedUp(secondsAhead(3600))] },
  {
    words: CODEX,
    name: 'no-quota',
    always: openaiRefuses(429, 'insufficient_quota', 'You exceeded your current quota'),
  },
]
