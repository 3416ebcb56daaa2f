import process from 'node:process'
import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import type { Screen, Terminal } from '../command.ts'

/** The streams of a process. */
export interface Streams {
  readonly stdin: ReadStream
  readonly stdout: WriteStream
  readonly stderr: WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Opens the terminal of this process. It can ask a person if stdin and stderr are terminals.
 *
 * @param exit called once, when what is printed cannot be written any more
 */
export function openTerminal(streams: Streams, exit: (code: number) => void): Terminal {
  const { stdin, stdout, stderr, env } = streams
  stdout.once('error', (error) => {
    // While a server stops, what else it prints fails the same way.
    stdout.on('error', () => undefined)
    // The reader has closed the pipe, as `| head` does.
    if ('code' in error && error.code === 'EPIPE') return exit(0)
    stderr.write(`slipway: what it prints cannot be written: ${error.message}\n`)
    exit(1)
  })
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    outScreen: screenOf(stdout, env),
    errScreen: screenOf(stderr, env),
    ...(stdin.isTTY && stderr.isTTY ? { ask: (question, signal) => askAt(streams, question, signal) } : {}),
  }
}

/** What some terminals that have just been opened say of themselves is a size of 0. */
const USUAL_SIZE = { width: 80, height: 24 }

function screenOf(stream: WriteStream, { TERM }: Streams['env']): Screen | undefined {
  if (!stream.isTTY || TERM === 'dumb') return undefined
  return {
    size: () => ({ width: stream.columns || USUAL_SIZE.width, height: stream.rows || USUAL_SIZE.height }),
    onResize(callback) {
      stream.on('resize', callback)
      return () => void stream.off('resize', callback)
    },
    onSuspend(leave, enter) {
      const suspend = (): void => {
        leave()
        process.kill(process.pid, 'SIGSTOP')
      }
      process.on('SIGTSTP', suspend).on('SIGCONT', enter).on('exit', leave)
      return () => void process.off('SIGTSTP', suspend).off('SIGCONT', enter).off('exit', leave)
    },
  }
}

/** Asks for one line; undefined after Ctrl-C. It does not use raw mode, so that Ctrl-C stays a signal. */
function askAt({ stdin, stderr }: Streams, question: string, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: stdin, terminal: false })
  stderr.write(question)
  const answered = new AbortController()
  return new Promise<string | undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { signal: answered.signal })
    lines.on('line', (line) => resolve(line.trim() === '' ? undefined : line))
    lines.on('close', () => resolve(undefined))
  }).finally(() => {
    answered.abort()
    lines.close()
  })
}
