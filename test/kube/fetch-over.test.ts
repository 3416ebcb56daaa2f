import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { fetchOver } from '../../kube/fetch-over.ts'

const ORIGIN = 'http://nowhere.example'

describe('fetch over connections that are opened for it', () => {
  let server: Server
  before(async () => {
    server = createServer((request, response) => void request.pipe(response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  it('brings bodies of any size whole, both ways', async () => {
    const { port } = server.address() as AddressInfo
    const client = fetchOver(ORIGIN, async () => connect(port, '127.0.0.1'))
    for (const size of [0, 1, 16_384, 3_000_000]) {
      const body = 'x'.repeat(size)
      assert.equal(await (await client.fetch(`${ORIGIN}/`, { method: 'POST', body })).text(), body)
    }
    await client.close()
  })

  it('rejects with why there is no connection', async () => {
    const client = fetchOver(ORIGIN, () => Promise.reject(new Error('the pod is gone')))
    const failed: unknown = await client.fetch(`${ORIGIN}/`, {}).catch((error: unknown) => error)
    assert.ok(failed instanceof TypeError && failed.cause instanceof Error)
    assert.equal(failed.cause.message, 'the pod is gone')
    await client.close()
  })
})
