import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findConfigRisk, loadConfig, redactConfig } from '../../lib/config.ts'
import { CONFIG_SETTINGS } from '../../lib/config-schema.ts'

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
      /configuration: listen: must be an address and a port up to 65535, such as 127\.0\.0\.1:8080$/,
    ],
    ['a token that can be guessed', 'token: abc\n', /configuration: token: must have at least 8 characters/],
    [
      'a prefix of branches that git refuses',
      'branchPrefix: a..\n',
      /configuration: branchPrefix: must not contain \.\. or @\{/,
    ],
    [
      'a prefix of branches that is that of stories',
      'branchPrefix: story/\n',
      /configuration: branchPrefix: must not be story\/: branches of stories begin with story\//,
    ],
    [
      'a variable of executions that Slipway sets itself',
      'executionPods: { env: [{ name: SERVICE_TASK_ID, value: a }] }\n',
      /configuration: executionPods\.env: Slipway sets SERVICE_TASK_ID itself/,
    ],
    [
      'a variable of certificates beside their ConfigMap',
      'executionPods: { env: [{ name: NODE_EXTRA_CA_CERTS, value: /a }], caBundle: { configMap: a, key: b } }\n',
      /configuration: executionPods\.env: caBundle sets NODE_EXTRA_CA_CERTS/,
    ],
    ['something else than keys and values', '- a\n', /must hold keys and values/],
    ['what is not YAML', 'a: [', /is not YAML/],
  ]
  for (const [what, file, message] of refused) {
    it(`refuses ${what}, naming it`, () => {
      writeFileSync(join(folder, 'config.yaml'), file)
      assert.throws(() => load(), { name: 'ConfigError', message })
    })
  }

  it('refuses a file that everybody can change, with the command that mends it', () => {
    const path = join(folder, 'config.yaml')
    for (const given of [undefined, path]) {
      writeFileSync(path, 'namespace: x\n')
      chmodSync(path, 0o646)
      const read = () =>
        loadConfig({ flags: { dataDir: folder }, env: {}, ...(given === undefined ? {} : { file: given }) })
      const message = `configuration: ${path} can be changed by everybody on this machine, who could let themselves in with it: chmod o-w ${path}`
      assert.throws(read, { name: 'ConfigError', message })
      chmodSync(path, 0o664)
      assert.equal(read().namespace, 'x')
    }
  })

  it('tells of a file that shows everybody a secret, and of no other', () => {
    const path = join(folder, 'config.yaml')
    const risk = (content: string, mode: number): string | undefined => {
      writeFileSync(path, content)
      chmodSync(path, mode)
      return findConfigRisk(path)
    }
    const told = `holds a secret that everybody on this machine can read: chmod o-r ${path}`
    const tokens = 'tokens: [{name: a, token: long-enough, scopes: [read]}]\n'
    for (const content of ['token: long-enough\n', 'webhookSecret: long-enough\n', tokens])
      assert.deepEqual([risk(content, 0o644), risk(content, 0o640)], [told, undefined])
    const harmless = 'listen: 127.0.0.1:0\ntokens: [{name: a, tokenFile: /x, scopes: [read]}]\n'
    assert.equal(risk(harmless, 0o644), undefined)
    assert.equal(findConfigRisk(join(folder, 'none')), undefined)
  })

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
