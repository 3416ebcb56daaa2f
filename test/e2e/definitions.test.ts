import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { until } from '../helpers/until.ts'
import { helm, kubectlIn, namespaceOf } from './release.ts'

const NAMESPACE = namespaceOf('definitions')
const TASK = 'tasks.slipway.dev/stored'
const SPEC = { title: 'Stored', priority: 7 }

const kubectl = (...args: string[]): Promise<string> => kubectlIn(NAMESPACE, ...args)
const field = (path: string): Promise<string> => kubectl('get', TASK, '-o', `jsonpath={${path}}`)
const patch = (spec: object): Promise<string> =>
  kubectl('patch', TASK, '--type=merge', '--patch', JSON.stringify({ spec }))

/** The chart of the definitions as a later version may have it: one more field, which nobody must set. */
async function laterChart(folder: string): Promise<string> {
  const chart = join(folder, 'slipway-crds')
  await cp('charts/slipway-crds', chart, { recursive: true, dereference: true })
  const path = join(chart, 'files', 'slipway.dev_tasks.yaml')
  const crd = parseDocument(await readFile(path, 'utf8'))
  const later = { type: 'string', description: 'Of a later version.' }
  crd.setIn([...'spec.versions.0.schema.openAPIV3Schema.properties.spec.properties'.split('.'), 'later'], later)
  await writeFile(path, String(crd))
  return chart
}

describe('an upgrade of the definitions, with objects stored', function () {
  // Each step stands on the one before.
  this.bail(true)
  let folder: string
  let stored: string
  let generation: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-crds-'))
    await kubectl('create', 'namespace', NAMESPACE)
    const task = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Task', metadata: { name: 'stored' }, spec: SPEC }
    const file = join(folder, 'task.json')
    await writeFile(file, JSON.stringify(task))
    await kubectl('create', '--filename', file)
    stored = await field('.spec')
    generation = await field('.metadata.generation')
  })
  after(async () => {
    await kubectl('delete', 'namespace', NAMESPACE, '--timeout=1m')
    await rm(folder, { recursive: true })
  })

  it('leaves them as they are, and takes the field that is new', async () => {
    await helm('upgrade', 'slipway-crds', await laterChart(folder))
    try {
      await kubectl('wait', 'crd/tasks.slipway.dev', '--for=condition=Established', '--timeout=30s')
      assert.equal(await field('.spec'), stored)
      assert.equal(await field('.metadata.generation'), generation)
      // The API server takes some moments to serve the new schema; until then it drops the field.
      await until('the new field is stored', async () => {
        await patch({ later: 'said' })
        return (await field('.spec.later')) === 'said'
      })
    } finally {
      await helm('rollback', 'slipway-crds')
    }
  })

  it('can be rolled back: they stay, without what the earlier version does not know, and can be written', async () => {
    await until('the field is unknown again', async () => (await field('.spec')) === stored)
    await patch({ title: 'Written' })
    assert.equal(await field('.spec.title'), 'Written')
    assert.equal(await field('.spec.later'), '')
  })
})
