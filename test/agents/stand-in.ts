// `npm run stand-in`: a scripted model for a person who has claude or gemini but no key. Whatever it is asked, it has one
// line added to CHANGELOG.md and says so. Everything else is real: the CLI, Slipway, the repository.
import process from 'node:process'
import { asRecord } from '../../core/json.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import type { Script, Turn } from './turn.ts'

const COMMAND = "printf '%s\\n' '- Written by the stand-in of a model.' >> CHANGELOG.md"
const SAYS: Turn = { kind: 'say', text: 'Added an entry to CHANGELOG.md. I am a stand-in, no model: I always do this.' }

/** Lets `model` ask for its one change and, told that it is made, say so; for ever. */
export function standIn(model: ModelServer): void {
  const next: Script = () => {
    const { path = '', body } = model.asked.at(-1) ?? {}
    model.forget()
    if (isToolAnswer(body)) return SAYS
    const tool = path.startsWith('/v1/messages') ? 'Bash' : 'run_shell_command'
    return { kind: 'use', tool, input: { command: COMMAND, description: 'Add an entry' } }
  }
  model.play([], next)
}

/** Whether the last thing that the model was told is what its tool gave. */
function isToolAnswer(body: unknown): boolean {
  const { messages, contents } = asRecord(body)
  const told: unknown = messages ?? contents
  const last: unknown = Array.isArray(told) ? told.at(-1) : undefined
  return /"(tool_result|functionResponse)"/.test(JSON.stringify(last ?? ''))
}

if (process.argv[1] === import.meta.filename) {
  const model = await startModelServer()
  standIn(model)
  process.stdout.write(
    [
      'A scripted stand-in for a model. Start Slipway, in another terminal, with',
      `  export ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL=${model.url}    # claude`,
      `  export GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL=${model.url}    # gemini`,
      'Ctrl-C ends it.',
      '',
    ].join('\n'),
  )
}
