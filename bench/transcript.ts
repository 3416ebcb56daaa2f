/** A transcript of any length, made of what the real CLIs printed once and of tool results as they come in real work. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../cli/installation.ts'

const RECORDINGS = join(packageFolder(), 'test', 'fixtures', 'transcripts')

/** One conversation of `program` with files read and written between, as bytes; about `sizeBytes` long. */
export function makeTranscript(program: 'claude' | 'codex' | 'gemini', sizeBytes: number): Buffer {
  const recorded = readFileSync(join(RECORDINGS, program, 'success.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const lines = recorded.filter((line) => !line.includes('"type":"result"') && !line.includes('turn.completed'))
  const parts: string[] = []
  for (let length = 0, n = 0; length < sizeBytes; n++) {
    const line = n % 3 === 2 ? toolResult(program, n) : (lines[n % lines.length] ?? '')
    parts.push(line)
    length += line.length
  }
  return Buffer.from(`${parts.join('\n')}\n`)
}

/** What a tool read: a file of some kilobytes, with the quotes and line ends of code. */
function toolResult(program: 'claude' | 'codex' | 'gemini', n: number): string {
  const text = `export const value = { name: "a", list: [1, 2] } // line\n`.repeat(20 + (n % 100))
  switch (program) {
    case 'claude': {
      const content = [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: text, is_error: false }]
      return JSON.stringify({ type: 'user', message: { role: 'user', content }, session_id: 'a' })
    }
    case 'gemini':
      return JSON.stringify({ type: 'tool_result', tool_id: `call_${n}`, status: 'success', output: text })
    case 'codex': {
      const item = { id: `item_${n}`, type: 'command_execution', aggregated_output: text, exit_code: 0 }
      return JSON.stringify({ type: 'item.completed', item })
    }
    default:
      return program satisfies never
  }
}

/** As a pipe hands them out. */
const CHUNK_BYTES = 65_536

/** The pieces in which a runner gets what a CLI prints. */
export function* chunksOf(output: Buffer): Generator<Buffer> {
  for (let at = 0; at < output.length; at += CHUNK_BYTES) yield output.subarray(at, at + CHUNK_BYTES)
}
