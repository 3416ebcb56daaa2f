import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { clientOptions, connectCluster } from '../../cli/control-plane.ts'
import { loadConfig } from '../../lib/config.ts'

describe('the cluster that a server is to use', () => {
  it('is refused with its kubeconfig and the way out when that cannot be read', async () => {
    const config = loadConfig({ flags: { kubeconfig: '/nowhere/config' }, env: {} })
    await assert.rejects(connectCluster(config), {
      message: /^cannot use the kubeconfig: .*\/nowhere\/config.*; set KUBECONFIG .* --kubeconfig$/,
    })
  })
})

describe('the programs that speak to a control plane', () => {
  it('are told apart by their user agent, process by process, and by their field manager', () => {
    const programs = ['setup', 'operator', 'api-server', 'node'] as const
    const told = programs.map(clientOptions)
    assert.deepEqual(
      told.map(({ fieldManager }) => fieldManager),
      ['slipway', 'slipway-operator', 'slipway-api-server', 'slipway-node'],
    )
    for (const [i, { userAgent, fieldManager }] of told.entries()) {
      const [, name, identity] = /^(\S+)\/\S+ \((.+)\)$/.exec(userAgent) ?? []
      assert.deepEqual([name, identity], [fieldManager, `${hostname()}-${process.pid}`], programs[i])
    }
  })
})
