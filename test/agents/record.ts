// npm run record-transcripts [program/case …]: runs the real CLIs as the runner does, against the scripted provider,
// and keeps what they print in test/fixtures/transcripts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { getAdapter } from '../../runner/adapters/registry.ts'
import { supervise } from '../../runner/agent/supervise.ts'
import { makeFolder, removeFolder } from '../runner/execution.ts'
import { makeCliContext } from './cli-context.ts'
import { startModelServer } from './model-server.ts'
import { type RecordedCase, RECORDED_CASES } from './record-cases.ts'
import { scrub } from './scrub.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'transcripts')

const wanted = process.argv.slice(2)
for (const recorded of RECORDED_CASES) {
  const name = `${recorded.words.program}/${recorded.name}`
  if (wanted.length === 0 || wanted.includes(name)) await record(recorded)
}
// The runner's clock keeps no process alive, and what a CLI left open shall not either.
process.exit()

async function record(recorded: RecordedCase): Promise<void> {
  const folder = makeFolder()
  const model = await startModelServer()
  try {
    model.play(recorded.turns ?? [], recorded.always)
    const context = makeCliContext(recorded, folder, model.url)
    const adapter = getAdapter(recorded.words.program)
    const { sessionId } = context.run.agent
    const beginning = { prompt: 'Create hello.txt.\n', ...(sessionId === undefined ? {} : { sessionId }) }
    const read = adapter.createTranscript?.()
    // Whole, with the pieces that are not kept otherwise.
    const transcript = read && { facts: read.facts, read: read.read }
    const ended = await supervise(context, await adapter.start(context, beginning), { transcript })
    if (ended.kind !== 'exited') throw new Error(`${recorded.name} did not end by itself: ${ended.kind}`)
    const { exitCode, signal, stdoutTail, stderrTail } = ended.exit
    const file = join(FIXTURES, recorded.words.program, recorded.name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(`${file}.jsonl`, scrub(stdoutTail, folder))
    const end = { exitCode, signal, stderrTail: scrub(stderrTail, folder) }
    writeFileSync(`${file}.end.json`, `${JSON.stringify(end, null, 2)}\n`)
  } finally {
    await model.stop()
    removeFolder(folder)
  }
}
