/** Starts programs and waits for the line that says they serve. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface Program {
  readonly process: ChildProcess
  /** What came after `ready` on its first such line. */
  readonly url: string
  readonly startMs: number
  stop(): Promise<void>
}

const here = fileURLToPath(new URL('.', import.meta.url))

/** The program as it ships. */
export const SLIPWAY = `${here}../bin/slipway.js`

/** A program of this folder, as compiled. */
export function benchProgram(name: string): string {
  return `${here}${name}.js`
}

/**
 * @param variables of its environment, beside our own
 * @throws Error when the program ends before it is ready
 */
export async function startProgram(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const startedAt = performance.now()
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  // A bench that fails half way leaves nothing running.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) {
    if (!line.startsWith('ready')) continue
    const startMs = performance.now() - startedAt
    child.stdout.resume()
    return { process: child, url: line.slice('ready '.length), startMs, stop: () => stopProgram(child) }
  }
  throw new Error(`${args.join(' ')} ended before it was ready`)
}

async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const TELL_PROCESSOR_TIME = `import { writeSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeSync(3, String(user + system))
})`

/**
 * Processor time of a run of Node from its start to its exit, whatever its exit code, in milliseconds.
 *
 * @param variables of its environment, beside our own
 */
export async function processorMsOfRun(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const hook = `data:text/javascript,${encodeURIComponent(TELL_PROCESSOR_TIME)}`
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const
  const child = spawn(process.execPath, ['--import', hook, ...args], {
    stdio: [...stdio],
    env: { ...process.env, ...variables },
  })
  const told = child.stdio[3]
  if (!(told instanceof Readable)) throw new Error('the pipe of the run cannot be read')
  return Number(await text(told)) / 1000
}

/** Processor time that a process has used so far, in seconds, of a process on Linux; its clock ticks a hundred times a second. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  // utime and stime, counted from the state that follows the name in brackets (proc(5)).
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory in MB (10⁶ bytes), of a process on Linux. */
export function residentMB(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}
