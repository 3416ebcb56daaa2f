import assert from 'node:assert/strict'
import { waysToAccept } from '../../cli/demo/run.ts'

describe("the demo's last words", () => {
  const given = { task: 'demo-3', url: 'http://localhost:8080', kubeconfigPath: '/data/kubeconfig', hasToken: false }

  it('name the page of the task first, then curl and kubectl', () => {
    const lines = waysToAccept(given)
      .split('\n')
      .filter((line) => line.startsWith('  '))
    assert.deepEqual(lines, [
      '  http://localhost:8080/tasks/demo-3',
      '  curl -X POST http://localhost:8080/api/tasks/demo-3/accept',
      '  kubectl --kubeconfig /data/kubeconfig annotate tasks.slipway.dev demo-3 slipway.dev/action=accept',
    ])
  })

  it('never hold the token', () => {
    assert.match(waysToAccept({ ...given, hasToken: true }), /-H 'Authorization: Bearer <token>' http/)
  })
})
