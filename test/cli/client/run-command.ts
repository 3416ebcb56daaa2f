/** A command of the command line as a person calls it, against a server of the tests. */
import assert from 'node:assert/strict'
import { type ClientCommand, parseClientArguments } from '../../../cli/client-command.ts'
import { completeIds } from '../../../cli/client/short-ids.ts'
import type { OutputForm } from '../../../cli/client/output.ts'
import { chooseForm } from '../../../cli/client/select.ts'
import { openSession } from '../../../cli/client/session.ts'
import type { Style } from '../../../cli/client/style.ts'
import type { Terminal } from '../../../cli/command.ts'

export interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Circumstances {
  readonly ask?: Terminal['ask']
  readonly form?: OutputForm
  /** Absent: what goes to a program has none. */
  readonly style?: Partial<Style>
  readonly screens?: Pick<Terminal, 'outScreen' | 'errScreen'>
  readonly signal?: AbortSignal
  /** What has been printed so far, while the command goes on. */
  readonly seen?: { out: string; err: string }
}

/** @param given behind the command's name */
export async function runCommand(
  command: ClientCommand,
  given: readonly string[],
  server: string,
  {
    ask,
    form: asked,
    style,
    screens,
    signal = new AbortController().signal,
    seen = { out: '', err: '' },
  }: Circumstances = {},
): Promise<Result> {
  const parsed = parseClientArguments(command, given)
  assert.ok(parsed !== 'help')
  const { values } = parsed
  const flags = { output: values.get('output'), json: values.get('json'), jq: values.get('jq') }
  const form = asked ?? (await chooseForm(flags, command.prints))
  const terminal: Terminal = {
    out: (text) => void (seen.out += text),
    err: (text) => void (seen.err += text),
    ...screens,
    ...(ask === undefined ? {} : { ask }),
  }
  const warn = (text: string): void => terminal.err(`warning: ${text}\n`)
  const session = await openSession({ server, form, env: { SLIPWAY_TOKEN: 'unused-here' }, warn })
  const words = await completeIds(command, parsed.words, session, signal)
  const code = await command.run({
    ...parsed,
    words,
    session,
    terminal,
    style: { isTerminal: false, hasColor: false, ...style },
    signal,
  })
  return { code, ...seen }
}
