import assert from 'node:assert/strict'
import { runAsLeader } from '../../kube/leader.ts'
import { type KubeClient, KubeError } from '../../kube/types.ts'
import { delay } from '../../lib/clock.ts'
import { type Contenders, createContenders } from './contenders.ts'

describe('who stands by for the leader', () => {
  let contenders: Contenders
  beforeEach(() => {
    contenders = createContenders()
  })
  afterEach(() => contenders.end())

  /** One leads and two stands by, as long as it takes for neither to be at a regular look. */
  const leadAndStandBy = async (verbs?: Partial<KubeClient>) => {
    const { clock, contend } = contenders
    const one = contend('one')
    await clock.advance(0)
    const two = contend('two', verbs)
    await clock.advance(1000)
    return { one, two }
  }

  it('leads in the moment in which the leader stops', async () => {
    const { clock, leading, lease } = contenders
    const { one } = await leadAndStandBy()
    await one.end()
    await clock.advance(0)
    assert.deepEqual([leading, lease().spec?.leaseTransitions], [['two'], 1])
  })

  it('waits until the work of a leader that stops has ended', async () => {
    const { clock, leading, optionsOf, contend } = contenders
    const stop = new AbortController()
    const finished = new AbortController()
    const running = runAsLeader(optionsOf('one'), stop.signal, () => delay(clock, 600_000, finished.signal))
    await clock.advance(0)
    contend('two')
    stop.abort()
    await clock.advance(60_000)
    assert.deepEqual(leading, [])
    finished.abort()
    await running
    await clock.advance(0)
    assert.deepEqual(leading, ['two'])
  })

  it('leads as soon as the time of a leader that was killed is over, however long ago it last looked', async () => {
    const { clock, leading } = contenders
    const { one } = await leadAndStandBy()
    await clock.advance(4500)
    one.cutOff()
    // Renewed at 5 s, for 15 s.
    await clock.advance(20_000 - 5500)
    assert.ok(!leading.includes('two'))
    await clock.advance(1)
    assert.deepEqual(leading, ['two'])
  })

  it('takes the lease within three seconds where watching it is forbidden', async () => {
    const { clock, leading } = contenders
    const forbidden = () => Promise.reject(new KubeError(403, 'Forbidden', 'cannot list leases'))
    const { one } = await leadAndStandBy({ list: forbidden })
    await one.end()
    await clock.advance(0)
    assert.deepEqual(leading, [])
    await clock.advance(3000)
    assert.deepEqual(leading, ['two'])
  })

  it('leaves a lease that somebody deletes to its leader', async () => {
    const { clock, terms, lease, deleteLease } = contenders
    await leadAndStandBy()
    deleteLease()
    await clock.advance(60_000)
    assert.deepEqual([terms, lease().spec?.holderIdentity], [['one'], 'one'])
  })

  it('takes a lease that somebody deleted when its leader does not come back', async () => {
    const { clock, leading, deleteLease } = contenders
    const { one } = await leadAndStandBy()
    one.cutOff()
    deleteLease()
    await clock.advance(15_001)
    assert.deepEqual(leading, ['two'])
  })

  it('gives back what it takes while it is told to stop', async () => {
    const { clock, client, terms, lease } = contenders
    const { one, two } = await leadAndStandBy({
      async replace(resource, object, options) {
        const written = await client.replace(resource, object)
        two.stop()
        options?.signal?.throwIfAborted()
        return written
      },
    })
    await one.end()
    await clock.advance(0)
    assert.deepEqual([terms, lease().spec?.holderIdentity], [['one'], ''])
  })
})
