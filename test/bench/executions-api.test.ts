import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withExecutions } from '../../bench/executions-api.ts'
import { at, textAt } from '../helpers/kube-http.ts'

const EXECUTIONS = '/apis/slipway.dev/v1alpha1/namespaces/default/executions'

describe('the control plane that only seems to hold executions', () => {
  it('lists them in pages, gives a single one as an object, and 404 for what it does not hold', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'))
    try {
      await withExecutions(3, folder, async (kubeconfig) => {
        const server = textAt(JSON.parse(readFileSync(kubeconfig, 'utf8')), 'clusters.0.cluster.server')
        const get = async (path: string) => {
          const response = await fetch(`${server}${path}`)
          return { status: response.status, body: JSON.parse(await response.text()) }
        }
        const first = (await get(`${EXECUTIONS}?limit=2`)).body
        const rest = (await get(`${EXECUTIONS}?limit=2&continue=${textAt(first, 'metadata.continue')}`)).body
        assert.deepEqual(
          ['0', '1'].map((i) => at(first, `items.${i}.metadata.name`)).concat(at(rest, 'items.0.metadata.name')),
          ['seed-000000-1', 'seed-000001-1', 'seed-000002-1'],
        )
        const one = await get(`${EXECUTIONS}/seed-000002-1`)
        assert.deepEqual(
          [one.status, at(one.body, 'kind'), at(one.body, 'metadata.name')],
          [200, 'Execution', 'seed-000002-1'],
        )
        for (const path of [`${EXECUTIONS}/seed-000003-1`, '/apis/slipway.dev/v1alpha1/namespaces/default/tasks/x']) {
          const { status, body } = await get(path)
          assert.deepEqual([status, at(body, 'kind'), at(body, 'reason')], [404, 'Status', 'NotFound'])
        }
        assert.deepEqual(at((await get('/apis/slipway.dev/v1alpha1/tasks')).body, 'items'), [])
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
