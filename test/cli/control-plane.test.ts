import assert from 'node:assert/strict'
import { connectCluster } from '../../cli/control-plane.ts'
import { loadConfig } from '../../lib/config.ts'

describe('the cluster that a server is to use', () => {
  it('is refused with its kubeconfig and the way out when that cannot be read', async () => {
    const config = loadConfig({ flags: { kubeconfig: '/nowhere/config' }, env: {} })
    await assert.rejects(connectCluster(config), {
      message: /^cannot use the kubeconfig: .*\/nowhere\/config.*; set KUBECONFIG .* --kubeconfig$/,
    })
  })
})
