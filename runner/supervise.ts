import { once } from 'node:events'
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
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
import { tee } from './tee.ts'

/** What a process that escaped can hold us up by keeping the CLI's output open, at most. */
const DRAIN_MS = 5000

const TAIL_BYTES = 1024 * 1024

/** Why the CLI ended: by itself, or because we ended it. */
export type Ended = { readonly kind: 'exited'; readonly exit: AgentExit } | { readonly kind: 'timed_out' | 'cancelled' }

/**
 * Runs an agent's CLI to its end, or to the time-out or SIGTERM, and ends everything it started: its process group,
 * and what left the group but still carries the execution's id in its environment.
 */
export async function supervise(context: StepContext, { command, args, env }: AgentCommand): Promise<Ended> {
  const { run, paths, clock, signal } = context
  const stdout = await openLog(context, EXECUTION_FILES.stdout)
  const stderr = await openLog(context, EXECUTION_FILES.stderr)
  const child = startGroup(command, args, {
    cwd: paths.clone,
    env: { ...agentEnvironment(context), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined || child.stdout === null || child.stderr === null) throw await startFailure(child, command)
  const limit = { maxBytes: run.maxLogBytes, clock }
  const copied = Promise.all([
    tee(child.stdout, { ...limit, file: stdout, podLog: 1 }),
    tee(child.stderr, { ...limit, file: stderr, podLog: 2 }),
  ])
  const timer = new AbortController()
  const exited = once(child, 'exit')
  try {
    const ended = await Promise.race([
      exited.then(() => 'exited' as const),
      // A log that cannot be written (disk full) ends the run: going on would lose what the agent says.
      copied.then(() => exited.then(() => 'exited' as const)),
      delay(clock, run.timeoutSeconds * 1000, timer.signal).then(() => 'timed_out' as const),
      aborted(signal),
    ])
    const graceMs = ended === 'exited' ? 0 : KILL_GRACE_MS
    await endGroup(pid, { graceMs, clock })
    await killStragglers(run.execution)
    await Promise.race([copied, delay(clock, DRAIN_MS, timer.signal)])
    if (ended !== 'exited') return { kind: ended }
    const tails = { stdoutTail: await tail(context, 'stdout'), stderrTail: await tail(context, 'stderr') }
    return { kind: 'exited', exit: { exitCode: child.exitCode, signal: child.signalCode, ...tails } }
  } finally {
    timer.abort()
    await endGroup(pid, { graceMs: 0, clock })
    await Promise.all([stdout.close(), stderr.close()])
  }
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

async function startFailure(child: ReturnType<typeof startGroup>, command: string): Promise<unknown> {
  const [error]: unknown[] = await once(child, 'error').catch((reason: unknown) => [reason])
  if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'EACCES'))
    return new StepFailed('failed', `cannot start ${basename(command)}: it, its interpreter or the clone is missing`)
  return error
}

/** Appends: a second Job of the same execution goes on in the same file. A link planted in its place is refused. */
function openLog(context: StepContext, file: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  return inFolderNoFollow(context.paths.agentOutput, [], (folder) =>
    open(`${folder}/${basename(file)}`, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o644),
  )
}

async function tail(context: StepContext, name: 'stdout' | 'stderr'): Promise<string> {
  return (await readTailNoFollow(context.paths.execution, EXECUTION_FILES[name], TAIL_BYTES)).toString('utf8')
}
