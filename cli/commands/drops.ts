/** The drop directory: files that people hand to agents, and agents to people. */
import { ageOf, countOf, formatSize } from '../../core/sentences/amounts.ts'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import type { Drop } from '../../core/rest/client/client.ts'
import { OPERATIONS } from '../../core/rest/client/operations.ts'
import { findDropNameProblem } from '../../core/drop-name.ts'
import { systemClock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import { type Counted, counted, transferText, withProgress } from '../client/progress.ts'
import { checkIsFree, receiveFile } from '../client/receive-file.ts'
import type { Style } from '../client/style.ts'
import { UsageError } from '../command.ts'

export const dropsCommand: ClientCommand = {
  kind: 'client',
  name: 'drops',
  summary: 'List the files that agents and people drop, fetch one, or put some there',
  details: [
    'slipway drops                  lists them, newest first',
    'slipway drops get <name>       writes one into the current folder, or where --to says; --to - prints it',
    'slipway drops put <file>...    stores files there; one of the same name is replaced',
  ].join('\n'),
  examples: ['slipway drops', 'slipway drops put page.html', 'slipway drops get page.html --to -'],
  words: [
    { name: 'action', isOptional: true },
    { name: 'file', isOptional: true, isRepeated: true },
  ],
  prints: 'drop',
  flags: [
    { name: 'to', value: 'file', description: 'Of get: where to write it; - is stdout' },
    { name: 'force', description: 'Of get: replace a file that is there' },
  ],
  async run(invocation) {
    const [action = 'list', ...files] = invocation.words
    if (action === 'list' && files.length === 0) await list(invocation)
    else if (action === 'get' && files.length === 1) await get(invocation, files[0] ?? '')
    else if (action === 'put' && files.length > 0) await put(invocation, files)
    else
      throw new UsageError('drops: type  drops,  drops get <name>  or  drops put <file>...\nSee: slipway drops --help')
    return 0
  },
}

async function list({ session, terminal, signal, style }: ClientInvocation): Promise<void> {
  const drops = await session.api.listDrops({ query: { limit: 1000 } }, { signal })
  print(terminal, session.form, drops, () => listing(drops, style))
}

function listing(drops: readonly Drop[], style: Style): string {
  const now = systemClock.now()
  const rows = drops.map(({ name, size, modified_at }) => [name, formatSize(size), ageOf(modified_at, now)])
  return rows.length === 0
    ? 'No files. Put one there: slipway drops put <file>\n'
    : table(['NAME', 'SIZE', 'AGE'], rows, style)
}

async function get(invocation: ClientInvocation, name: string): Promise<void> {
  const { terminal, values, switches, signal } = invocation
  const to = values.get('to') ?? basename(name)
  if (to === '-')
    return receive(aside(invocation), name, ({ stream }) => pipeline(stream, process.stdout, { end: false }))
  const isReplaced = switches.has('force')
  let count = 0
  try {
    if (!isReplaced) await checkIsFree(to)
    await receive(invocation, name, async (bytes) => {
      await receiveFile(bytes.stream, { path: to, isReplaced, signal })
      count = bytes.count()
    })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
    throw new UsageError(`drops: ${to} is there already: --force replaces it, --to names another file`, {
      cause: error,
    })
  }
  terminal.err(`${name}: ${formatSize(count)} in ${to}\n`)
}

/** Without a line in the middle of what is printed on the same terminal. */
function aside(invocation: ClientInvocation): ClientInvocation {
  const { terminal } = invocation
  return terminal.outScreen === undefined
    ? invocation
    : { ...invocation, terminal: { ...terminal, errScreen: undefined } }
}

/** Asks for a file, and shows how much of it has come while `take` takes it. */
async function receive(
  { session, terminal, signal }: ClientInvocation,
  name: string,
  take: (bytes: Counted) => Promise<void>,
): Promise<void> {
  let total: number | undefined
  const onHeaders = (headers: Headers): void => {
    // What was compressed on the way is longer than that.
    const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length')
    total = length === null ? undefined : Number(length)
  }
  const call = { ...OPERATIONS.getDrop, params: { filename: name } }
  const bytes = counted(await session.transport.stream(call, { signal, onHeaders }))
  await withProgress(
    { terminal, form: session.form, clock: systemClock },
    (elapsed) => transferText(name, bytes.count(), total, elapsed),
    () => take(bytes),
  )
}

/** All in one request: so all of them are there, or none is. */
async function put({ session, terminal, signal, style }: ClientInvocation, files: readonly string[]): Promise<void> {
  const form = new FormData()
  // What the form has beside the content of its files.
  const frame = new FormData()
  let total = 0
  for (const file of files) {
    const name = basename(file)
    const problem = findDropNameProblem(name)
    if (problem !== undefined) throw new UsageError(`drops: the name of ${file} ${problem}`)
    const content = await openFile(file)
    total += content.size
    form.append('file', content, name)
    frame.append('file', new Blob([]), name)
  }
  // Response, of fetch, knows how to write a form.
  const { body, headers } = new Response(form)
  const bytes = counted(body ?? new Blob([]).stream())
  const length = (await new Response(frame).arrayBuffer()).byteLength + total
  const sent = { 'Content-Type': headers.get('Content-Type') ?? '', 'Content-Length': String(length) }
  const what = files.length === 1 ? basename(files[0] ?? '') : countOf(files.length, 'file')
  const drops = await withProgress(
    { terminal, form: session.form, clock: systemClock },
    (elapsed) => transferText(what, Math.min(total, bytes.count()), total, elapsed),
    () => session.api.uploadDrops({ raw: bytes.stream }, { signal, headers: sent }),
  )
  print(terminal, session.form, drops, () => listing(drops, style))
}

/** Read while it is sent. @throws UsageError for what is no file */
async function openFile(file: string): Promise<Blob> {
  const isFile = await stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  )
  if (!isFile) throw new UsageError(`drops: there is no file ${file}`)
  return openAsBlob(file)
}
