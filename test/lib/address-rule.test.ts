import assert from 'node:assert/strict'
import { requireLoopback, isLoopback } from '../../lib/address-rule.ts'
import { startRig } from '../api-server/rig.ts'

describe('listening without a token', () => {
  for (const host of ['127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost']) {
    it(`is possible on ${host}`, () => requireLoopback(host))
  }
  for (const host of ['0.0.0.0', '::', '', '192.0.2.1', '::ffff:192.0.2.1', 'fe80::1', '128.0.0.1', '0']) {
    it(`is refused on ${JSON.stringify(host)}`, async () => {
      await assert.rejects(requireLoopback(host), { code: 'UNPROTECTED_LISTEN', message: /set one, or use --insecure/ })
    })
  }

  it('is refused by the server itself, unless a token is set or --insecure is given', async () => {
    await assert.rejects(startRig({ host: '0.0.0.0' }), { code: 'UNPROTECTED_LISTEN' })
    const tokens = [{ name: 'ci', token: 'token-of-ci', scopes: ['read'] }] as const
    for (const options of [{ token: 'long-enough' }, { tokens }, { insecure: true }]) {
      const rig = await startRig({ host: '0.0.0.0', ...options })
      await rig.stop()
    }
  })
})

describe('a Host header', () => {
  const cases: readonly [string, boolean][] = [
    ['localhost', true],
    ['slipway.localhost', true],
    ['[::1]', true],
    ['127.0.0.2', true],
    ['127.evil.example', false],
    ['localhost.evil.example', false],
    ['evil-localhost', false],
    ['[::2]', false],
    ['0.0.0.0', false],
    ['2130706433', false],
  ]
  for (const [host, isOurs] of cases) {
    it(`of ${host} ${isOurs ? 'is' : 'is not'} loopback`, () => assert.equal(isLoopback(host), isOurs))
  }
})
