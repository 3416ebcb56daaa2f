import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text as readAll } from 'node:stream/consumers'
import type { Call } from '../../core/rest/client/call.ts'
import { parseJson } from '../../core/json.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { ClientCommand } from '../client-command.ts'
import { print } from '../client/output.ts'
import { printable } from '../client/text.ts'
import { UsageError } from '../command.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
type Method = (typeof METHODS)[number]

/** What no command covers; as `gh api` and `kubectl get --raw`. */
export const apiCommand: ClientCommand = {
  kind: 'client',
  name: 'api',
  summary: 'Send a request to the REST API and print its answer',
  details:
    'The method is GET, or POST when there is something to send. Fields become a JSON object; with GET they go into the query. docs/api.md lists the routes.',
  examples: ['slipway api /api/stats?window=7d', 'slipway api -X PUT /api/tasks/add-login -F priority=5'],
  words: [{ name: 'path' }],
  flags: [
    { name: 'method', short: 'X', value: 'method', description: METHODS.join(', ') },
    {
      name: 'field',
      short: 'F',
      isRepeated: true,
      value: 'key=value',
      description: 'A field; numbers, true, false, null, objects and lists are read as JSON, the rest as text',
    },
    { name: 'input', value: 'file', description: 'JSON to send, from a file or, with -, from stdin' },
  ],
  async run({ session, terminal, signal, style, words: [path = ''], values, lists }) {
    const fields = readFields(lists.get('field') ?? [])
    const input = await readInput(values.get('input'))
    if (fields !== undefined && input !== undefined) throw new UsageError('give either --field or --input')
    const call = toCall(values.get('method'), path, input ?? fields, input === undefined)
    const answer = await session.transport.text(call, { signal })
    const json = parseJson(answer)
    if (typeof json === 'object' && json !== null)
      print(terminal, session.form === 'table' ? 'json' : session.form, json, () => '')
    else terminal.out(style.isTerminal ? printable(answer) : answer)
    return 0
  },
}

function toCall(given: string | undefined, path: string, body: object | undefined, isQuery: boolean): Call {
  const method = readMethod(given ?? (body === undefined ? 'GET' : 'POST'))
  // Two slashes begin the name of another host, which must not get the token; a URL drops control characters.
  if (!/^\/(?![/\\])/.test(path) || /\p{Cc}/u.test(path))
    throw new UsageError(
      `api: the path must begin with one slash, such as /api/tasks, and hold no control characters, not ${JSON.stringify(path)}`,
    )
  // Braces name parameters, of which there are none here.
  const call = { method, path: path.replaceAll('{', '%7B').replaceAll('}', '%7D') }
  if (body === undefined) return call
  return method === 'GET' && isQuery ? { ...call, query: body } : { ...call, body }
}

function readMethod(text: string): Method {
  const method = METHODS.find((known) => known === text.toUpperCase())
  if (method === undefined)
    throw new UsageError(`--method must be one of ${METHODS.join(', ')}, not ${JSON.stringify(text)}`)
  return method
}

function readFields(given: readonly string[]): object | undefined {
  if (given.length === 0) return undefined
  return Object.fromEntries(
    given.map((field) => {
      const at = field.indexOf('=')
      if (at <= 0) throw new UsageError(`--field must be key=value, not ${JSON.stringify(field)}`)
      const value = field.slice(at + 1)
      const json = parseJson(value)
      return [field.slice(0, at), json === undefined ? value : json]
    }),
  )
}

async function readInput(file: string | undefined): Promise<object | undefined> {
  if (file === undefined) return undefined
  const json = parseJson(file === '-' ? await readAll(process.stdin) : await readText(file))
  if (typeof json !== 'object' || json === null) throw new UsageError(`--input: ${file} is no JSON object`)
  return json
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    throw new UsageError(`--input: there is no file ${file}`, { cause: error })
  }
}
