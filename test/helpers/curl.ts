#!/usr/bin/env node
/** What docs/api.md uses of curl, for machines that have none: run as `curl` by test/api-page.slow.test.ts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    include: { type: 'boolean', short: 'i' },
    'no-buffer': { type: 'boolean', short: 'N' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    json: { type: 'string' },
    data: { type: 'string', short: 'd' },
    'data-binary': { type: 'string' },
    form: { type: 'string', short: 'F', multiple: true, default: [] },
    range: { type: 'string', short: 'r' },
    output: { type: 'string', short: 'o' },
    cookie: { type: 'string', short: 'b' },
    'cookie-jar': { type: 'string', short: 'c' },
  },
})

const url = new URL(`http://${positionals[0] ?? ''}`)
const { type, body } = await readBody()
const headers = new Map<string, string>([['Host', url.host]])
if (type !== undefined) headers.set('Content-Type', type)
if (values.range !== undefined) headers.set('Range', `bytes=${values.range}`)
if (values.cookie !== undefined) headers.set('Cookie', readFileSync(values.cookie, 'utf8'))
for (const header of values.header) {
  const [name = '', ...rest] = header.split(': ')
  const given = [...headers.keys()].find((known) => known.toLowerCase() === name.toLowerCase()) ?? name
  headers.set(given, rest.join(': '))
}
const method = values.request ?? (body === undefined ? 'GET' : 'POST')
if (body !== undefined) headers.set('Content-Length', String(body.length))
await print(await send())

async function readBody(): Promise<{ type?: string; body?: Buffer }> {
  if (values.form.length > 0) return readForm()
  const data = values.json ?? values['data-binary'] ?? values.data
  if (data === undefined) return {}
  const body = data.startsWith('@') ? readFileSync(data.slice(1)) : Buffer.from(data)
  return { body, type: values.json === undefined ? 'application/x-www-form-urlencoded' : 'application/json' }
}

async function readForm(): Promise<{ type: string; body: Buffer }> {
  const form = new FormData()
  for (const field of values.form) {
    const [name = '', path = ''] = field.split('=@')
    form.append(name, new Blob([readFileSync(path)]), basename(path))
  }
  const sent = new Response(form)
  return { type: sent.headers.get('Content-Type') ?? '', body: Buffer.from(await sent.arrayBuffer()) }
}

function send(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: Object.fromEntries(headers), agent: false }, resolve)
      .on('error', reject)
      .end(body)
  })
}

async function print(response: IncomingMessage): Promise<void> {
  if (values['cookie-jar'] !== undefined)
    writeFileSync(values['cookie-jar'], (response.headers['set-cookie'] ?? []).map((c) => c.split(';')[0]).join('; '))
  const kept: Buffer[] = []
  const emit = (chunk: Buffer): void =>
    void (values.output === undefined ? process.stdout.write(chunk) : kept.push(chunk))
  if (values.include === true) emit(Buffer.from(head(response)))
  for await (const chunk of response) emit(Buffer.from(chunk))
  if (values.output !== undefined) writeFileSync(values.output, Buffer.concat(kept))
}

function head({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
