import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { firstOf } from '../../lib/async.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import { readTailNoFollow } from '../../lib/files.ts'
import { type Piped, startPiped } from '../../lib/output-pipes.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { endGroup, killByEnvironment, startGroup } from '../../lib/process.ts'
import type { ConversationEvent } from '../../core/transcript/events.ts'
import type { Transcript, TranscriptFacts } from '../../core/transcript/transcript.ts'
import type { AgentCommand, AgentExit } from './adapter.ts'
import { type OpenedFile, openAgentFile } from './agent-files.ts'
import { agentEnvironment } from './environment.ts'
import { type Conversation, type ConversationTarget, createConversation } from './conversation.ts'
import { type StepContext, executionMark } from '../context.ts'
import { INTERRUPT_MS, KILL_GRACE_MS } from '../limits.ts'
import { type End, firstEnd } from './first-end.ts'
import { withoutPartialLines } from './partial-lines.ts'
import { type Messenger, startMessenger } from './messenger.ts'
import type { Inbox } from './inbox.ts'
import { makeRedactor, redactStream, toRedactedJson } from '../redact.ts'
import { findStartFailure } from './start-failure.ts'
import { tee } from './tee.ts'

/** How long the runner waits for a process that escaped and keeps the CLI's output open. */
const DRAIN_MS = 5000

const TAIL_BYTES = 1024 * 1024

/** Answers that a CLI has not read. */
const MAX_UNREAD_BYTES = 1024 * 1024

/** How the CLI ended: by itself, or because we ended it. */
export type Ended = (
  { readonly kind: 'exited'; readonly exit: AgentExit } | { readonly kind: 'timed_out' | 'over_budget' | 'cancelled' }
) & {
  /** What the CLI had reported by then. */
  readonly facts: Readonly<TranscriptFacts>
}

/** How a CLI is supervised. */
export interface Supervision {
  /** Reads what it prints; absent: there is no conversation. */
  readonly transcript?: Transcript | undefined
  /** The first events of the conversation, before the CLI says anything. */
  readonly preface?: ConversationTarget['preface']
  /** The messages in its prompt. */
  readonly opening?: ConversationTarget['opening']
  /** Messages that may come while it runs. */
  readonly inbox?: Inbox | undefined
  /** Absent: as the run says. */
  readonly timeoutMs?: number | undefined
  /** Asked every two seconds whether the run is over its budget. */
  readonly isOverBudget?: (() => Promise<boolean>) | undefined
}

/**
 * Runs an agent's CLI until it exits, times out, is over its budget or gets SIGTERM, and ends everything that it started:
 * its process group, and processes that left the group but still have the execution's mark in their environment. The
 * secrets of the step are removed from what it prints.
 *
 * @throws StepFailed when the command cannot be started.
 */
export async function supervise(
  context: StepContext,
  command: AgentCommand,
  supervision: Supervision = {},
): Promise<Ended> {
  const stdout = await openAgentFile(context, EXECUTION_FILES.stdout)
  const stderr = await openAgentFile(context, EXECUTION_FILES.stderr)
  const events = await openAgentFile(context, EXECUTION_FILES.events)
  try {
    return await runLogged(context, command, { stdout, stderr, events }, supervision)
  } finally {
    await Promise.all([stdout, stderr, events].map(({ file }) => file.close()))
  }
}

interface Logs {
  readonly stdout: OpenedFile
  readonly stderr: OpenedFile
  readonly events: OpenedFile
}

async function runLogged(
  context: StepContext,
  command: AgentCommand,
  logs: Logs,
  supervision: Supervision,
): Promise<Ended> {
  const { run, clock, signal, secrets = [] } = context
  const { transcript, preface, opening, isOverBudget, timeoutMs = run.timeoutSeconds * 1000 } = supervision
  const { child, stdout, stderr } = await startAgent(context, command)
  const { pid } = child
  if (pid === undefined) throw await findStartFailure(context, child, command)
  const exited = once(child, 'exit')
  const over = new AbortController()
  const limit = { maxBytes: run.maxLogBytes, clock }
  const onOver = (mayGoOn: boolean): void => void (mayGoOn || over.abort())
  const target = { ...limit, ...logs.events, preface, opening, secrets }
  const talk = transcript && converse(child, command, { transcript, target, onOver, inbox: supervision.inbox })
  const { conversation } = talk ?? {}
  const filter = transcript?.isPiece && withoutPartialLines(transcript.isPiece)
  const copied = Promise.all([
    tee(redactStream(stdout, secrets), { ...limit, ...logs.stdout, podLog: 1, filter, watch: conversation?.take }),
    tee(redactStream(stderr, secrets), { ...limit, ...logs.stderr, podLog: 2 }),
  ])
  const timers = new AbortController()
  const ends = { clock, exited, copied, timeoutMs, cancel: signal, over: over.signal, isOverBudget }
  try {
    const end = await firstEnd(ends, timers.signal)
    await talk?.messenger?.stop()
    if (end !== 'exited' && !over.signal.aborted) await interrupt(child, command, exited, clock)
    await endGroup(pid, { graceMs: end === 'exited' ? 0 : KILL_GRACE_MS, clock })
    await killStragglers(context)
    await Promise.race([copied, delay(clock, DRAIN_MS, timers.signal)])
    await conversation?.end()
    return await decideEnd(context, child, end, conversation?.facts ?? {})
  } finally {
    timers.abort()
    await endGroup(pid, { graceMs: 0, clock })
    await talk?.messenger?.stop()
  }
}

/** A CLI that has printed its success has succeeded, even if something keeps it from exiting. */
async function decideEnd(
  context: StepContext,
  child: ChildProcess,
  end: End,
  facts: Readonly<TranscriptFacts>,
): Promise<Ended> {
  const { result, untold } = facts
  const hasSucceeded = result?.isError === false && untold === undefined
  if (end === 'exited') return { kind: 'exited', exit: await readExit(context, child), facts }
  if (end === 'did_not_exit' || (end === 'timed_out' && hasSucceeded)) {
    const exit = { ...(await readExit(context, child)), exitCode: hasSucceeded ? 0 : 1, signal: null }
    return { kind: 'exited', exit, facts }
  }
  return { kind: end, facts }
}

/** Asks the CLI to end its turn, so that it reports what the turn has cost. */
async function interrupt(
  { stdin }: ChildProcess,
  { interrupt: line }: AgentCommand,
  exited: Promise<unknown>,
  clock: Clock,
): Promise<void> {
  if (line === undefined || stdin?.writable !== true) return
  stdin.write(`${line()}\n`)
  const done = new AbortController()
  await Promise.race([exited, delay(clock, INTERRUPT_MS, done.signal)])
  done.abort()
}

function startAgent(context: StepContext, { command, args, env, stdin }: AgentCommand): Promise<Piped> {
  const options = { cwd: context.paths.clone, env: { ...agentEnvironment(context), ...env } }
  const input = stdin === undefined ? 'ignore' : 'pipe'
  return startPiped(context.tmp, (...outputs) => startGroup(command, args, { ...options, stdio: [input, ...outputs] }))
}

interface Talk {
  readonly conversation: Conversation
  /** Absent: it takes no messages while it runs. */
  readonly messenger: Messenger | undefined
}

interface Listening {
  readonly transcript: Transcript
  readonly target: Omit<ConversationTarget, 'reply' | 'onOver' | 'onTaken'>
  /** Called when the CLI has said everything. */
  readonly onOver: (mayGoOn: boolean) => void
  readonly inbox: Inbox | undefined
}

/** Writes the prompt and messages, answers what the CLI asks, and closes its stdin when it has said everything. */
function converse(
  { stdin }: ChildProcess,
  { stdin: prompt = '', isDialogue = false, interrupt: stop, say, saysLate }: AgentCommand,
  { transcript, target, onOver, inbox }: Listening,
): Talk {
  // A CLI that has exited reads no more; its exit code and output tell the reason.
  stdin?.on('error', () => undefined)
  if (isDialogue) stdin?.write(prompt)
  else stdin?.end(prompt)
  const write = (line: string): void => void stdin?.write(`${line}\n`)
  const end = (mayGoOn: boolean): void => {
    onOver(mayGoOn)
    stdin?.end()
  }
  const cli = { clock: target.clock, facts: transcript.facts, write, onSilence: () => end(false) }
  const voice = say && { say, ...withoutAbsent({ interrupt: stop, saysLate }) }
  const messenger = inbox && voice && startMessenger(inbox, voice, cli)
  const conversation = createConversation(transcript, {
    ...target,
    async reply(line) {
      write(line)
      if (stdin !== null) await untilRead(stdin, MAX_UNREAD_BYTES)
    },
    onTaken: messenger?.take,
    async onOver({ mayGoOn = false, isStopped = false }) {
      if ((await messenger?.endTurn(isStopped)) !== true) end(mayGoOn)
    },
  })
  return { conversation, messenger }
}

/**
 * Resolves once a CLI has read its stdin as far as that at most so many bytes wait for it. One that asks without end, and
 * reads no answers, is read no further: it waits until its time is over, and its answers fill no memory.
 */
async function untilRead(stdin: Writable, bytes: number): Promise<void> {
  // It is closed when the CLI has exited.
  if (stdin.writableLength > bytes && !stdin.destroyed) await firstOf(stdin, 'drain', 'close')
}

async function readExit(context: StepContext, { exitCode, signalCode }: ChildProcess): Promise<AgentExit> {
  const endedAt = context.clock.now().getTime()
  const [stdoutTail, stderrTail] = [await tail(context, 'stdout'), await tail(context, 'stderr')]
  return { agent: context.run.agent.name, exitCode, signal: signalCode, endedAt, stdoutTail, stderrTail }
}

/** Kills processes that have the execution's mark. */
export function killStragglers(context: StepContext): Promise<void> {
  const { name, value } = executionMark(context)
  return killByEnvironment(name, value)
}

/** Appends an event to the conversation after everything has ended; its texts lose the secrets of the step. */
export async function appendEvent(context: StepContext, event: ConversationEvent): Promise<void> {
  const { file, sizeBytes } = await openAgentFile(context, EXECUTION_FILES.events)
  try {
    if (sizeBytes >= context.run.maxLogBytes) return
    const line = { at: context.clock.now().toISOString(), ...event }
    await file.appendFile(`${toRedactedJson(line, makeRedactor(context.secrets ?? []))}\n`)
  } finally {
    await file.close()
  }
}

async function tail(context: StepContext, name: 'stdout' | 'stderr'): Promise<string> {
  return (await readTailNoFollow(context.paths.execution, EXECUTION_FILES[name], TAIL_BYTES)).toString('utf8')
}
