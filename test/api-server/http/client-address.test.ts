import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { createClientAddress, InvalidProxy } from '../../../api-server/http/client-address.ts'

function addressOf(trusted: readonly string[], peer: string, forwardedFor?: string): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return createClientAddress(trusted)({ headers, socket })
}

describe('the address of a client', () => {
  const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']
  const cases: readonly [string, string, string | undefined, string][] = [
    ['is that of the connection', '203.0.113.9', undefined, '203.0.113.9'],
    ['is not what a stranger writes into X-Forwarded-For', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is what a trusted proxy saw', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is the last that no trusted proxy has', '10.1.2.3', '1.2.3.4, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['is that of the proxy where the header is missing', '10.1.2.3', undefined, '10.1.2.3'],
    ['is that of the proxy where the header holds no address', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['is the last proxy before a word that is no address', '10.1.2.3', '198.51.100.1, x, 10.9.9.9', '10.9.9.9'],
    ['is the first hop where all are trusted', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['is found behind an IPv6 proxy, port and brackets left out', 'fd12::1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['is found where an IPv4 address is written in IPv6', '::ffff:10.1.2.3', '198.51.100.1:80', '198.51.100.1'],
  ]
  for (const [title, peer, forwardedFor, client] of cases) {
    it(title, () => assert.equal(addressOf(proxies, peer, forwardedFor), client))
  }

  for (const range of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '10.0.0.0/x', '']) {
    it(`cannot be told with ${JSON.stringify(range)} as trusted proxy`, () => {
      assert.throws(() => createClientAddress([range]), InvalidProxy)
    })
  }
})
