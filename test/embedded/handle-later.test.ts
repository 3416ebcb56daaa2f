import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { handleLater } from '../../embedded/server.ts'
import { makeLogger } from '../../lib/log.ts'

describe('embedded: the first requests, while what answers them is loaded', () => {
  it('are answered once it is, but those of clients that have gone', async () => {
    const asked: (string | undefined)[] = []
    let loaded: (made: RequestListener) => void = () => undefined
    const handler = new Promise<RequestListener>((resolve) => (loaded = resolve))
    const handle = handleLater(() => handler, makeLogger('silent'))
    const server = createServer(handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const gone = connect(port, '127.0.0.1').on('error', () => undefined)
    gone.write('GET /gone HTTP/1.1\r\nHost: a\r\n\r\n')
    const [, response] = await once(server, 'request')
    gone.destroy()
    await once(response, 'close')
    const stays = fetch(`http://127.0.0.1:${port}/stays`)
    await once(server, 'request')
    loaded((request, reply) => {
      asked.push(request.url)
      reply.setHeader('Connection', 'close').end()
    })
    assert.equal((await stays).status, 200)
    assert.deepEqual(asked, ['/stays'])
    server.close()
    await once(server, 'close')
  })
})
