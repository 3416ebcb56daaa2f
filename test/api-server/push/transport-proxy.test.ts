import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createPushTransport } from '../../../api-server/push/transport.ts'
import { systemClock } from '../../../lib/clock.ts'
import { proxyVariables } from '../../../lib/proxy-variables.ts'
import { aCertificate } from '../../helpers/certificate.ts'
import { startConnectProxy } from '../../helpers/connect-proxy.ts'

describe('a message to a push service behind a proxy', () => {
  it('goes through the proxy, but to no address of this network that stands in its URL', async () => {
    const pair = aCertificate('push.invalid')
    const bodies: string[] = []
    const service = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
      request.on('end', () => response.writeHead(201).end())
    })
    await once(service.listen(0, '127.0.0.1'), 'listening')
    const proxy = await startConnectProxy({ 'push.invalid:443': (service.address() as AddressInfo).port })
    const proxies = proxyVariables({ HTTPS_PROXY: proxy.url })
    const transport = createPushTransport({ clock: systemClock, allowPrivate: false, ca: pair.certificate, proxies })
    const post = (url: string) => {
      const request = { url: new URL(url), headers: { TTL: '60' }, body: Buffer.from('sealed') }
      return transport.post(request, new AbortController().signal)
    }
    try {
      assert.deepEqual(await post('https://push.invalid/one'), { kind: 'status', status: 201, retryAfter: undefined })
      assert.deepEqual(await post('https://10.0.0.1/one'), { kind: 'forbidden' })
      assert.deepEqual([bodies, proxy.asked], [['sealed'], ['push.invalid:443']])
    } finally {
      transport.close()
      await proxy.close()
      service.closeAllConnections()
      service.close()
    }
  })
})
