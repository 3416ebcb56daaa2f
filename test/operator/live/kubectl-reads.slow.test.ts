/** How people look at a control plane with kubectl, wait for it and are refused. Both control planes answer alike. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { NODES } from '../../../kube/resources.ts'
import { IS_CLUSTER } from '../../helpers/control-plane.ts'
import { until } from '../../helpers/until.ts'
import { type KubectlRig, openKubectlRig } from './kubectl-rig.ts'

const aTask = (name: string, title: string): string =>
  `apiVersion: slipway.dev/v1alpha1\nkind: Task\nmetadata: { name: ${name} }\nspec: { title: ${title} }\n`

describe('kubectl, looking', function () {
  let rig: KubectlRig
  before(async function () {
    rig = await openKubectlRig(this)
  })
  after(() => rig?.end())

  const kubectl = (...args: string[]): Promise<string> => rig.kubectl(...args)

  it('says where the control plane is', async () => {
    assert.match(await kubectl('cluster-info'), /^Kubernetes control plane is running at https:\/\//m)
  })

  it('lists what is served, and no Services where there are none', async () => {
    const ours = await kubectl('api-resources', '--api-group=slipway.dev', '--no-headers')
    assert.match(ours, /^tasks +swt +slipway\.dev\/v1alpha1 +true +Task$/m)
    assert.equal(await kubectl('get', 'services', '-o', 'name'), '')
  })

  it('explains the fields of our kinds and of those that pods are made of', async () => {
    assert.match(await kubectl('explain', 'task.spec.title'), /^FIELD: title <string>$/m)
    const containers = await kubectl('explain', 'job.spec.template.spec.containers')
    assert.match(containers, /^FIELD: containers <\[\]Container>/m)
    assert.match(containers, /^ {2}env\t<\[\]EnvVar>$/m)
    assert.match(containers, /^ {2}resources\t<ResourceRequirements>$/m)
    assert.match(await kubectl('explain', 'secret', '--recursive'), /^ {2}immutable\t<boolean>$/m)
    await assert.rejects(kubectl('explain', 'pod.spec.kontainers'), /field "kontainers" does not exist/)
  })

  it('follows the changes of one object', async () => {
    await kubectl('apply', '-f', await rig.write('watched.yaml', aTask('watched', 'one')))
    const what = ['get', 'task', 'watched', '--watch', '-o', 'jsonpath={.spec.title}{"\\n"}']
    const child = spawn('kubectl', ['--kubeconfig', rig.kubeconfig, '-n', rig.namespace, ...what])
    let seen = ''
    child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString('utf8')))
    try {
      await until('the first title is printed', () => seen === 'one\n')
      await kubectl('patch', 'task', 'watched', '--type=merge', '-p', '{"spec":{"title":"two"}}')
      await until('the second title is printed', () => seen === 'one\ntwo\n')
    } finally {
      child.kill()
    }
  })

  it('waits for a condition until it is there, and gives up where it does not come', async () => {
    await kubectl('apply', '-f', await rig.write('awaited.yaml', aTask('awaited', 'one')))
    const wait = (timeout: string): Promise<string> =>
      kubectl('wait', '--for=condition=Ready', 'task/awaited', `--timeout=${timeout}`)
    await assert.rejects(wait('1s'), /timed out waiting for the condition on tasks\/awaited/)
    const waiting = wait('60s')
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Tried',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    const status = JSON.stringify({ status: { observedGeneration: 1, conditions: [ready] } })
    await kubectl('patch', 'task', 'awaited', '--subresource=status', '--type=merge', '-p', status)
    assert.match(await waiting, /^task\.slipway\.dev\/awaited condition met$/m)
  })

  it('applies, compares and deletes a folder with a kustomization', async () => {
    const folder = join(rig.folder, 'kustomized')
    await mkdir(folder)
    await rig.write('kustomized/task.yaml', aTask('one', 'one'))
    const maps = 'configMapGenerator: [{ name: settings, literals: [a=b] }]'
    await rig.write('kustomized/kustomization.yaml', `namePrefix: k-\nresources: [task.yaml]\n${maps}\n`)
    assert.match(await kubectl('apply', '-k', folder), /^task\.slipway\.dev\/k-one created$/m)
    assert.match(await kubectl('apply', '-k', folder), /^task\.slipway\.dev\/k-one unchanged$/m)
    assert.equal(await rig.kubectl.diff('-k', folder), '')
    await rig.write('kustomized/task.yaml', aTask('one', 'two'))
    assert.match(await rig.kubectl.diff('-k', folder), /^\+ {2}title: two$/m)
    assert.match(await kubectl('delete', '-k', folder), /^task\.slipway\.dev "k-one" deleted/m)
    assert.equal(await kubectl('get', 'tasks,configmaps', '-l', 'none=such', '-o', 'name'), '')
  })

  it('drains a node, which the list shows, and names one that is not there', async () => {
    const node = `${rig.namespace}-node`
    await rig.client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: node } })
    try {
      assert.match(await kubectl('drain', node), new RegExp(`^node/${node} drained$`, 'm'))
      const shown = await kubectl('get', 'node', node, '-o', 'wide')
      assert.match(
        shown,
        /^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP +EXTERNAL-IP +OS-IMAGE +KERNEL-VERSION +CONT/,
      )
      assert.match(shown, new RegExp(`^${node} +\\w+,SchedulingDisabled +<none> .* <none> +<none> +<unknown>`, 'm'))
      await kubectl('uncordon', node)
      assert.doesNotMatch(await kubectl('get', 'node', node), /SchedulingDisabled/)
    } finally {
      await kubectl('delete', 'node', node)
    }
    await assert.rejects(kubectl('drain', 'no-such-node'), /nodes "no-such-node" not found/)
  })

  it('is told of a title that is empty in one line', async () => {
    const words =
      /The Task "empty" is invalid: spec\.title: Invalid value: "": spec\.title in body should be at least 1 chars/
    await assert.rejects(kubectl('apply', '-f', await rig.write('empty.yaml', aTask('empty', '""'))), words)
  })

  it('is told plainly what is left out', async function () {
    // A real cluster has all of it.
    if (IS_CLUSTER) this.skip()
    await kubectl('run', 'bare', '--image=example.com/tool:1')
    await assert.rejects(kubectl('attach', 'bare'), /the embedded control plane does not serve pods\/attach/)
    await assert.rejects(kubectl('exec', 'bare', '--', 'ls'), /the embedded control plane does not serve pods\/exec/)
    await assert.rejects(
      kubectl('debug', 'pod/bare', '--image=x', '--profile=general'),
      /are disabled.*does not serve pods\/ephemeral/,
    )
    const makeToken = kubectl('create', 'token', 'default')
    await assert.rejects(makeToken, /the embedded control plane does not serve serviceaccounts\/token/)
    const makeService = kubectl('create', 'service', 'clusterip', 'a', '--tcp=80')
    await assert.rejects(makeService, /the embedded control plane has no Services/)
    const task = await rig.write('ssa.yaml', aTask('ssa', 'one'))
    await assert.rejects(kubectl('apply', '--server-side', '-f', task), /Server-side apply not available on the server/)
  })
})
