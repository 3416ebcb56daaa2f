import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { guardedLookup } from '../../lib/address-rule.ts'
import { isPrivateHost, isPublicAddress } from '../../lib/public-address.ts'

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
]
const PUBLIC = ['8.8.8.8', '168.63.129.17', '172.32.0.1', '100.128.0.1', '2a00:1450:4001:80b::200e', '2606:4700::1']

describe('public addresses', () => {
  for (const address of PRIVATE) it(`leave out ${address}`, () => assert.equal(isPublicAddress(address), false))
  for (const address of PUBLIC) it(`count in ${address}`, () => assert.equal(isPublicAddress(address), true))

  const hosts: readonly [url: string, isPrivate: boolean][] = [
    ['https://localhost/', true],
    ['https://LOCALHOST./', true],
    ['https://a.localhost/', true],
    ['https://127.1/', true],
    ['https://0x7f000001/', true],
    ['https://2130706433/', true],
    ['https://[::1]/', true],
    ['https://[::ffff:10.0.0.1]/', true],
    ['https://8.8.8.8/', false],
    ['https://push.example/', false],
  ]
  for (const [url, isPrivate] of hosts) {
    it(`are${isPrivate ? ' not' : ''} what ${url} may lead to`, () => {
      assert.equal(isPrivateHost(new URL(url).hostname), isPrivate)
    })
  }

  function look(addresses: readonly LookupAddress[], all: boolean): Promise<unknown> {
    const resolve = guardedLookup({ allowPrivate: false, resolve: (_, __, done) => done(null, [...addresses]) })
    return new Promise((give, fail) => {
      resolve('push.example', { all }, (error, found, family) =>
        error ? fail(error) : give(all ? found : [found, family]),
      )
    })
  }

  it('are all that a lookup gives of a name with several', async () => {
    const addresses = [
      { address: '10.0.0.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ]
    assert.deepEqual(await look(addresses, true), [{ address: '8.8.8.8', family: 4 }])
    assert.deepEqual(await look(addresses, false), ['8.8.8.8', 4])
  })

  it('are demanded: a name that has none is an error', async () => {
    await assert.rejects(look([{ address: '169.254.169.254', family: 4 }], true), { code: 'PRIVATE_ADDRESS' })
  })
})
