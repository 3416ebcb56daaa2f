import assert from 'node:assert/strict'
import { runAsLeader } from '../../kube/leader.ts'
import { type Contenders, createContenders } from './contenders.ts'

describe('leader election', () => {
  let contenders: Contenders
  let clock: Contenders['clock']
  let leading: Contenders['leading']
  beforeEach(() => {
    contenders = createContenders()
    ;({ clock, leading } = contenders)
  })
  afterEach(() => contenders.end())
  const contend: Contenders['contend'] = (...args) => contenders.contend(...args)
  const lease: Contenders['lease'] = () => contenders.lease()

  it('makes one of two the leader, and keeps it while it renews', async () => {
    contend('one')
    await clock.advance(0)
    contend('two')
    await clock.advance(120_000)
    assert.deepEqual(leading, ['one'])
    assert.equal(lease().spec?.leaseTransitions, 0)
  })

  it('keeps its leader when somebody deletes the Lease', async () => {
    contend('one')
    await clock.advance(0)
    contenders.deleteLease()
    await clock.advance(20_000)
    assert.deepEqual([contenders.terms, lease().spec?.holderIdentity], [['one'], 'one'])
  })

  it('a leader that is cut off ends its work before the other begins', async () => {
    const one = contend('one')
    await clock.advance(0)
    contend('two')
    await clock.advance(7000)
    one.cutOff()
    let idleAt: number | undefined
    for (let second = 0; second < 40; second++) {
      await clock.advance(1000)
      if (leading.length === 0) idleAt ??= second
    }
    assert.deepEqual([contenders.most(), leading], [1, ['two']])
    assert.ok(idleAt !== undefined && idleAt < 10, 'the first has ended within the renewal deadline')
  })

  it('takes a crashed leader’s lease after its duration, not before', async () => {
    const one = contend('one')
    await clock.advance(0)
    one.cutOff()
    contend('two')
    await clock.advance(14_999)
    assert.ok(!leading.includes('two'))
    await clock.advance(2000)
    assert.deepEqual(leading, ['two'])
  })

  it('a failed renewal is repeated in time and costs nothing', async () => {
    const one = contend('one')
    await clock.advance(4999)
    one.cutOff()
    await clock.advance(3000)
    one.reconnect()
    await clock.advance(60_000)
    assert.deepEqual([leading, lease().spec?.leaseTransitions], [['one'], 0])
  })

  it('keeps leading when somebody else merely touches the lease', async () => {
    contend('one')
    await clock.advance(1000)
    contenders.touchLease()
    await clock.advance(60_000)
    assert.deepEqual([leading, lease().spec?.leaseTransitions], [['one'], 0])
  })

  it('leads again after losing it', async () => {
    const one = contend('one')
    await clock.advance(0)
    one.cutOff()
    await clock.advance(20_000)
    assert.deepEqual(leading, [])
    one.reconnect()
    await clock.advance(3000)
    assert.deepEqual(leading, ['one'])
  })

  it('ends, and gives the lease back, when the work ends by itself', async () => {
    await runAsLeader(contenders.optionsOf('one'), new AbortController().signal, () => Promise.resolve())
    assert.equal(lease().spec?.holderIdentity, '')
  })

  it('gives the lease back when the work fails, and rejects with its error', async () => {
    const failed = runAsLeader(contenders.optionsOf('one'), new AbortController().signal, () =>
      Promise.reject(new Error('broken')),
    )
    await assert.rejects(failed, /broken/)
    assert.equal(lease().spec?.holderIdentity, '')
  })
})
