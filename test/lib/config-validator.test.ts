import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../lib/config.ts'
import { Config, CONFIG_SETTINGS } from '../../lib/config-schema.ts'
import { isConfig } from '../../lib/config-validator.ts'
import { compileCheck } from '../../lib/validate.ts'
import { runs } from '../helpers/runs.ts'

describe('the generated check of the configuration', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-config-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('accepts what compiling the schema accepts, and nothing else', () => {
    const check = compileCheck(Config)
    const valid = loadConfig({ flags: { dataDir: folder }, env: {} })
    assert.ok(isConfig(valid))
    const value = fc.oneof(
      fc.constantFrom('127.0.0.1:8080', '[::1]:80', 'off', 'https://a.example', '/abs', '', 'info', 'bwrap', true),
      fc.constant([{ name: 'ci', token: 'long enough', scopes: ['read'] }]),
      fc.constant([{ name: 'ci', scopes: ['read', 'read'], more: 1 }]),
      fc.jsonValue(),
    )
    const key = fc.constantFrom(...CONFIG_SETTINGS.map((setting) => setting.key), 'tokn')
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 3 }), (wrong) => {
        const config = { ...valid, ...wrong }
        assert.equal(isConfig(config), check(config).ok)
      }),
      { numRuns: runs(500) },
    )
  })

  for (const [flags, message] of [
    [{ listen: 'here' }, 'configuration: listen: must be an address and a port up to 65535, such as 127.0.0.1:8080'],
    [
      { listen: '127.0.0.1:65536', metricsListen: '[::1]:99999', healthListen: '0.0.0.0:70000' },
      [
        'configuration: listen: must be an address and a port up to 65535, such as 127.0.0.1:8080',
        'configuration: metricsListen: must be an address and a port up to 65535, such as 127.0.0.1:9464',
        'configuration: healthListen: must be an address and a port up to 65535, such as 0.0.0.0:8081, or off',
      ].join('\n'),
    ],
    [{ tokn: 'x' }, 'configuration: tokn: unknown field'],
    [{ token: 'short' }, 'configuration: token: must have at least 8 characters'],
    [{ logLevel: 'loud' }, 'configuration: logLevel: must be one of debug, info, warn, error, silent'],
    [{ allowedHosts: 'a' }, 'configuration: allowedHosts: must be a list'],
    [
      { tokens: '[{name: ci, token: long enough, scopes: [read, read]}]' },
      'configuration: tokens[0].scopes: must not name "read" twice',
    ],
    [
      { insecure: 1, image: '' },
      'configuration: insecure: must be true or false\nconfiguration: image: must not be empty',
    ],
  ] as const)
    it(`says of ${JSON.stringify(flags)} what is wrong and where`, () => {
      assert.throws(() => loadConfig({ flags: { dataDir: folder, ...flags }, env: {} }), {
        name: 'ConfigError',
        message,
      })
    })
})
