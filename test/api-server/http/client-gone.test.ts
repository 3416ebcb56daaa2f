import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import Koa from 'koa'
import { errors } from '../../../api-server/http/middleware/errors.ts'
import type { RequestState } from '../../../api-server/http/middleware/state.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'

describe('a request whose client goes away', () => {
  it('leaves no error in the log', async () => {
    const lines: string[] = []
    const logger = makeLogger('debug', { write: (line: string) => void lines.push(line) })
    const app = new Koa<RequestState>()
    const handled = new Promise<void>((resolve) => {
      app.use(async (_, next) => {
        await next()
        resolve()
      })
    })
    app.use(errors(logger, systemClock))
    app.use(async ({ req }) => {
      for await (const _ of req);
    })
    const server = app.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf', () => socket.destroy())
    await handled
    server.close()
    assert.match(lines.join(), /the client went away/)
    assert.doesNotMatch(lines.join(), /"level":50/)
  })
})
