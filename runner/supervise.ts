import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { EXECUTION_FILES } from '../core/execution/layout.ts'
import { delay } from '../lib/clock.ts'
import { hasErrorCode, inFolderNoFollow, readTailNoFollow } from '../lib/files.ts'
import { endGroup, findProcessesByEnvironment, signalProcess, startGroup } from '../lib/process.ts'
import type { AgentCommand, AgentExit } from './adapters/adapter.ts'
import { agentEnvironment, EXECUTION_VARIABLE } from './agent-environment.ts'
import type { StepContext } from './context.ts'
import { StepFailed } from './failure.ts'
import { KILL_GRACE_MS } from './limits.ts'
import type { TeeTarget } from './tee.ts'
import { tee } from './tee.ts'

/** What a process that escaped can hold us up by keeping the CLI's output open, at most. */
const DRAIN_MS = 5000

const TAIL_BYTES = 1024 * 1024

/** Why the CLI ended: by itself, or because we ended it. */
export type Ended = { readonly kind: 'exited'; readonly exit: AgentExit } | { readonly kind: 'timed_out' | 'cancelled' }

/**
 * Runs an agent's CLI to its end, or to the time-out or SIGTERM, and ends everything it started: its process group,
 * and what left the group but still carries the execution's id in its environment.
 *
 * @throws StepFailed when the command cannot be started.
 */
export async function supervise(context: StepContext, command: AgentCommand): Promise<Ended> {
  const stdout = await openLog(context, EXECUTION_FILES.stdout)
  const stderr = await openLog(context, EXECUTION_FILES.stderr)
  try {
    return await runLogged(context, command, { stdout, stderr })
  } finally {
    await Promise.all([stdout.file.close(), stderr.file.close()])
  }
}

type Log = Pick<TeeTarget, 'file' | 'sizeBytes'>

interface Logs {
  readonly stdout: Log
  readonly stderr: Log
}

async function runLogged(context: StepContext, { command, args, env }: AgentCommand, logs: Logs): Promise<Ended> {
  const { run, paths, clock } = context
  const child = startGroup(command, args, {
    cwd: paths.clone,
    env: { ...agentEnvironment(context), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid, stdout, stderr } = child
  if (pid === undefined || stdout === null || stderr === null) throw await startFailure(child, command)
  const exited = once(child, 'exit')
  const limit = { maxBytes: run.maxLogBytes, clock }
  const copied = Promise.all([
    tee(stdout, { ...limit, ...logs.stdout, podLog: 1 }),
    tee(stderr, { ...limit, ...logs.stderr, podLog: 2 }),
  ])
  const timers = new AbortController()
  try {
    const ended = await firstEnd(context, exited, copied, timers.signal)
    await endGroup(pid, { graceMs: ended === 'exited' ? 0 : KILL_GRACE_MS, clock })
    await killStragglers(run.execution)
    await Promise.race([copied, delay(clock, DRAIN_MS, timers.signal)])
    return ended === 'exited' ? { kind: ended, exit: await readExit(context, child) } : { kind: ended }
  } finally {
    timers.abort()
    await endGroup(pid, { graceMs: 0, clock })
  }
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
  const [stdoutTail, stderrTail] = [await tail(context, 'stdout'), await tail(context, 'stderr')]
  return { exitCode, signal: signalCode, stdoutTail, stderrTail }
}

/** Ends what carries the execution's id, again and again until a look finds nothing new: it may be forking. */
async function killStragglers(execution: string): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const pids = await findProcessesByEnvironment(EXECUTION_VARIABLE, execution)
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
