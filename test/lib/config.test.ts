import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONFIG_SETTINGS, loadConfig, redactConfig } from '../../lib/config.ts'

describe('the configuration', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-config-'))
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function load(flags: Record<string, unknown> = {}, env: Record<string, string> = {}) {
    return loadConfig({ flags: { dataDir: folder, ...flags }, env })
  }

  it('has a default for everything that must have a value', () => {
    const config = load()
    assert.deepEqual(
      [config.runtime, config.logLevel, config.insecure, config.listen],
      ['auto', 'warn', false, undefined],
    )
  })

  it('takes a flag before a variable, and a variable before the file', () => {
    writeFileSync(join(folder, 'config.yaml'), 'namespace: from-file\nruntime: process\nlogLevel: error\n')
    const config = load({ namespace: 'from-flag' }, { SLIPWAY_NAMESPACE: 'from-variable', SLIPWAY_RUNTIME: 'bwrap' })
    assert.deepEqual([config.namespace, config.runtime, config.logLevel], ['from-flag', 'bwrap', 'error'])
  })

  it('reads a list from a variable, separated by commas', () => {
    assert.deepEqual(load({}, { SLIPWAY_ALLOWED_HOSTS: 'a.test, b.test' }).allowedHosts, ['a.test', 'b.test'])
  })

  const refused: readonly [what: string, file: string, message: RegExp][] = [
    ['an unknown key', 'tokn: abcdefgh\n', /configuration: tokn: unknown field/],
    ['a value outside of a choice', 'runtime: podman\n', /configuration: runtime: must be one of auto, bwrap, process/],
    [
      'a listen address without port',
      'listen: localhost\n',
      /configuration: listen: must be an address and a port, such as 127\.0\.0\.1:8080$/,
    ],
    ['a token that can be guessed', 'token: abc\n', /configuration: token: must NOT have fewer than 8 characters/],
    ['something else than keys and values', '- a\n', /must hold keys and values/],
    ['what is not YAML', 'a: [', /is not YAML/],
  ]
  for (const [what, file, message] of refused) {
    it(`refuses ${what}, naming it`, () => {
      writeFileSync(join(folder, 'config.yaml'), file)
      assert.throws(() => load(), { name: 'ConfigError', message })
    })
  }

  it('refuses a boolean variable that is neither true nor false, naming the variable', () => {
    assert.throws(() => load({}, { SLIPWAY_INSECURE: 'yes' }), { message: /SLIPWAY_INSECURE must be true or false/ })
  })

  it('refuses a file that was asked for and is not there', () => {
    assert.throws(() => loadConfig({ flags: {}, env: {}, file: join(folder, 'none.yaml') }), {
      message: /cannot read .*none.yaml/,
    })
  })

  it('shows no secret when it is printed', () => {
    const shown = JSON.stringify(redactConfig(load({ token: 'very-secret-token' })))
    assert.ok(!shown.includes('very-secret-token'))
    assert.match(shown, /"token":"\[redacted\]"/)
  })

  it('names each setting by flag and variable', () => {
    const dataDir = CONFIG_SETTINGS.find(({ key }) => key === 'dataDir')
    assert.deepEqual([dataDir?.flag, dataDir?.variable], ['data-dir', 'SLIPWAY_DATA_DIR'])
  })
})
