/** Uploads as they look on the wire, also such as no client library would send. */
import { once } from 'node:events'
import { connect } from 'node:net'

export const BOUNDARY = 'xBOUNDARYx'

/** One part of a multipart body; `disposition` as sent, after `form-data; `. */
export function part(disposition: string, content: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

export function filePart(name: string, content: string | Buffer): Buffer {
  return part(`name="file"; filename="${name}"`, content)
}

/** A whole multipart body of these parts. */
export function multipart(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

export interface RawAnswer {
  readonly status: number
  /** Head and body as they came. */
  readonly text: string
}

/** A connection that sends what it is told, byte for byte. */
export async function openRaw(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk) => chunks.push(chunk))
  // The server may close while we still send; what it said before counts.
  socket.on('error', () => undefined)
  const closed = once(socket, 'close').then(() => void (isClosed = true))
  await once(socket, 'connect')
  return {
    socket,
    /** Resolves when the server has closed the connection. */
    async answer(): Promise<RawAnswer> {
      await closed
      const text = Buffer.concat(chunks).toString()
      return { status: Number(text.slice(9, 12)), text }
    },
    received: () => Buffer.concat(chunks).toString(),
    isClosed: () => isClosed,
    /** The connection is reset, as when a laptop's lid is closed. */
    abandon: () => void socket.resetAndDestroy(),
  }
}

/** Head of an upload of so many bytes. */
export function uploadHead(bytes: number): string {
  return [
    'POST /api/drops HTTP/1.1',
    'Host: 127.0.0.1',
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${bytes}`,
    '',
    '',
  ].join('\r\n')
}
