/**
 * Plays recordings of agent CLIs in their place: `replay claude …`, `replay codex …`, with the arguments that Slipway gives
 * the CLI. It prints what the CLI printed, asks no model, and does in the clone what the recorded tool calls did.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parseObject } from '../../core/json.ts'
import { type Deed, type Run, deedsOf, exitCodeOf, findResumed, toPlayed } from './recording.ts'

/** What a run of the program depends on. */
export interface Stage {
  /** Holds `<cli>/<task>.<n>.jsonl`: what the CLI printed when it ran for the nth time in the session. */
  readonly recordings: string
  /** The working directory of the agent. */
  readonly clone: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
  /** Waits before a line, so that a person can read along. */
  readonly pause: () => Promise<void>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** Lines of output that a person sees, which are the ones that take time. */
const SEEN = /^\{"type":"(?:assistant|user|item\.\w+)"/

/** @returns the exit code */
export async function replay([cli = '', ...args]: readonly string[], stage: Stage): Promise<number> {
  const task = stage.env['SERVICE_TASK_ID'] ?? ''
  const problem = findProblem(cli, task, stage)
  if (problem !== undefined) {
    stage.err(`${problem}\n`)
    return 2
  }
  const parts = partsOf(join(stage.recordings, cli), task)
  const resumed = findResumed(args)
  const session = resumed ?? randomUUID()
  const progress = openProgress(stage, session)
  const at = resumed === undefined ? { parts: 0, answer: '' } : progress.read()
  if (at === undefined) {
    stage.err(`${NO_SESSION[cli] ?? ''}${session}\n`)
    return 1
  }
  const answer = readAnswer(stage.env) ?? at.answer
  // What ends it before its time lets it begin this part again.
  progress.write({ parts: at.parts, answer })
  const lines = readLines(parts[Math.min(at.parts, parts.length - 1)] ?? '')
  await play(lines, { session, answer }, stage)
  progress.write({ parts: at.parts + 1, answer })
  return exitCodeOf(lines)
}

function findProblem(cli: string, task: string, { recordings }: Stage): string | undefined {
  const played = readdirSync(recordings)
  if (!played.includes(cli)) return `usage: replay PROGRAM [argument …]; there are recordings of ${played.join(', ')}`
  const folder = join(recordings, cli)
  if (partsOf(folder, task).length > 0) return undefined
  const tasks = [...new Set(readdirSync(folder).map(taskOf))].join(', ')
  return `this agent plays recordings of ${cli} and asks no model: it has one for ${tasks}, none for ${task === '' ? 'no task' : task}; choose an agent that is installed (slipway agents)`
}

function partsOf(folder: string, task: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => taskOf(name) === task)
  return names.sort().map((name) => join(folder, name))
}

function taskOf(file: string): string {
  return file.replace(/\.\d+\.jsonl$/, '')
}

function readLines(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

/** What the CLIs say of a session that is not in the home; its id follows. */
const NO_SESSION: Readonly<Record<string, string>> = {
  claude: 'No conversation found with session ID: ',
  codex: 'no rollout found for thread id ',
}

/** How far a session has come. */
interface Progress {
  /** Parts of it that have been played. */
  readonly parts: number
  /** The last that a person said in it; "" before that. */
  readonly answer: string
}

/** The home keeps it, as the CLIs keep their sessions there. */
function openProgress({ env, clone }: Stage, session: string) {
  const file = join(env['HOME'] ?? clone, '.recorded-sessions', session)
  return {
    read(): Progress | undefined {
      if (!existsSync(file)) return undefined
      const { parts, answer } = parseObject(readFileSync(file, 'utf8'))
      return { parts: Number(parts), answer: String(answer) }
    },
    write(progress: Progress) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(progress))
    },
  }
}

async function play(lines: readonly string[], own: Pick<Run, 'session' | 'answer'>, stage: Stage): Promise<void> {
  for (const line of lines) {
    if (SEEN.test(line)) await stage.pause()
    const played = toPlayed(line, { ...own, clone: stage.clone, now: stage.now() })
    stage.out(`${played}\n`)
    for (const deed of deedsOf(played)) await perform(deed, stage)
  }
}

function readAnswer({ SERVICE_ANSWER: answer, SERVICE_ANSWER_FILE: file }: Stage['env']): string | undefined {
  return answer ?? (file === undefined ? undefined : readFileSync(file, 'utf8'))
}

/** @throws Error if it cannot be done here: without it the rest of the recording would be a lie */
async function perform(deed: Deed, { clone, env }: Stage): Promise<void> {
  switch (deed.kind) {
    case 'write': {
      const path = join(clone, deed.path)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, deed.content)
      return
    }
    case 'edit': {
      const path = join(clone, deed.path)
      const text = readFileSync(path, 'utf8')
      // A part that is played again has done it already.
      if (text.includes(deed.to)) return
      if (!text.includes(deed.from)) throw new Error(`${deed.path} is not as it was when this was recorded`)
      writeFileSync(
        path,
        text.replace(deed.from, () => deed.to),
      )
      return
    }
    case 'run': {
      const path = [dirname(process.execPath), env['PATH']].join(delimiter)
      await promisify(execFile)('bash', ['-c', deed.command], { cwd: clone, env: { ...env, PATH: path } })
      return
    }
    default:
      deed satisfies never
  }
}
