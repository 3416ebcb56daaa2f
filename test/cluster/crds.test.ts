import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { NAMESPACES, TASKS } from '../../kube/resources.ts'
import { readExamples } from '../crds/examples.ts'
import { describeRatcheting } from '../helpers/crd-ratcheting.ts'
import { startOnCluster } from '../helpers/control-plane.ts'
import { applyCrds, describeCrds } from '../helpers/crd-suite.ts'
import { describeRecordedObjects } from '../operator/live/recorded-objects.ts'

describe('our CRDs on a real kube-apiserver', () => {
  const namespace = `slipway-crds-${process.pid}`
  let client: ApiClient

  before(async () => {
    const path = process.env['KUBECONFIG']
    assert.ok(path !== undefined && path !== '', 'KUBECONFIG must name the cluster to test on')
    const config = await loadKubeConfig({ kind: 'file', path })
    client = createClient(config, { userAgent: 'slipway-test', fieldManager: 'slipway-test', requestTimeoutMs: 30_000 })
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    await applyCrds(client, namespace)
  })

  after(async () => {
    await client.delete(NAMESPACES, { name: namespace })
    await client.close()
  })

  describeCrds(() => ({ client, namespace }))

  describe('when they have become stricter', () => describeRatcheting(() => ({ client, namespace })))

  describe('with the objects of e772f1de', () => describeRecordedObjects('e772f1de', startOnCluster))

  it('kubectl prints the columns of a task, with what it waits for', async () => {
    const name = 'columns'
    const spec = { title: 'Columns', storyId: 'checkout' }
    await client.create(TASKS, {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Task',
      metadata: { name, namespace },
      spec,
    })
    const status = { state: 'QUEUED', agent: { type: 'script' }, waitingFor: 'agent script is busy' }
    await client.mergePatch(TASKS, { name, namespace }, { status }, { subresource: 'status' })
    const [head, row] = (await kubectl('get', 'tasks.slipway.dev', name, '-n', namespace)).split('\n')
    assert.match(head ?? '', /^NAME +STATE +AGENT +STORY +WAITING FOR +AGE *$/)
    assert.match(row ?? '', /^columns +QUEUED +script +checkout +agent script is busy +\S+ *$/)
  })

  it('kubectl explains a field: meaning, default and unit', async () => {
    const text = await kubectl('explain', 'tasks.slipway.dev.spec.timeout')
    assert.match(
      text.replaceAll(/\s+/g, ' '),
      /GROUP: slipway\.dev .*Time limit of the agent's step.*Default: the agent's timeout, else 30m/,
    )
  })

  for (const { source, yaml } of readExamples())
    it(`kubectl applies ${source} without a warning or an unknown field`, async () => {
      await kubectlWith(yaml, 'apply', '-n', namespace, '--validate=strict', '--dry-run=server', '-f', '-')
    })

  it('kubectl lists all kinds by their category', async () => {
    const listed = await kubectl('api-resources', '--categories=slipway', '-o', 'name')
    assert.equal(listed.trim().split('\n').length, 7)
  })
})

/** What kubectl prints. @throws Error with its error output when it fails */
async function kubectl(...args: string[]): Promise<string> {
  return kubectlWith('', ...args)
}

async function kubectlWith(input: string, ...args: string[]): Promise<string> {
  const child = spawn('kubectl', args)
  child.stdin.end(input)
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  assert.equal(code, 0, stderr)
  return stdout
}
