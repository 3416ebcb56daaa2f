/** What the charts render, as a kube-apiserver judges it: with the CRDs of the Gateway API and of the Prometheus Operator. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseObject } from '../../core/json.ts'
import { VALUES } from '../charts/options.ts'
import { type Rendered, render, TOKEN } from '../charts/render.ts'
import { type Rig, setUpRig } from './kube-setup.ts'

const run = promisify(execFile)

/** Their Go modules hold the CRDs; the files are those that the projects publish. */
const FOREIGN = [
  ['sigs.k8s.io/gateway-api@v1.4.1', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
] as const

async function foreignCrds(): Promise<string[]> {
  const found = FOREIGN.map(async ([module, ...files]) => {
    const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: tmpdir() })
    return files.map((file) => join(String(parseObject(stdout)['Dir']), file))
  })
  return (await Promise.all(found)).flat()
}

/** A pod would need its accounts and classes; as a template it is judged all the same. */
function toTemplate(object: Rendered): object {
  const { apiVersion, kind, metadata, ...rest } = object
  return kind === 'Pod' ? { apiVersion, kind: 'PodTemplate', metadata, template: { metadata, ...rest } } : object
}

describe('the charts on a kube-apiserver', function () {
  let rig: Rig
  let crds: readonly string[] = []
  before(async () => {
    rig = await setUpRig()
    crds = await foreignCrds()
    for (const file of crds) await run('kubectl', ['apply', '--server-side', '-f', file])
    await run('kubectl', ['apply', '--server-side', '-f', 'crds'])
    const files = ['crds', ...crds].map((file) => `-f=${file}`)
    await run('kubectl', ['wait', '--for=condition=Established', '--timeout=60s', ...files])
  })
  after(async () => {
    for (const file of crds) await run('kubectl', ['delete', '--ignore-not-found', '--wait=false', '-f', file])
    await rig.end()
  })

  /** As a server-side apply that stores nothing; a field that no schema knows is an error. */
  async function dryRun(objects: readonly Rendered[]): Promise<string[]> {
    const args = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-o', 'name', '-f', '-']
    const applying = run('kubectl', ['-n', rig.namespace, ...args])
    applying.child.stdin?.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects.map(toTemplate) }))
    return (await applying).stdout.trim().split('\n')
  }

  for (const [title, values] of Object.entries(VALUES)) {
    it(`accepts every object of: ${title}`, async () => {
      const objects = await render(values, { namespace: rig.namespace })
      assert.equal((await dryRun(objects)).length, objects.length)
    })
  }

  it('accepts the admission policies', async () => {
    const admissionPolicies = {
      requireBy: true,
      fourEyes: true,
      images: ['a.example/team'],
      repositoryHosts: ['*.example.org', 'b:8443'],
    }
    const objects = await render({ ...TOKEN, admissionPolicies }, { namespace: rig.namespace })
    assert.equal((await dryRun(objects)).length, objects.length)
  })

  it('accepts the CRDs and the roles', async () => {
    const objects = await render({}, { chart: 'slipway-crds' })
    assert.equal((await dryRun(objects)).length, objects.length)
  })

  /** Renders with lookups, as an installation does, and stores nothing. */
  const install = async (release: string, ...flags: readonly string[]): Promise<string> => {
    const args = ['install', release, 'charts/slipway', '--namespace', rig.namespace, '--dry-run=server']
    return (await run('helm', [...args, '--set=auth.tokenSecret.name=absent', ...flags])).stdout
  }
  const create = async (object: object): Promise<void> => {
    const creating = run('kubectl', ['-n', rig.namespace, 'create', '-f', '-'])
    creating.child.stdin?.end(JSON.stringify(object))
    await creating
  }

  it('says which Secret is missing', async () => {
    assert.match(await install('first'), /auth\.tokenSecret: Secret absent with the key token/)
  })

  it('refuses a claim that got no volume, and says how to make another', async () => {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'none',
      resources: { requests: { storage: '1Gi' } },
    }
    await create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'slipway-data' }, spec })
    const deletion = new RegExp(`kubectl -n ${rig.namespace} delete pvc slipway-data`)
    await assert.rejects(install('first'), /storage\.accessMode: is ReadWriteMany, but the claim slipway-data exists/)
    await assert.rejects(install('first'), deletion)
    await assert.rejects(
      install('first', '--set=storage.accessMode=ReadWriteOnce', '--set=storage.storageClassName=fast'),
      /storage\.storageClassName: is fast, but the claim slipway-data exists and has none/,
    )
    await run('kubectl', ['-n', rig.namespace, 'delete', 'pvc', 'slipway-data', '--wait=false'])
  })

  it('refuses a second release in a namespace, and data that another has left', async () => {
    const annotations = { 'meta.helm.sh/release-name': 'first' }
    await create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'slipway-push-vapid', annotations } })
    await assert.rejects(install('second'), /release first was uninstalled .* left its data there/)
    const labels = { app: 'operator' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'none' }] } }
    const spec = { replicas: 0, selector: { matchLabels: labels }, template }
    await create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'slipway-operator', annotations },
      spec,
    })
    await assert.rejects(install('second'), /release first serves namespace \S+ already/)
  })

  it('refuses a field that no schema knows, so the answers above say something', async () => {
    const [first] = await render(VALUES['the default'] ?? {}, { namespace: rig.namespace })
    assert.ok(first)
    const { metadata } = first
    const unknown = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replica: 2 } }
    await assert.rejects(dryRun([unknown]), /unknown field|replica/)
  })
})
