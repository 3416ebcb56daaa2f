// npm run record-demo [program/task …]: runs the real CLIs as the runner does, on the demo's shop and against the scripted
// provider, and keeps what they print in cli/demo/recordings, one file for each run of a session.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { RECORDED } from '../../cli/demo/recording.ts'
import { getAdapter } from '../../runner/adapters/registry.ts'
import type { StepContext } from '../../runner/context.ts'
import { supervise } from '../../runner/agent/supervise.ts'
import { makeFolder, removeFolder } from '../runner/execution.ts'
import { makeCliContext } from './cli-context.ts'
import { type DemoSession, DEMO_SESSIONS } from './demo-sessions.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { scrub } from './scrub.ts'
import type { Script } from './turn.ts'

const DEMO = join(import.meta.dirname, '..', '..', '..', 'cli', 'demo')

/** Lines that say something of the provider's stand-in alone. */
const OF_STAND_IN = /Model metadata for|"subtype":"status"/

/** What tells of the installed program, and nothing of the session. */
const LEFT_OUT = new Set(
  'tools slash_commands terminal_slash_commands skills agents plugins capabilities memory_paths messaging_socket_path tool_result_meta subagent_stats'.split(
    ' ',
  ),
)

const wanted = process.argv.slice(2)
for (const session of DEMO_SESSIONS) {
  const name = `${session.words.program}/${session.name}`
  if (wanted.length === 0 || wanted.includes(name)) await record(session)
}
// The runner's clock keeps no process alive, and what a CLI left open shall not either.
process.exit()

async function record(session: DemoSession): Promise<void> {
  const folder = makeFolder()
  const model = await startModelServer()
  try {
    const context = makeCliContext(session, folder, model.url)
    cpSync(join(DEMO, 'shop'), context.paths.clone, { recursive: true })
    const target = join(DEMO, 'recordings', session.words.program)
    mkdirSync(target, { recursive: true })
    let sessionId: string | undefined
    for (const [at, turns] of session.parts.entries()) {
      const played = await play({ context, model, turns, sessionId })
      sessionId = played.sessionId
      writeFileSync(join(target, `${session.name}.${at + 1}.jsonl`), tidy(scrub(played.text, folder)))
    }
  } finally {
    await model.stop()
    removeFolder(folder)
  }
}

interface Part {
  readonly context: StepContext
  readonly model: ModelServer
  readonly turns: readonly Script[]
  readonly sessionId: string | undefined
}

async function play({ context, model, turns, sessionId }: Part) {
  model.play(turns)
  const adapter = getAdapter(context.run.agent.adapter)
  const prompt = sessionId === undefined ? 'Do the task.\n' : `Go on: ${RECORDED.answer}\n`
  const beginning = { prompt, ...(sessionId === undefined ? {} : { sessionId }) }
  const transcript = adapter.createTranscript?.()
  // Each run writes its output to a file of its own.
  for (const name of ['stdout.log', 'stderr.log', 'events.jsonl'])
    rmSync(join(context.paths.agentOutput, name), { force: true })
  const ended = await supervise(context, await adapter.start(context, beginning), { transcript })
  if (ended.kind !== 'exited') throw new Error(`it did not end by itself: ${ended.kind}`)
  return { text: ended.exit.stdoutTail, sessionId: ended.facts.sessionId }
}

function tidy(text: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => !OF_STAND_IN.test(line))
  const kept = lines.map((line) =>
    JSON.stringify(JSON.parse(line), (key, value: unknown) => (LEFT_OUT.has(key) ? undefined : value)),
  )
  return `${kept.join('\n')}\n`
}
