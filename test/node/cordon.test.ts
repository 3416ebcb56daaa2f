import assert from 'node:assert/strict'
import { NODES } from '../../kube/resources.ts'
import { until } from '../helpers/until.ts'
import { type GivenNode, givenNode, hurried } from './given.ts'

describe('a cordoned node', () => {
  let given: GivenNode
  beforeEach(async () => {
    given = await givenNode({ clock: hurried })
  })
  afterEach(() => given.end())

  /** As kubectl cordon and uncordon do. */
  const cordon = (unschedulable: boolean): Promise<unknown> =>
    given.api.client.mergePatch(NODES, { name: 'here' }, { spec: { unschedulable } })
  const scheduled = (name: string) =>
    given.api.getPod(name).status?.conditions?.find(({ type }) => type === 'PodScheduled')

  it('takes no pod and says on it why, until it is uncordoned', async () => {
    await cordon(true)
    await given.run({ name: 'late' })
    await until('the pod says why it waits', () => scheduled('late')?.status === 'False')
    const { status, reason, message } = scheduled('late') ?? {}
    assert.deepEqual(
      [status, reason, message],
      [
        'False',
        'Unschedulable',
        '0/1 nodes are available: 1 node(s) were unschedulable; to go on: kubectl uncordon here',
      ],
    )
    assert.equal(given.api.getPod('late').spec.nodeName, undefined)
    await cordon(false)
    const { status: end } = await given.finished('late')
    assert.deepEqual([end?.phase, scheduled('late')?.status], ['Succeeded', 'True'])
  })

  it('goes on with the pods that it has', async () => {
    await given.run({ name: 'early', script: 'sleep 600' })
    await given.running('early')
    await cordon(true)
    await given.run({ name: 'late' })
    await until('the late pod waits', () => scheduled('late')?.status === 'False')
    assert.equal(given.api.getPod('early').status?.phase, 'Running')
  })
})
