/** The manifests of examples/tenancy on a real kube-apiserver, which docs/operate/tenancy.md shows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { at } from '../charts/render.ts'
import { type TestCluster, connectCluster } from '../helpers/cluster.ts'
import { type KubeHttp, connectKube } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'examples', 'tenancy')
const { SLIPWAY_TENANCY_AUDIT_LOG: AUDIT_LOG } = process.env

const PATHS: Readonly<Record<string, string>> = {
  ResourceQuota: 'api/v1/namespaces/NAMESPACE/resourcequotas',
  RoleBinding: 'apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings',
  Namespace: 'api/v1/namespaces',
}

describe('the manifests for a shared cluster', function () {
  let cluster: TestCluster
  let http: KubeHttp
  let namespace: string

  before(async () => {
    cluster = await connectCluster()
    namespace = await cluster.makeNamespace()
    http = connectKube(readFileSync(process.env['KUBECONFIG'] ?? '', 'utf8'))
  })
  after(async () => {
    http.close()
    await cluster.end()
  })

  const tasks = (): string => `/apis/slipway.dev/v1alpha1/namespaces/${namespace}/tasks`
  const task = (name: string): JsonValue => ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: { name },
    spec: { title: 'A' },
  })

  for (const file of ['namespace', 'role-bindings', 'quota'])
    it(`${file}.yaml is what the API server takes`, async () => {
      for (const document of parseAllDocuments(readFileSync(join(FOLDER, `${file}.yaml`), 'utf8'))) {
        const object = JSON.parse(JSON.stringify(document.toJS()).replaceAll('team-a', namespace)) as JsonValue
        const kind = String(at(object, 'kind'))
        const path = `/${(PATHS[kind] ?? '').replace('NAMESPACE', namespace)}?fieldValidation=Strict`
        if (kind === 'Namespace') {
          const answer = await http.send('POST', `${path}&dryRun=All`, {
            ...(object as object),
            metadata: { name: 'x' },
          })
          assert.equal(answer.status, 201, answer.text)
        } else assert.equal((await http.send('POST', path, object)).status, 201)
      }
    })

  it('the audit policy shows who asked for a decision, and nothing of a Secret', async function () {
    // Only who starts the API server can give it a policy: .ci/run does, with this file.
    if (AUDIT_LOG === undefined) {
      this.skip()
      return
    }
    const people = { 'impersonate-user': 'alice', 'impersonate-group': 'system:masters' }
    const merge = { ...people, 'content-type': 'application/merge-patch+json' }
    const name = `audited-${Date.now()}`
    await http.send('DELETE', `/api/v1/namespaces/${namespace}/resourcequotas/slipway`)
    await http.send('POST', tasks(), task(name))
    await http.send(
      'PATCH',
      `${tasks()}/${name}`,
      { metadata: { annotations: { 'slipway.dev/action': 'cancel' } } },
      merge,
    )
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData: { token: 'a-secret-of-the-audit-test' },
    }
    await http.send('POST', `/api/v1/namespaces/${namespace}/secrets`, secret, people)
    const read = (): string => readFileSync(AUDIT_LOG, 'utf8')
    await until('the Secret is in the log', () => Promise.resolve(read().includes(`/namespaces/${namespace}/secrets`)))
    const [decision] = read()
      .split('\n')
      .filter((line) => line.includes(`/tasks/${name}`) && line.includes('"verb":"patch"'))
      .map((line) => JSON.parse(line) as JsonValue)
    assert.equal(at(decision, 'impersonatedUser', 'username'), 'alice')
    assert.equal(at(decision, 'requestObject', 'metadata', 'annotations', 'slipway.dev/action'), 'cancel')
    assert.ok(!read().includes('a-secret-of-the-audit-test'))
  })
})
