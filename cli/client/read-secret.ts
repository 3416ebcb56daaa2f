/** Reads a secret: never from the arguments, which other users of the machine can see. */
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { type Readable, Writable } from 'node:stream'

/** Those of a process, or like them. */
export interface SecretStreams {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Pick<Writable, 'write'>
}

/**
 * Asks for a line without showing it if stdin is a terminal; otherwise it is all of stdin.
 *
 * @returns without white space around it; undefined if there is none, or after Ctrl-C
 */
export async function readSecret(
  { stdin, stderr }: SecretStreams,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const secret = (stdin.isTTY ? await readUnseen({ stdin, stderr }, question, signal) : await text(stdin)).trim()
  return secret === '' ? undefined : secret
}

/** With an output, readline sets raw mode, so the terminal shows nothing itself; the output shows nothing either. */
async function readUnseen({ stdin, stderr }: SecretStreams, question: string, signal: AbortSignal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  stderr.write(question)
  const answered = new AbortController()
  return new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve(''), { signal: answered.signal })
    lines.on('line', resolve)
    lines.on('SIGINT', () => resolve(''))
    lines.on('close', () => resolve(''))
  }).finally(() => {
    answered.abort()
    lines.close()
    stderr.write('\n')
  })
}
