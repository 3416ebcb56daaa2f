/** HTTP as no proper client would send it: headers that fetch keeps to itself, and bytes straight onto a socket. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { type Socket, connect } from 'node:net'
import type { JsonValue } from '../../../embedded/schema/json.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: JsonValue | undefined
}

/** One request with exactly these headers, Host and Origin too. */
export async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  body?: string,
): Promise<RawAnswer> {
  const request = httpRequest(url, { headers, method }).end(body)
  const [response] = await once(request, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const isJson = String(response.headers['content-type']).includes('json') && text !== ''
  return { status: response.statusCode, headers: response.headers, body: isJson ? JSON.parse(text) : undefined }
}

/** A connection that is closed with the test that opened it. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Sends these bytes and gives everything that comes back until the server closes the connection. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(url)
  socket.write(bytes)
  return readToEnd(socket)
}

/** What the server still says on a connection until it closes it. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  if (!socket.closed) await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

/** The statuses of all answers in a raw text, in their order. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
}
