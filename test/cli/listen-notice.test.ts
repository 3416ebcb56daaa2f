import assert from 'node:assert/strict'
import { formatPortNotice } from '../../cli/api.ts'
import { formatTokenNotice } from '../../cli/stack.ts'

describe('what a server says of its address when it starts', () => {
  it('names itself where another program has the port at which commands look', () => {
    const notice = formatPortNotice({}, 'http://127.0.0.1:8081')
    assert.match(notice, /port 8080 is taken.* SLIPWAY_SERVER=http:\/\/127\.0\.0\.1:8081$/)
  })

  it('says nothing of it at that port, nor where a port was asked for', () => {
    assert.equal(formatPortNotice({}, 'http://127.0.0.1:8080'), '')
    assert.equal(formatPortNotice({ listen: '127.0.0.1:9000' }, 'http://127.0.0.1:9000'), '')
  })

  for (const [what, config, says] of [
    [
      'who can reach it and how to share it',
      { insecure: false },
      /only this machine .* to share it, set SLIPWAY_TOKEN and/,
    ],
    [
      'that everybody may do everything',
      { insecure: true },
      /whoever can reach this API may do everything: set SLIPWAY_/,
    ],
    ['nothing', { insecure: false, token: 'a-token-of-length' }, /^$/],
    ['nothing', { insecure: false, identity: { oidc: { issuer: 'https://id.example', clientId: 'slipway' } } }, /^$/],
  ] as const)
    it(`says ${what} with ${JSON.stringify(config)}`, () => {
      assert.match(formatTokenNotice({ tokens: [], ...config }), says)
    })
})
