import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { constants, tmpdir } from 'node:os'
import { type Clock, delay } from '../../lib/clock.ts'
import { startPiped } from '../../lib/output-pipes.ts'
import { endGroup, startGroup } from '../../lib/process.ts'

export interface ScriptCommand {
  readonly path: string
  readonly args: readonly string[]
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export interface ScriptEnd {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Specification §8.26. */
const MAX_OUTPUT_BYTES = 1024 * 1024
const GRACE_MS = 2000
const LAST_OUTPUT_MS = 1000

/**
 * Runs a command to its end, or to that of `timeoutMs`: then its whole process group is ended, and so is what it left
 * running when it ended by itself.
 *
 * @returns undefined when the time was over
 * @throws the system's error when it cannot be started
 */
export async function runCommand(
  command: ScriptCommand,
  timeoutMs: number,
  clock: Clock,
): Promise<ScriptEnd | undefined> {
  const { path, args, cwd, env } = command
  const {
    child,
    stdout: printed,
    stderr: warned,
  } = await startPiped(tmpdir(), (...outputs) => startGroup(path, args, { cwd, env, stdio: ['ignore', ...outputs] }))
  const output = Promise.all([collect(printed), collect(warned)])
  // Waited for at the end alone: a failure before that is not unheard.
  output.catch(() => undefined)
  const exited = once(child, 'exit')
  const { pid } = child
  let isLate = false
  let ending: Promise<void> | undefined
  const end = (): Promise<void> =>
    pid === undefined ? Promise.resolve() : (ending ??= endGroup(pid, { graceMs: GRACE_MS, clock }))
  const cancel = clock.schedule(timeoutMs, () => {
    isLate = true
    // Waited for again when it has exited: what fails here is tried again there, and throws.
    end().catch(() => (ending = undefined))
  })
  try {
    const [code, signal]: unknown[] = await exited
    cancel()
    await end()
    if (isLate) return undefined
    // A process that left the group may hold the pipes open for ever; what it writes later is not this script's.
    await Promise.race([output, delay(clock, LAST_OUTPUT_MS)])
    printed.destroy()
    warned.destroy()
    const [stdout, stderr] = await output
    return { exitCode: toExitCode(code, signal), stdout, stderr }
  } finally {
    cancel()
    printed.destroy()
    warned.destroy()
  }
}

/** As a shell says it: 128 and the signal's number. */
function toExitCode(code: unknown, signal: unknown): number {
  if (typeof code === 'number') return code
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1]
  return 128 + (number ?? 0)
}

/** What comes up to the limit; the rest is read and thrown away, so that the writer does not block. */
async function collect(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  stream.on('data', (chunk: Buffer) => {
    if (sizeBytes < MAX_OUTPUT_BYTES) chunks.push(chunk.subarray(0, MAX_OUTPUT_BYTES - sizeBytes))
    sizeBytes += chunk.length
  })
  await once(stream, 'close')
  return Buffer.concat(chunks).toString('utf8')
}
