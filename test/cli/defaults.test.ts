import assert from 'node:assert/strict'
import { ensureAgents, ensureCrds } from '../../cli/defaults.ts'
import { AGENTS, CRDS } from '../../kube/resources.ts'
import { type KubeObject, KubeError } from '../../kube/types.ts'
import { memoryKube } from '../helpers/memory-kube.ts'

describe('the Agents that an installation begins with', () => {
  it('need the definitions: where there are none the message names their chart', async () => {
    const create = () => Promise.reject(new KubeError(404, 'Unknown', '404 page not found'))
    await assert.rejects(ensureAgents({ ...memoryKube(), create }, 'work'), /slipway-crds$/)
  })

  it('may run the images that whoever installs allows, and those that exist stay as they are', async () => {
    const kube = memoryKube()
    await ensureAgents(kube, 'work', ['registry.example.com/team/**'])
    await ensureAgents(kube, 'work', [])
    assert.deepEqual(
      kube.all(AGENTS).map(({ metadata, spec }) => [metadata.name, spec.allowedImages]),
      ['claude', 'gemini', 'script'].map((name) => [name, ['registry.example.com/team/**']]),
    )
    const open = memoryKube()
    await ensureAgents(open, 'work')
    assert.ok(open.all(AGENTS).every(({ spec }) => !('allowedImages' in spec)))
  })
})

describe('the definitions in a cluster', () => {
  const definition = (parts: object): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tasks.slipway.dev', ...parts },
  })
  const kube = memoryKube()
  const annotationsAfter = async (before: KubeObject) => {
    kube.put(CRDS, before)
    await ensureCrds(kube, [definition({ annotations: { from: 'this program' } })])
    return kube.all(CRDS)[0]?.metadata.annotations
  }

  it('are replaced by those of this program', async () => {
    assert.deepEqual(await annotationsAfter(definition({})), { from: 'this program' })
  })

  it('stay as they are where the chart manages them, which may be newer', async () => {
    const annotations = { 'helm.sh/resource-policy': 'keep' }
    const labels = { 'app.kubernetes.io/name': 'slipway-crds' }
    assert.deepEqual(await annotationsAfter(definition({ annotations, labels })), annotations)
  })
})
