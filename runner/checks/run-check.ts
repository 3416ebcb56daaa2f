/**
 * Runs the program of a check in its checkout, and ends all that it leaves behind.
 *
 * That program was written by an agent, as far as it runs tests. It may kill this process, and forge the verdict of its own
 * check; its container has nothing else to reach.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckVerdict } from '../../core/execution/checks.ts'
import { CHECK_FILES } from '../../core/execution/layout.ts'
import { authorityVariables, offerAuthorities } from '../../lib/authorities.ts'
import { delay } from '../../lib/clock.ts'
import { startPipedTogether } from '../../lib/output-pipes.ts'
import {
  CONTAINER_OFFSPRING_VARIABLE,
  CONTAINER_VARIABLE,
  endGroup,
  killByEnvironment,
  startGroup,
} from '../../lib/process.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { writeScript } from '../adapters/script.ts'
import type { StepContext } from '../context.ts'
import { isVolumeFull } from '../full-volume.ts'
import { KILL_GRACE_MS } from '../limits.ts'
import { keepOutput } from './output.ts'
import { messageOf } from '../../lib/error-message.ts'

/** What is run, and where. */
export interface CheckProgram {
  readonly script: string
  readonly timeoutSeconds: number
  readonly repo: string
  readonly home: string
  /** The folder of its output and its verdict. */
  readonly results: string
}

/** How it ended. */
export type CheckEnd = Pick<CheckVerdict, 'exitCode' | 'reason'> & {
  readonly state: 'Passed' | 'Failed' | 'TimedOut'
}

/** Everything that a check starts inherits it; the value is its folder of results, absolute. */
const MARK = 'CHECK_RESULTS'

/** How long the output is waited for that a process holds open which nobody finds. */
const DRAIN_MS = 5000

/** @throws the signal's reason; the system's error */
export async function runCheck(context: StepContext, program: CheckProgram): Promise<CheckEnd> {
  const { clock, signal, tmp } = context
  const { results, repo, timeoutSeconds } = program
  await offerAuthorities(context)
  const path = join(results, CHECK_FILES.output)
  await removeTree(path)
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND, 0o640)
  const timers = new AbortController()
  try {
    const { command, args } = await writeScript(tmp, program.script)
    const env = await checkEnvironment(context, program)
    const { child, output } = await startPipedTogether(tmp, (...outputs) =>
      startGroup(command, args, { cwd: repo, env, stdio: ['ignore', ...outputs] }),
    )
    const { pid } = child
    if (pid === undefined) return { state: 'Failed', reason: await startFailure(child) }
    const exited = once(child, 'exit')
    const kept = keepOutput(output, file)
    // Whoever waits for it comes later.
    kept.catch(() => undefined)
    try {
      const end = await firstOf(context, exited, timeoutSeconds * 1000, timers.signal)
      await endGroup(pid, { graceMs: end === 'exited' ? 0 : KILL_GRACE_MS, clock })
      // What has left the group.
      await killByEnvironment(MARK, results)
      const hasRoom = await Promise.race([kept, delay(clock, DRAIN_MS, timers.signal)])
      signal.throwIfAborted()
      const told = end === 'exited' ? readExit(child) : { state: 'TimedOut' as const }
      return hasRoom === false || (told.state === 'Failed' && (await isVolumeFull(context)))
        ? { ...told, reason: withFullDisk(told.reason) }
        : told
    } finally {
      await endGroup(pid, { graceMs: 0, clock })
    }
  } finally {
    timers.abort()
    await file.close()
  }
}

async function startFailure(child: ChildProcess): Promise<string> {
  const [error] = await once(child, 'error')
  return `its program cannot be started: ${messageOf(error)}`
}

async function firstOf(
  { clock, signal }: StepContext,
  exited: Promise<unknown>,
  timeoutMs: number,
  done: AbortSignal,
): Promise<'exited' | 'timed_out' | 'cancelled'> {
  if (signal.aborted) return 'cancelled'
  return Promise.race([
    exited.then(() => 'exited' as const),
    delay(clock, timeoutMs, done).then(() => 'timed_out' as const),
    once(signal, 'abort', { signal: done }).then(() => 'cancelled' as const, ignoreAbort),
  ])
}

/** Nobody waits any more. */
function ignoreAbort(): 'cancelled' {
  return 'cancelled'
}

function readExit({ exitCode, signalCode }: ChildProcess): CheckEnd {
  if (exitCode === 0) return { state: 'Passed', exitCode }
  if (exitCode !== null) return { state: 'Failed', exitCode }
  return { state: 'Failed', reason: `ended by ${signalCode ?? 'a signal'}` }
}

function withFullDisk(reason: string | undefined): string {
  const full = 'the disk was full while it ran'
  return reason === undefined ? full : `${reason}; ${full}`
}

/** What of the container's environment is the runner's own. */
const OWN = /^(?:SLIPWAY_|NODE_CONTAINER_|TERMINATION_MESSAGE_PATH$)/

/** A check has no credential, so that it sees all of its container's environment. */
async function checkEnvironment(
  context: StepContext,
  { home, results }: CheckProgram,
): Promise<Record<string, string>> {
  const { env, run, tmp } = context
  const folder = join(tmp, 'tmp')
  await mkdir(folder)
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || (OWN.test(name) && run.passEnv?.includes(name) !== true) ? [] : [[name, value] as const],
  )
  const container = env[CONTAINER_VARIABLE]
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...Object.fromEntries(given),
    ...authorityVariables(context),
    HOME: home,
    TMPDIR: folder,
    [MARK]: results,
    ...(container === undefined ? {} : { [CONTAINER_OFFSPRING_VARIABLE]: container }),
  }
}
