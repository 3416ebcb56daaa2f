/** What people type every day: objects from flags, questions about rights, a chart. Both control planes answer alike. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { needHelm } from '../../charts/render.ts'
import { IS_CLUSTER } from '../../helpers/control-plane.ts'
import type { Kubectl } from '../../helpers/kubectl.ts'
import { type KubectlRig, openKubectlRig } from './kubectl-rig.ts'

const run = promisify(execFile)

const TASK = `apiVersion: slipway.dev/v1alpha1
kind: Task
metadata: { name: charted }
spec: { title: "{{ .Values.title }}" }
`

describe('kubectl', function () {
  let rig: KubectlRig
  let folder: string
  let namespace: string
  let kubectl: Kubectl
  before(async function () {
    rig = await openKubectlRig(this)
    ;({ folder, namespace, kubectl } = rig)
  })
  after(() => rig?.end())

  const read = async (kind: string, name: string, path: string): Promise<string> =>
    (await kubectl('get', kind, name, '-o', `jsonpath=${path}`)).trim()

  it('makes a Secret from flags, with its values and its type and nothing else', async () => {
    await kubectl('create', 'secret', 'generic', 'login', '--from-literal=KEY=ö\n', '--from-literal=EMPTY=')
    const { data, type, immutable } = await kubectl.json('get', 'secret', 'login')
    assert.deepEqual(
      [data, type, immutable],
      [{ KEY: Buffer.from('ö\n').toString('base64'), EMPTY: '' }, 'Opaque', undefined],
    )
  })

  it('makes a ConfigMap, a ServiceAccount and a Job from flags', async () => {
    await kubectl('create', 'configmap', 'settings', '--from-literal=a=b')
    assert.deepEqual((await kubectl.json('get', 'configmap', 'settings'))['data'], { a: 'b' })
    await kubectl('create', 'serviceaccount', 'bot')
    await kubectl('create', 'job', 'once', '--image=example.com/tool:1', '--', 'sh', '-c', 'exit 0')
    const container = '.spec.template.spec.containers[0]'
    assert.equal(
      await read('job', 'once', `{${container}.image} {${container}.command}`),
      'example.com/tool:1 ["sh","-c","exit 0"]',
    )
    assert.equal(await read('job', 'once', '{.spec.template.spec.restartPolicy} {.spec.backoffLimit}'), 'Never 6')
    await kubectl('delete', 'job', 'once')
  })

  it('makes a namespace from flags, and deletes it', async () => {
    const name = `${namespace}-b`
    assert.match(await kubectl('create', 'namespace', name), new RegExp(`^namespace/${name} created`))
    assert.match(await kubectl('delete', 'namespace', name, '--wait=false'), /deleted/)
  })

  it('is told which field of a built-in kind is misspelt, and nothing is made', async () => {
    const file = join(folder, 'job.yaml')
    const container = '{ name: a, image: example.com/tool:1, comand: [sh] }'
    const spec = `spec: { template: { spec: { restartPolicy: Never, containers: [${container}] } } }`
    await writeFile(file, `apiVersion: batch/v1\nkind: Job\nmetadata: { name: misspelt }\n${spec}\n`)
    const words =
      /Job in version "v1" cannot be handled as a Job: strict decoding error: unknown field "spec\.template\.spec\.containers\[0\]\.comand"/
    await assert.rejects(kubectl('apply', '-f', file), words)
    await kubectl('apply', '--validate=ignore', '-f', file)
    assert.equal(await read('job', 'misspelt', '{.spec.template.spec.containers[0].comand}'), '')
    await kubectl('delete', 'job', 'misspelt')
  })

  it('says what may be done, and by whom', async () => {
    assert.equal((await kubectl('auth', 'can-i', 'create', 'tasks.slipway.dev')).trim(), 'yes')
    assert.match(await kubectl('auth', 'can-i', '--list'), /^\*\.\* +\[\] +\[\] +\[\*\]$/m)
    assert.match(await kubectl('auth', 'whoami'), /^Username +\S+$/m)
  })

  it('calls a kind that is not served by its name, instead of a missing document', async function () {
    // A real cluster serves Deployments.
    if (IS_CLUSTER) this.skip()
    const file = join(folder, 'deployment.yaml')
    await writeFile(file, 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: {}\n')
    await assert.rejects(kubectl('apply', '-f', file), /no matches for kind "Deployment" in version "apps\/v1"/)
  })

  it('is refused to act as somebody else where there is nobody else', async function () {
    // A real cluster has other users.
    if (IS_CLUSTER) this.skip()
    await assert.rejects(kubectl('get', 'pods', '--as', 'alice'), /cannot impersonate resource "users"/)
  })

  it('is no worse than Helm, which installs, upgrades, rolls back and uninstalls a chart with a task', async function () {
    needHelm(this)
    const chart = join(folder, 'chart')
    await mkdir(join(chart, 'templates'), { recursive: true })
    await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: charted\nversion: 0.1.0\n')
    await writeFile(join(chart, 'values.yaml'), 'title: one\n')
    await writeFile(join(chart, 'templates', 'task.yaml'), TASK)
    const helm = async (...args: string[]): Promise<string> =>
      (await run('helm', ['--kubeconfig', rig.kubeconfig, '-n', namespace, ...args])).stdout
    const title = (): Promise<string> => read('task.slipway.dev', 'charted', '{.spec.title}')
    await helm('install', 'charted', chart)
    assert.equal(await title(), 'one')
    await helm('upgrade', 'charted', chart, '--set', 'title=two')
    assert.equal(await title(), 'two')
    await helm('rollback', 'charted', '1')
    assert.equal(await title(), 'one')
    assert.match(await helm('list'), /charted\s+\S+\s+3\s+.*deployed/)
    await helm('uninstall', 'charted')
    await assert.rejects(title(), /not found/)
  })
})
