/**
 * A client of the Git LFS batch API with the transfer `basic` (git-lfs, docs/api/batch.md).
 *
 * git-lfs itself would obey .lfsconfig and the settings of the clone, which may name any server. Here the server is the one of
 * the repository's own URL. Its login is sent to that origin alone; where an answer sends elsewhere, that place gets the
 * headers which the answer gives for it, and none of them after a redirect to yet another one.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { asRecord, isJsonObject, parseObject } from '../../core/json.ts'
import { type AddressRule, guardedLookup, isAllowedAddress } from '../../lib/address-rule.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { type WayOut, readText, sendRequest } from '../../lib/outbound.ts'
import { PrivateAddress } from '../../lib/public-address.ts'
import { hostOf, parseUrl } from '../../lib/url.ts'
import type { LfsPointer } from '../../lib/git-lfs.ts'

/** Where the objects of a repository are, and how it is spoken to. */
export interface LfsServer {
  /** Such as `https://git.example/team/app.git/info/lfs`. */
  readonly url: URL
  /** Value of the header Authorization; undefined: none. */
  readonly authorization: string | undefined
  readonly wayTo: (url: URL) => Promise<WayOut>
  readonly signal: AbortSignal
  /** Hosts that nothing came from. Each further wait for one would take minutes from the time that the step has in all. */
  readonly silent: Set<string>
}

/** What the server says of one object. */
export interface LfsAnswer extends LfsPointer {
  /** What to do with it; of an upload nothing where the server has it. */
  readonly actions: Readonly<Partial<Record<'download' | 'upload' | 'verify', LfsAction>>>
  /** Why the server does nothing with it. */
  readonly error: string | undefined
}

export interface LfsAction {
  readonly href: URL
  readonly headers: Readonly<Record<string, string>>
}

/** The server refused, or gave what cannot be used. */
export class LfsFailed extends Error {
  override readonly name = 'LfsFailed'
  readonly code = 'LFS_FAILED'
  /** Whether the same may go well later. */
  readonly mayPass: boolean

  constructor(message: string, mayPass = false) {
    super(message)
    this.mayPass = mayPass
  }
}

const JSON_TYPE = 'application/vnd.git-lfs+json'
/** What servers take at once (git-lfs asks for as many). */
const BATCH = 100
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]
/** The server may be in a private network, as the repository may. Where clouds keep their metadata nothing is asked. */
const ADDRESSES: AddressRule = { allowPrivate: true }
/** Those that say how a message is sent are ours to choose. */
const OWN_HEADERS = /^(host|connection|content-length|transfer-encoding|expect|upgrade|te|trailer|proxy-.*)$/i

/** Asks what to do with objects. @throws LfsFailed; the signal's reason */
export async function askBatch(
  server: LfsServer,
  operation: 'download' | 'upload',
  pointers: readonly LfsPointer[],
): Promise<LfsAnswer[]> {
  const answers: LfsAnswer[] = []
  for (let at = 0; at < pointers.length; at += BATCH) {
    const objects = pointers.slice(at, at + BATCH).map(({ oid, size }) => ({ oid, size }))
    const body = JSON.stringify({ operation, transfers: ['basic'], objects, hash_algo: 'sha256' })
    const headers = { Accept: JSON_TYPE, 'Content-Type': JSON_TYPE }
    const href = new URL(`${server.url.href}/objects/batch`)
    const text = await readAnswer(await send(server, { href, headers }, { method: 'POST', body }))
    // One for each that was asked for: names become paths, and a size is how much of the disk may be used.
    const sizes = new Map(objects.map(({ oid, size }) => [oid, size]))
    for (const answer of readAnswers(text, server.url)) {
      const size = sizes.get(answer.oid)
      if (size !== undefined) answers.push({ ...answer, size })
      sizes.delete(answer.oid)
    }
  }
  return answers
}

/** The content of an object, still to be read. @throws LfsFailed; the signal's reason */
export function download(server: LfsServer, action: LfsAction): Promise<IncomingMessage> {
  return send(server, action, { method: 'GET' })
}

/** Sends the content of an object, and lets the server verify it where it wants to. @throws LfsFailed; the signal's reason */
export async function upload(
  server: LfsServer,
  { oid, size, actions }: LfsAnswer,
  action: LfsAction,
  body: Readable,
): Promise<void> {
  const headers = { 'Content-Type': 'application/octet-stream', ...action.headers, 'Content-Length': String(size) }
  await readAnswer(await send(server, { ...action, headers }, { method: 'PUT', body }))
  if (actions.verify === undefined) return
  const { href, headers: given } = actions.verify
  const typed = { Accept: JSON_TYPE, 'Content-Type': JSON_TYPE, ...given }
  const text = JSON.stringify({ oid, size })
  await readAnswer(await send(server, { href, headers: typed }, { method: 'POST', body: text }))
}

interface Message {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly body?: string | Readable
}

/** Sends to an address, and follows redirects of what can be asked again. Only success returns. */
async function send(server: LfsServer, action: LfsAction, { method, body }: Message): Promise<IncomingMessage> {
  let { href, headers } = action
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await request(server, { href, headers }, { method, ...(body === undefined ? {} : { body }) })
    const { statusCode: status = 0, headers: answered } = response
    if (status >= 200 && status < 300) return response
    const next = REDIRECTS.includes(status) ? parseUrl(answered.location ?? '', href) : undefined
    if (next === undefined || typeof body === 'object') return refuse(response, href)
    response.destroy()
    // Whoever redirects elsewhere may not pass on what was meant for this place.
    if (next.origin !== href.origin) headers = typeof body === 'string' ? pickTypes(headers) : {}
    href = requireSafe(next, server.url)
  }
  throw new LfsFailed(`${href.host} redirects more than ${MAX_REDIRECTS} times`)
}

function pickTypes(headers: LfsAction['headers']): LfsAction['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(accept|content-type)$/i.test(name)))
}

const SILENCE = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ECONNREFUSED']

async function request(server: LfsServer, { href, headers }: LfsAction, { method, body }: Message) {
  const host = hostOf(href)
  if (server.silent.has(href.host)) throw new LfsFailed(`${href.host} could not be reached before`, true)
  const own = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const isOurs = href.origin === server.url.origin && !own && server.authorization !== undefined
  const length = typeof body === 'string' ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
  const all = {
    'User-Agent': 'slipway',
    ...headers,
    ...length,
    ...(isOurs ? { Authorization: server.authorization } : {}),
  }
  try {
    if (isIP(host) !== 0 && !isAllowedAddress(host, ADDRESSES)) throw new PrivateAddress(host)
    const how = { method, headers: all, agent: false as const, lookup: guardedLookup(ADDRESSES), signal: server.signal }
    return await sendRequest(href, how, await server.wayTo(href), body)
  } catch (error) {
    server.signal.throwIfAborted()
    if (hasErrorCode(error, ...SILENCE)) server.silent.add(href.host)
    if (error instanceof Error) throw new LfsFailed(`${href.host} cannot be reached: ${error.message}`, true)
    throw error
  }
}

async function refuse(response: IncomingMessage, { host }: URL): Promise<never> {
  const { statusCode: status = 0 } = response
  const text = await readAnswer(response)
  const said = messageOf(text) ?? ''
  const hint = status === 404 ? ' (it has no Git LFS for this repository, or the credentials may not see it)' : ''
  throw new LfsFailed(
    `${host} answered ${status}${hint}${said === '' ? '' : `: ${said.slice(0, 300)}`}`,
    mayPass(status),
  )
}

function mayPass(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 507)
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  try {
    return await readText(response, MAX_ANSWER_BYTES, (problem) => new LfsFailed(`the LFS server: ${problem}`))
  } catch (error) {
    if (error instanceof LfsFailed || !(error instanceof Error)) throw error
    throw new LfsFailed(`the LFS server broke off: ${error.message}`, true)
  }
}

function messageOf(text: string): string | undefined {
  const { message } = parseObject(text)
  return typeof message === 'string' ? message : undefined
}

function readAnswers(text: string, server: URL): Omit<LfsAnswer, 'size'>[] {
  const { objects, transfer = 'basic' } = parseObject(text)
  if (!Array.isArray(objects)) throw new LfsFailed(`${server.host} answered with a page in place of Git LFS`)
  if (transfer !== 'basic')
    throw new LfsFailed(`${server.host} wants the transfer ${String(transfer)}; basic is known here`)
  return objects.filter(isJsonObject).flatMap((object) => {
    const { oid, actions, error } = object
    if (typeof oid !== 'string') return []
    const said = isJsonObject(error) ? `${String(error['code'])} ${String(error['message'])}`.slice(0, 300) : undefined
    const found = Object.entries(asRecord(actions)).flatMap(([name, action]) => {
      const read = readAction(action, server)
      return read === undefined ? [] : [[name, read] as const]
    })
    return [{ oid, error: said, actions: Object.fromEntries(found) }]
  })
}

function readAction(action: unknown, server: URL): LfsAction | undefined {
  if (!isJsonObject(action) || typeof action['href'] !== 'string') return undefined
  const href = parseUrl(action['href'], server)
  if (href === undefined) return undefined
  const headers = Object.entries(asRecord(action['header'])).flatMap(([name, value]) =>
    typeof value === 'string' && !OWN_HEADERS.test(name) ? [[name, value] as const] : [],
  )
  return { href: requireSafe(href, server), headers: Object.fromEntries(headers) }
}

/** @throws LfsFailed for another scheme, or for plain http where the server is reached by https */
function requireSafe(href: URL, server: URL): URL {
  if (href.protocol === 'https:' || (href.protocol === 'http:' && server.protocol === 'http:')) return href
  throw new LfsFailed(`${server.host} names an address of ${href.protocol.slice(0, -1)}, which is not used from there`)
}
