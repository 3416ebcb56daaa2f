/** The drop directory: files that people hand to agents, and agents to people. */
import { openAsBlob } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import process from 'node:process'
import type { Drop } from '../../core/rest/client/client.ts'
import { findDropNameProblem } from '../../core/drop-name.ts'
import { systemClock } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { ClientCommand, ClientInvocation } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import type { Style } from '../client/style.ts'
import { ageOf } from '../client/text.ts'
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
    { name: 'to', kind: 'text', value: 'file', description: 'Of get: where to write it; - is stdout' },
    { name: 'force', kind: 'boolean', description: 'Of get: replace a file that is there' },
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
  const rows = drops.map(({ name, size, modified_at }) => [name, String(size), ageOf(modified_at, now)])
  return rows.length === 0
    ? 'No files. Put one there: slipway drops put <file>\n'
    : table(['NAME', 'BYTES', 'AGE'], rows, style)
}

async function get({ session, terminal, signal, values, switches }: ClientInvocation, name: string): Promise<void> {
  const to = values.get('to') ?? basename(name)
  const bytes = new Uint8Array(await session.api.getDrop({ params: { filename: name } }, { signal }))
  if (to === '-') {
    process.stdout.write(bytes)
    return
  }
  try {
    await writeFile(to, bytes, { flag: switches.has('force') ? 'w' : 'wx' })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
    throw new UsageError(`drops: ${to} is there already: --force replaces it, --to names another file`, {
      cause: error,
    })
  }
  terminal.err(`${name}: ${bytes.length} bytes in ${to}\n`)
}

/** All in one request: so all of them are there, or none is. */
async function put({ session, terminal, signal, style }: ClientInvocation, files: readonly string[]): Promise<void> {
  const form = new FormData()
  for (const file of files) {
    const name = basename(file)
    const problem = findDropNameProblem(name)
    if (problem !== undefined) throw new UsageError(`drops: the name of ${file} ${problem}`)
    form.append('file', await openFile(file), name)
  }
  const drops = await session.api.uploadDrops({ raw: form }, { signal })
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
