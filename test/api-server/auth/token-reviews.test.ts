import assert from 'node:assert/strict'
import { createTokenReviews } from '../../../api-server/auth/token-reviews.ts'
import { manualClock } from '../../helpers/clock.ts'
import { memoryKube } from '../../helpers/memory-kube.ts'
import { type KubeIdentities, answering, kubeIdentities } from './kube-identities.ts'

const START = new Date('2026-01-01T00:00:00Z')

/** A JWT, as far as its own words about its end go. */
function tokenUntil(secondsFromStart: number): string {
  const exp = START.getTime() / 1000 + secondsFromStart
  return `head.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.signature`
}

describe('reviews of Kubernetes tokens', () => {
  const given = () => {
    const clock = manualClock(START)
    const identities: KubeIdentities = kubeIdentities()
    const client = answering(memoryKube(), identities)
    const knows = (token: string, username: string, audiences?: readonly string[]): void => {
      identities.users.set(token, { user: { username, groups: ['devs'] }, ...(audiences && { audiences }) })
    }
    return { clock, identities, knows, reviews: createTokenReviews({ client, audience: 'slipway', clock }) }
  }

  it('say whose a token is, and ask again after a minute', async () => {
    const { clock, identities, knows, reviews } = given()
    knows('t', 'alice', ['slipway'])
    assert.equal((await reviews.review('t'))?.name, 'alice')
    await clock.advance(59_999)
    assert.deepEqual((await reviews.review('t'))?.user.groups, ['devs'])
    assert.equal(identities.asked.length, 1)
    identities.users.clear()
    await clock.advance(1)
    assert.equal(await reviews.review('t'), undefined)
  })

  it('count no longer than the token does', async () => {
    const { clock, identities, knows, reviews } = given()
    const token = tokenUntil(10)
    knows(token, 'alice', ['slipway'])
    assert.equal((await reviews.review(token))?.name, 'alice')
    identities.users.clear()
    await clock.advance(9999)
    assert.equal((await reviews.review(token))?.name, 'alice')
    await clock.advance(1)
    assert.equal(await reviews.review(token), undefined)
  })

  it('keep no refusal, so that a new token counts at once', async () => {
    const { knows, reviews } = given()
    assert.equal(await reviews.review('t'), undefined)
    knows('t', 'alice', ['slipway'])
    assert.equal((await reviews.review('t'))?.name, 'alice')
  })

  it('take no token for another audience, nor one whose authenticator knows no audiences', async () => {
    const { knows, reviews } = given()
    knows('other', 'alice', ['https://kubernetes.default.svc'])
    knows('none', 'alice')
    assert.deepEqual([await reviews.review('other'), await reviews.review('none')], [undefined, undefined])
  })

  for (const name of ['', 'api', 'anonymous', 'kubectl (annotation)', 'a\nb', 'a\u202eb']) {
    it(`take no user who is called ${JSON.stringify(name)}, which would deceive who reads decisions`, async () => {
      const { knows, reviews } = given()
      knows('t', name, ['slipway'])
      assert.equal(await reviews.review('t'), undefined)
    })
  }

  it('cut a name that no status holds, and two that are cut stay two', async () => {
    const { knows, reviews } = given()
    knows('t1', `${'x'.repeat(300)}1`, ['slipway'])
    knows('t2', `${'x'.repeat(300)}2`, ['slipway'])
    const names = [(await reviews.review('t1'))?.name, (await reviews.review('t2'))?.name]
    assert.deepEqual(
      names.map((name) => name?.length),
      [200, 200],
    )
    assert.notEqual(names[0], names[1])
  })

  it('ask nothing about what is no token', async () => {
    const { identities, reviews } = given()
    await reviews.review('')
    await reviews.review('x'.repeat(20_000))
    assert.deepEqual(identities.asked, [])
  })

  it('are 503, not 401, when the control plane cannot be asked', async () => {
    const { identities, reviews } = given()
    identities.failure = new Error('connect ECONNREFUSED')
    await assert.rejects(reviews.review('t'), { code: 'unavailable', status: 503 })
  })
})
