/** What the real CLIs printed once: `npm run record-transcripts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transcript } from '../../../core/transcript/transcript.ts'
import type { InterpretExit, ProcessEnd } from '../../../core/transcript/exit.ts'
import { ENDED_AT } from './cli-output.ts'
import { createClaudeTranscript } from '../../../core/transcript/claude.ts'
import { interpretClaudeExit } from '../../../core/transcript/claude-exit.ts'
import { createCodexTranscript } from '../../../core/transcript/codex.ts'
import { interpretCodexExit } from '../../../core/transcript/codex-exit.ts'
import { createGeminiTranscript } from '../../../core/transcript/gemini.ts'
import { interpretGeminiExit } from '../../../core/transcript/gemini-exit.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'transcripts')

export interface Recording {
  readonly output: Uint8Array
  readonly end: ProcessEnd
  readonly create: () => Transcript
  readonly interpretExit: InterpretExit
}

const PROGRAMS = {
  claude: { create: createClaudeTranscript, interpretExit: interpretClaudeExit },
  codex: { create: createCodexTranscript, interpretExit: interpretCodexExit },
  gemini: { create: createGeminiTranscript, interpretExit: interpretGeminiExit },
} as const

export type RecordedProgram = keyof typeof PROGRAMS

export const RECORDED_PROGRAMS = Object.keys(PROGRAMS) as RecordedProgram[]

/** Names of a program's recordings. */
export function recordingsOf(program: RecordedProgram): string[] {
  const files = readdirSync(join(FOLDER, program))
  return files.filter((file) => file.endsWith('.jsonl')).map((file) => file.slice(0, -'.jsonl'.length))
}

export function readRecording(program: RecordedProgram, name: string): Recording {
  const file = join(FOLDER, program, name)
  const end = {
    ...(JSON.parse(readFileSync(`${file}.end.json`, 'utf8')) as ProcessEnd),
    endedAt: ENDED_AT,
    agent: 'agent-x',
  }
  return { output: readFileSync(`${file}.jsonl`), end, ...PROGRAMS[program] }
}
