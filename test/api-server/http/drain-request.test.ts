import assert from 'node:assert/strict'
import { readToEnd, openSocket, statusesOf } from './raw-http.ts'
import { type Rig, startRig } from '../rig.ts'
import { filePart, uploadHead } from '../drops/uploads.ts'

/** More than the buffers of a connection hold, so the client is still sending when it is refused. */
const LARGE = 30_000_000

describe('an upload that is refused before its end', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const sendAll = async (...parts: readonly (string | Buffer)[]): Promise<{ text: string; isWhole: boolean }> => {
    const socket = await openSocket(api.url)
    let isWhole = true
    socket.on('error', () => (isWhole = false))
    for (const part of parts) socket.write(part)
    return { text: await readToEnd(socket), isWhole }
  }

  it('is told why, on a connection that is not reset while it still sends', async () => {
    const body = filePart('../x', Buffer.alloc(LARGE))
    const drop = await sendAll(uploadHead(body.length), body)
    assert.deepEqual([statusesOf(drop.text), drop.isWhole], [[400], true])
    assert.match(drop.text, /must be one path segment/)

    const head = `POST /api/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
    const json = await sendAll(`${head}Content-Length: ${LARGE}\r\n\r\n`, Buffer.alloc(LARGE, ' '))
    assert.deepEqual([statusesOf(json.text), json.isWhole], [[413], true])
    assert.match(json.text, /larger than 1048576 bytes/)
  })

  it('gets its answer at once when it sends no more, and then the connection ends', async () => {
    const { text } = await sendAll(uploadHead(LARGE), filePart('.hidden', 'x'))
    assert.deepEqual(statusesOf(text), [400])
    assert.match(text, /\r\nConnection: close\r\n/)
  })
})
