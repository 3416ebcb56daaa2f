/** The program as it ships, started as a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { until } from './until.ts'

/** The built program, for `node`. */
export const PROGRAM = fileURLToPath(new URL('../../bin/slipway.js', import.meta.url))
/** The runner as it ships: as compiled, each of its steps would load a hundred files. */
export const RUNNER = fileURLToPath(new URL('../../bin/runner/runner.js', import.meta.url))

export interface StartedSlipway {
  readonly child: ChildProcess
  readonly url: string
  /** Everything printed on stdout and stderr so far. */
  output(): string
  /** Ends it as Ctrl-C does and gives the exit code. */
  stop(): Promise<number | null>
  /** Ends it without any chance to tidy up. */
  kill(): Promise<void>
}

function launch(
  args: readonly string[],
  env: Record<string, string>,
  { cwd, program = PROGRAM }: { readonly cwd?: string | undefined; readonly program?: string | undefined },
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text }
}

/** Starts `slipway <args>` and waits until it serves. @throws Error with its output when it ends before */
export async function startSlipway(
  args: readonly string[],
  env: Record<string, string> = {},
  program?: string,
): Promise<StartedSlipway> {
  const { child, output } = launch(args, env, { program })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        // An operator has no URL.
        if (/^ready( |$)/.test(line)) resolve(line.slice('ready '.length))
      })
    }
    child.on('exit', (code) => reject(new Error(`slipway ${args.join(' ')} ended with ${code}:\n${output()}`)))
  })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return { child, url, output, stop: () => end('SIGINT'), kill: async () => void (await end('SIGKILL')) }
}

/**
 * What a program has printed, once that has come: stdout and stderr have pipes of their own, the log is written behind
 * what it tells of, and the end of a process may be told before its last words.
 */
export async function printed({ output }: Pick<StartedSlipway, 'output'>, words: RegExp): Promise<RegExpExecArray> {
  await until(
    () => `it prints ${words}; so far it has printed\n${output()}`,
    () => words.test(output()),
  )
  const found = words.exec(output())
  if (found === null) throw new Error(`what was printed has changed: ${output()}`)
  return found
}

/** Runs `slipway <args>` to its end. */
export async function runSlipway(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = launch(args, env, { cwd })
  await once(child, 'close')
  return { code: child.exitCode, output: output() }
}
