/** The node on an API that others use too: what it leaves alone, what it refuses, what it keeps of earlier days. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pod } from '../../kube/builtin.ts'
import { LEASES, NODES, PODS } from '../../kube/resources.ts'
import { podDir } from '../../node/layout.ts'
import { LEASE_NAMESPACE, renewLease } from '../../node/lease.ts'
import { until } from '../helpers/until.ts'
import type { Given, GivenNode, TestPod } from './given.ts'
import { givenNode, hurried } from './given.ts'

const only = { namespace: 'default', label: 'example.dev/own', taint: 'example.dev/own' }
const own = { 'example.dev/own': 'yes' }

describe('a node among others', () => {
  const givens: GivenNode[] = []
  const give = async (options: Given = {}): Promise<GivenNode> => {
    const given = await givenNode({ only, ...options })
    givens.push(given)
    return given
  }
  afterEach(async () => {
    for (const given of givens.splice(0).toReversed()) await given.end()
  })
  const selecting = (node: string): Partial<TestPod> => ({ nodeSelector: { 'kubernetes.io/hostname': node } })
  const phaseOf = (given: GivenNode, pod: string): string | undefined => given.api.getPod(pod).status?.phase
  const nodeOf = (given: GivenNode, name = 'here') => given.api.client.find(NODES, { name })

  it('leaves the free pods of others free', async () => {
    const given = await give()
    const file = join(given.root, 'ran')
    await given.run({ name: 'theirs', script: `touch ${file}` })
    await given.run({ name: 'unlabelled', script: `touch ${file}`, ...selecting('here') })
    await given.run({ name: 'ours', labels: own, ...selecting('here') })
    await given.finished('ours')
    assert.deepEqual(
      ['theirs', 'unlabelled'].map((name) => given.api.getPod(name).spec.nodeName),
      [undefined, undefined],
    )
    assert.ok(!existsSync(file))
  })

  it('refuses a pod of others that names it directly, saying why, and lets it go', async () => {
    const given = await give()
    const file = join(given.root, 'ran')
    await given.run({ name: 'theirs', nodeName: 'here', script: `touch ${file}` })
    const { status } = await given.finished('theirs')
    assert.deepEqual(status, {
      phase: 'Failed',
      reason: 'Rejected',
      message: 'Pod was rejected: node here runs only pods of namespace default with label example.dev/own',
    })
    await given.api.deletePod('theirs')
    await until('the API has forgotten the pod', () => given.api.findPod('theirs') === undefined)
    assert.ok(!existsSync(file))
  })

  it('keeps a pod that runs when it loses its label', async () => {
    const given = await give()
    await given.run({
      labels: own,
      script: `until [ -e ${given.volume}/gate ]; do sleep 0.02; done`,
      ...selecting('here'),
    })
    const pod = await given.running('pod')
    const labels = { 'example.dev/own': undefined }
    await given.api.client.mergePatch(PODS, { namespace: 'default', name: 'pod' }, { metadata: { labels } })
    await given.node.stop()
    await given.again()
    assert.equal(phaseOf(given, 'pod'), 'Running')
    await writeFile(join(given.volume, 'gate'), '')
    assert.equal((await given.finished('pod')).status?.phase, 'Succeeded')
    assert.equal(given.api.getPod('pod').metadata.uid, pod.metadata.uid)
  })

  it('and one of another name do not touch each other: not what runs, not at a start, not at a stop', async () => {
    const here = await give({ name: 'here' })
    const there = await give({ name: 'there', api: here.api })
    const wait = { labels: own, script: `until [ -e ${here.volume}/gate ]; do sleep 0.02; done` }
    await here.run({ name: 'a', ...wait, ...selecting('here') })
    await here.run({ name: 'b', ...wait, ...selecting('there') })
    const [a, b] = [await here.running('a'), await here.running('b')]
    assert.deepEqual([a.spec.nodeName, b.spec.nodeName], ['here', 'there'])
    const folders = [here, there].flatMap(({ dir }) =>
      [a, b].map(({ metadata }) => existsSync(podDir(dir, metadata.uid ?? ''))),
    )
    assert.deepEqual(folders, [true, false, false, true])
    await there.node.stop()
    await there.again()
    await writeFile(join(here.volume, 'gate'), '')
    const ends = [await here.finished('a'), await here.finished('b')]
    assert.deepEqual(
      ends.map(({ status }) => status?.phase),
      ['Succeeded', 'Succeeded'],
    )
  })

  it('refuses to start while another process runs the node of its name, and touches nothing', async () => {
    const given = await give()
    const pod = await given.run({ labels: own, script: 'sleep 60', ...selecting('here') })
    await given.running('pod')
    await given.node.stop()
    const now = new Date()
    await renewLease(given.api.client, 'here', 'elsewhere_17_4711', now)
    await assert.rejects(given.again(), /node here is run by another process/)
    assert.equal(phaseOf(given, 'pod'), 'Running')
    assert.ok(existsSync(podDir(given.dir, pod.metadata.uid ?? '')))
    await given.api.client.delete(LEASES, { namespace: LEASE_NAMESPACE, name: 'here' })
    await given.again()
  })

  describe('at a stop', () => {
    it('is removed with its Lease when nothing of it runs any more', async () => {
      const given = await give()
      await given.run({ labels: own, ...selecting('here') })
      await given.finished('pod')
      await given.node.stop()
      assert.equal(await nodeOf(given), undefined)
      assert.equal(await given.api.client.find(LEASES, { namespace: LEASE_NAMESPACE, name: 'here' }), undefined)
      await given.again()
    })

    it('stays for pods that go on, which a cluster would remove without it', async () => {
      const given = await give()
      await given.run({ labels: own, script: 'sleep 60', ...selecting('here') })
      await given.running('pod')
      await given.node.stop()
      assert.notEqual(await nodeOf(given), undefined)
      await given.again()
    })
  })

  describe('with pods from when every node had one name', () => {
    /** A pod that waits for the gate, bound to the old name by a node of the version before. */
    async function beforeUpgrade(): Promise<{ old: GivenNode; pod: Pod; gate: string }> {
      const old = await givenNode({ name: 'slipway-local' })
      const gate = join(old.volume, 'gate')
      await old.run({ labels: own, script: `until [ -e ${gate} ]; do sleep 0.02; done; exit 7` })
      const pod = await old.running('pod')
      await old.node.stop()
      return { old, pod, gate }
    }
    const upgraded = { name: 'slipway-laptop-1a2b', formerName: 'slipway-local', clock: hurried }

    for (const [where, api] of Object.entries({ 'a cluster': { only }, 'a control plane of its own': {} })) {
      it(`brings those of its folder to their end on ${where}, and is then gone under the old name`, async () => {
        const { old, pod, gate } = await beforeUpgrade()
        const given = await givenNode({ ...upgraded, ...api, root: old.root, api: old.api })
        givens.push(given)
        assert.equal(phaseOf(given, 'pod'), 'Running')
        await writeFile(gate, '')
        const ended = await given.finished('pod')
        assert.equal(ended.metadata.uid, pod.metadata.uid)
        assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 7)
        assert.notEqual(await nodeOf(given, 'slipway-local'), undefined)
        await given.api.deletePod('pod')
        await until('the old Node is gone', async () => (await nodeOf(given, 'slipway-local')) === undefined)
        assert.notEqual(await nodeOf(given, upgraded.name), undefined)
      })
    }

    it('leaves those of another folder, and the Node that they are bound to', async () => {
      const { old, gate } = await beforeUpgrade()
      const given = await give({ ...upgraded, api: old.api })
      await given.run({ name: 'new', labels: own, ...selecting(upgraded.name) })
      await given.finished('new')
      await given.node.stop()
      assert.notEqual(await nodeOf(given, 'slipway-local'), undefined)
      assert.equal(phaseOf(given, 'pod'), 'Running')
      await old.again()
      await writeFile(gate, '')
      assert.equal((await old.finished('pod')).status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 7)
      await old.end()
      await given.again()
    })

    it('removes what is left of the old name when nobody uses it', async () => {
      const first = await give()
      await first.node.stop()
      await first.api.client.create(NODES, { metadata: { name: 'slipway-local', annotations: { token: 'secret' } } })
      const given = await give({ ...upgraded, api: first.api })
      assert.equal(await nodeOf(given, 'slipway-local'), undefined)
      await first.again()
    })
  })
})
