/** A node and its name: beside one of another name, and at a stop. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LEASES, NODES } from '../../kube/resources.ts'
import { podDir } from '../../node/layout.ts'
import { LEASE_NAMESPACE } from '../../node/lease.ts'
import { type Given, type GivenNode, type TestPod, givenNode } from './given.ts'

describe('a node among others', () => {
  const givens: GivenNode[] = []
  const give = async (options: Given = {}): Promise<GivenNode> => {
    const given = await givenNode(options)
    givens.push(given)
    return given
  }
  afterEach(async () => {
    for (const given of givens.splice(0).toReversed()) await given.end()
  })
  const selecting = (node: string): Partial<TestPod> => ({ nodeSelector: { 'kubernetes.io/hostname': node } })
  const nodeOf = (given: GivenNode, name = 'here') => given.api.client.find(NODES, { name })

  it('and one of another name do not touch each other: not what runs, not at a start, not at a stop', async () => {
    const here = await give({ name: 'here' })
    const there = await give({ name: 'there', api: here.api })
    const wait = { script: `until [ -e ${here.volume}/gate ]; do sleep 0.02; done` }
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

  describe('at a stop', () => {
    it('is removed with its Lease when nothing of it runs any more', async () => {
      const given = await give()
      await given.run({ ...selecting('here') })
      await given.finished('pod')
      await given.node.stop()
      assert.equal(await nodeOf(given), undefined)
      assert.equal(await given.api.client.find(LEASES, { namespace: LEASE_NAMESPACE, name: 'here' }), undefined)
      await given.again()
    })

    it('stays for pods that go on, which a cluster would remove without it', async () => {
      const given = await give()
      await given.run({ script: 'sleep 60', ...selecting('here') })
      await given.running('pod')
      await given.node.stop()
      assert.notEqual(await nodeOf(given), undefined)
      await given.again()
    })
  })
})
