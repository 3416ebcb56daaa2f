import assert from 'node:assert/strict'
import { warnOfMisspelt } from '../../cli/variables.ts'
import { CONFIG_SETTINGS } from '../../lib/config-schema.ts'

describe('variables that nobody reads', () => {
  it('are named with the one that was likely meant, and without their value', async () => {
    for (const [name, meant] of [
      ['SLIPWAY_TOKN', 'SLIPWAY_TOKEN'],
      ['SLIPWAY_DATADIR', 'SLIPWAY_DATA_DIR'],
      ['SLIPWAY_SERVR', 'SLIPWAY_SERVER'],
      ['slipway_runtime', 'SLIPWAY_RUNTIME'],
    ] as const)
      assert.deepEqual(await warnOfMisspelt({ [name]: 'hidden' }), [
        `${name} is no setting and is not used; did you mean ${meant}?`,
      ])
  })

  it('are named where they only look as if the server took them', async () => {
    assert.match(String(await warnOfMisspelt({ SLIPWAY_API_TOKEN: 'hidden' })), /did you mean SLIPWAY_TOKEN\?$/)
    for (const env of [{ SLIPWAY_PORT: '9000' }, { SLIPWAY_HOST: '0.0.0.0' }])
      assert.match(String(await warnOfMisspelt(env)), /did you mean SLIPWAY_LISTEN\?$/)
  })

  it('are not the settings themselves, nor what is like none of them', async () => {
    const names = [...CONFIG_SETTINGS.map(({ variable }) => variable), 'SLIPWAY_SERVER', 'SLIPWAY_BROWSER', 'HOME']
    assert.deepEqual(await warnOfMisspelt(Object.fromEntries(names.map((name) => [name, 'x']))), [])
  })

  it('are not those of a Service of Kubernetes', async () => {
    const names = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT', 'PORT_8080_TCP', 'PORT_8080_TCP_ADDR']
    const given = [...names, 'API_SERVER_PORT', 'PUBLIC_PORT'].map((name) => [`SLIPWAY_${name}`, 'tcp://10.0.0.1'])
    assert.deepEqual(await warnOfMisspelt(Object.fromEntries(given)), [])
  })
})
