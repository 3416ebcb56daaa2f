import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { delay } from '../../lib/clock.ts'
import { hasErrorCode, inFolderNoFollow, readTailNoFollow } from '../../lib/files.ts'
import { endGroup, findProcessesByEnvironment, signalProcess, startGroup } from '../../lib/process.ts'
import type { Transcript, TranscriptFacts } from '../../core/transcript/transcript.ts'
import type { AgentCommand, AgentExit } from '../adapters/adapter.ts'
import { agentEnvironment, executionMark } from './environment.ts'
import type { Conversation, ConversationTarget } from './conversation.ts'
import { createConversation } from './conversation.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { KILL_GRACE_MS } from '../limits.ts'
import { redactStream } from './redact.ts'
import type { TeeTarget } from './tee.ts'
import { tee } from './tee.ts'

/** What a process that escaped can hold us up by keeping the CLI's output open, at most. */
const DRAIN_MS = 5000

const TAIL_BYTES = 1024 * 1024

/** Why the CLI ended: by itself, or because we ended it. */
export type Ended = (
  { readonly kind: 'exited'; readonly exit: AgentExit } | { readonly kind: 'timed_out' | 'cancelled' }
) & {
  /** What the CLI said of itself until then. */
  readonly facts: Readonly<TranscriptFacts>
}

/**
 * Runs an agent's CLI to its end, or to the time-out or SIGTERM, and ends everything it started: its process group,
 * and what left the group but still carries the execution's mark in its environment. What it prints is kept, shown and
 * read without the secrets of the step.
 *
 * @param preface what the conversation says before the CLI says anything
 * @throws StepFailed when the command cannot be started.
 */
export async function supervise(
  context: StepContext,
  command: AgentCommand,
  transcript: Transcript | undefined,
  preface?: string,
): Promise<Ended> {
  const stdout = await openLog(context, EXECUTION_FILES.stdout)
  const stderr = await openLog(context, EXECUTION_FILES.stderr)
  const events = await openLog(context, EXECUTION_FILES.events)
  try {
    return await runLogged(context, command, { stdout, stderr, events: { ...events, preface } }, transcript)
  } finally {
    await Promise.all([stdout, stderr, events].map(({ file }) => file.close()))
  }
}

type Log = Pick<TeeTarget, 'file' | 'sizeBytes'>

interface Logs {
  readonly stdout: Log
  readonly stderr: Log
  readonly events: Log & Pick<ConversationTarget, 'preface'>
}

async function runLogged(
  context: StepContext,
  command: AgentCommand,
  logs: Logs,
  transcript: Transcript | undefined,
): Promise<Ended> {
  const { run, clock, secrets = [] } = context
  const child = startAgent(context, command)
  const { pid, stdout, stderr } = child
  if (pid === undefined || stdout === null || stderr === null) throw await startFailure(child, command.command)
  const exited = once(child, 'exit')
  const limit = { maxBytes: run.maxLogBytes, clock }
  const conversation = transcript && converse(child, command, transcript, { ...limit, ...logs.events })
  const copied = Promise.all([
    tee(redactStream(stdout, secrets), { ...limit, ...logs.stdout, podLog: 1, watch: conversation?.take }),
    tee(redactStream(stderr, secrets), { ...limit, ...logs.stderr, podLog: 2 }),
  ])
  const timers = new AbortController()
  try {
    const ended = await firstEnd(context, exited, copied, timers.signal)
    await endGroup(pid, { graceMs: ended === 'exited' ? 0 : KILL_GRACE_MS, clock })
    await killStragglers(context)
    await Promise.race([copied, delay(clock, DRAIN_MS, timers.signal)])
    await conversation?.end()
    const facts = conversation?.facts ?? {}
    return ended === 'exited' ? { kind: ended, exit: await readExit(context, child), facts } : { kind: ended, facts }
  } finally {
    timers.abort()
    await endGroup(pid, { graceMs: 0, clock })
  }
}

function startAgent(context: StepContext, { command, args, env, stdin }: AgentCommand): ChildProcess {
  return startGroup(command, args, {
    cwd: context.paths.clone,
    env: { ...agentEnvironment(context), ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
}

/** Says the prompt, answers what the CLI asks, and closes its stdin when it has said all. */
function converse(
  { stdin }: ChildProcess,
  { stdin: prompt = '', isDialogue = false }: AgentCommand,
  transcript: Transcript,
  target: Omit<ConversationTarget, 'reply' | 'onOver'>,
): Conversation {
  // A CLI that has ended takes no more; its exit and its output say why.
  stdin?.on('error', () => undefined)
  if (isDialogue) stdin?.write(prompt)
  else stdin?.end(prompt)
  const reply = (line: string): void => void stdin?.write(`${line}\n`)
  return createConversation(transcript, { ...target, reply, onOver: () => stdin?.end() })
}

/** Rejects when a log cannot be written (disk full): going on would lose what the agent says. */
function firstEnd(
  { run, clock, signal }: StepContext,
  exited: Promise<unknown>,
  copied: Promise<unknown>,
  done: AbortSignal,
): Promise<Ended['kind']> {
  const exit = exited.then(() => 'exited' as const)
  return Promise.race([
    exit,
    copied.then(() => exit),
    delay(clock, run.timeoutSeconds * 1000, done).then(() => 'timed_out' as const),
    aborted(signal),
  ])
}

async function readExit(context: StepContext, { exitCode, signalCode }: ChildProcess): Promise<AgentExit> {
  const endedAt = context.clock.now().getTime()
  const [stdoutTail, stderrTail] = [await tail(context, 'stdout'), await tail(context, 'stderr')]
  return { agent: context.run.agent.name, exitCode, signal: signalCode, endedAt, stdoutTail, stderrTail }
}

/** Ends what carries the execution's mark, again and again until a look finds nothing new: it may be forking. */
async function killStragglers(context: StepContext): Promise<void> {
  const { name, value } = executionMark(context)
  for (let look = 0; look < 100; look += 1) {
    const pids = await findProcessesByEnvironment(name, value)
    if (pids.length === 0) return
    for (const pid of pids) signalProcess(pid, 'SIGKILL')
  }
}

function aborted(signal: AbortSignal): Promise<'cancelled'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('cancelled')
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true })
  })
}

async function startFailure(child: ChildProcess, command: string): Promise<unknown> {
  const [error]: unknown[] = await once(child, 'error').catch((reason: unknown) => [reason])
  if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'EACCES'))
    return new StepFailed('failed', `cannot start ${basename(command)}: it, its interpreter or the clone is missing`)
  return error
}

/** Appends: a second Job of the same execution goes on in the same file. A link planted in its place is refused. */
async function openLog(context: StepContext, name: string): Promise<Log> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const file = await inFolderNoFollow(context.paths.agentOutput, [], (folder) =>
    open(`${folder}/${basename(name)}`, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o644),
  )
  return { file, sizeBytes: (await file.stat()).size }
}

async function tail(context: StepContext, name: 'stdout' | 'stderr'): Promise<string> {
  return (await readTailNoFollow(context.paths.execution, EXECUTION_FILES[name], TAIL_BYTES)).toString('utf8')
}
