import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toRemote } from '../../../api-server/deployment/remote.ts'
import { git } from '../../../lib/git.ts'

describe('a mirror of what a proxy leads to', () => {
  let proxy: Server
  let asked: (string | undefined)[]
  beforeEach(async () => {
    asked = []
    proxy = createServer(({ url }, response) => {
      asked.push(url)
      response.writeHead(404).end()
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => void proxy.close())

  it('is never asked directly, where git would take an exception for it that we do not', async () => {
    const { port } = proxy.address() as AddressInfo
    const proxies = { http_proxy: `http://127.0.0.1:${port}`, no_proxy: 'inside.invalid' }
    const { url, options } = await toRemote('http://inside.invalid./a.git', { allowPrivate: false, proxies })
    await assert.rejects(git(['ls-remote', url], options))
    assert.match(asked[0] ?? 'nobody', /^http:\/\/inside\.invalid\.\/a\.git\/info\/refs/)
  })
})
