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

  it('are cut where that fails, and the next one is answered', async () => {
    const loads = [
      () => Promise.reject(new Error('no such file')),
      () => Promise.resolve<RequestListener>((_, reply) => void reply.setHeader('Connection', 'close').end()),
    ]
    const handle = handleLater(() => loads.shift()?.() ?? assert.fail('loaded again'), makeLogger('silent'))
    const server = createServer(handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
    for (const _ of ['loads', 'is loaded']) assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200)
    server.close()
    await once(server, 'close')
  })
})
