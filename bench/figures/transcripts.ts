/** Reading what the agents' CLIs print, beside JSON.parse of the same lines; and the memory that a long run takes. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClaudeTranscript } from '../../core/transcript/claude.ts'
import { createCodexTranscript } from '../../core/transcript/codex.ts'
import { createGeminiTranscript } from '../../core/transcript/gemini.ts'
import { parseObject } from '../../core/json.ts'
import { createLineSplitter } from '../../core/transcript/lines.ts'
import type { Transcript } from '../../core/transcript/transcript.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate } from '../measure.ts'
import { benchProgram } from '../program.ts'
import { chunksOf, makeTranscript } from '../transcript.ts'

const READERS = [
  ['claude', createClaudeTranscript],
  ['codex', createCodexTranscript],
  ['gemini', createGeminiTranscript],
] as const

const MB = 1e6
const SIZES_MB = { full: { once: 50, stream: 1000 }, quick: { once: 5, stream: 100 } } as const

export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const { once, stream } = SIZES_MB[size]
  const figures: Figure[] = []
  for (const [program, create] of READERS) {
    const output = makeTranscript(program, once * MB)
    const perGB = (work: () => void) => () => Promise.resolve((timed(work) / output.length) * 1e6)
    const { ours, floor } = await alternate(
      repeats,
      perGB(() => read(create(), output)),
      perGB(() => parse(output)),
    )
    const what = 'lines of the same text, JSON.parse each'
    figures.push({
      name: `reading 1 GB that ${program} printed`,
      unit: 's',
      ours,
      floor: { what, value: floor },
      aim: { atMost: 2, of: 'ratio' },
    })
  }
  return [...figures, await measureMemory(stream)]
}

/** As the runner does, save for writing the events to a file. */
function read(transcript: Transcript, output: Buffer): void {
  const splitter = createLineSplitter()
  let events = 0
  for (const chunk of chunksOf(output)) {
    for (const line of splitter.push(chunk)) events += transcript.read(line).events.length
  }
  if (events === 0) throw new Error('read no event')
}

function parse(output: Buffer): void {
  let messages = 0
  for (const line of output.toString('utf8').split('\n')) {
    if (line !== '' && JSON.parse(line) !== null) messages += 1
  }
  if (messages === 0) throw new Error('parsed no message')
}

function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

/** In a process of its own, whose memory nothing else has grown. */
async function measureMemory(streamMB: number): Promise<Figure> {
  const args = [benchProgram('transcript-memory'), String(streamMB)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { early, late } = parseObject(stdout)
  return {
    name: `memory while reading ${streamMB.toLocaleString('en')} MB that claude printed`,
    unit: 'MB',
    ours: Number(late),
    floor: { what: 'after the first tenth', value: Number(early) },
    aim: { atMost: 1.2, of: 'ratio' },
  }
}
