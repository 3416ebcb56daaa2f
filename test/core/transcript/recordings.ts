/** What the real CLIs printed once: `npm run record-transcripts`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transcript } from '../../../core/transcript/transcript.ts'
import type { Judge, ProcessEnd } from '../../../core/transcript/verdict.ts'
import { ENDED_AT } from './cli-output.ts'
import { createClaudeTranscript } from '../../../core/transcript/claude.ts'
import { judgeClaude } from '../../../core/transcript/claude-verdict.ts'
import { createCodexTranscript } from '../../../core/transcript/codex.ts'
import { judgeCodex } from '../../../core/transcript/codex-verdict.ts'
import { createGeminiTranscript } from '../../../core/transcript/gemini.ts'
import { judgeGemini } from '../../../core/transcript/gemini-verdict.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'transcripts')

export interface Recording {
  readonly output: Uint8Array
  readonly end: ProcessEnd
  readonly create: () => Transcript
  readonly judge: Judge
}

const PROGRAMS = {
  claude: { create: createClaudeTranscript, judge: judgeClaude },
  codex: { create: createCodexTranscript, judge: judgeCodex },
  gemini: { create: createGeminiTranscript, judge: judgeGemini },
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
