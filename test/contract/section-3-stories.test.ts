/** Section 3, the statuses of stories, on one server without an operator. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StoryStatus } from '../../core/crd/types.ts'
import { type Rig, itemsOf, startRig } from '../api-server/rig.ts'
import { aStory } from '../helpers/build.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'

/** The rule as decided: from each status to these. */
const RULE: Readonly<Record<StoryStatus, readonly StoryStatus[]>> = {
  DISCOVERY: ['FRAMING', 'BACKLOG'],
  FRAMING: ['DISCOVERY', 'BACKLOG'],
  BACKLOG: ['FRAMING', 'PRIORITIZED'],
  PRIORITIZED: ['BACKLOG', 'IN_PROGRESS'],
  IN_PROGRESS: ['PRIORITIZED', 'VALIDATING', 'SHIPPABLE'],
  SHIPPABLE: ['VALIDATING', 'REVIEW_READY', 'IN_PROGRESS'],
  VALIDATING: ['REVIEW_READY', 'IN_PROGRESS'],
  REVIEW_READY: ['DONE', 'IN_PROGRESS'],
  DONE: [],
}
const STATUSES = Object.keys(RULE) as StoryStatus[]

describe('the contract, section 3: stories', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  async function given(status: StoryStatus): Promise<string> {
    const name = `s-${randomUUID().slice(0, 8)}`
    await api.givenStory(aStory({ name, status: { status } }))
    await until(`${name} is ${status}`, async () => (await statusOf(name)) === status)
    return name
  }
  const statusOf = async (id: string) => at((await api.get(`/api/stories/${id}`)).body, 'status')

  row('3.story.accept', 'a REVIEW_READY story that is accepted is DONE and has the event human_accepted', async () => {
    const id = await given('REVIEW_READY')
    assert.equal((await api.post(`/api/stories/${id}/accept`)).status, 200)
    assert.equal(await statusOf(id), 'DONE')
    const kinds = async () =>
      itemsOf((await api.get(`/api/stories/${id}/events`)).body).map((event) => at(event, 'kind'))
    await until('the event is there', async () => (await kinds()).includes('human_accepted'))
  })

  row('3.story.status', 'a move that the rule allows gives the story with its new status', async () => {
    const id = await given('DISCOVERY')
    const { status, body } = await api.put(`/api/stories/${id}/status`, { status: 'BACKLOG' })
    assert.deepEqual([status, at(body, 'id'), at(body, 'status')], [200, id, 'BACKLOG'])
  })

  row('3.story.status', 'an illegal move is 409, an unknown status 400 naming it, and nothing changes', async () => {
    const id = await given('DISCOVERY')
    const illegal = await api.put(`/api/stories/${id}/status`, { status: 'DONE' })
    assert.deepEqual([illegal.status, illegal.body], [409, { error: 'story cannot move from DISCOVERY to DONE' }])
    const unknown = await api.put(`/api/stories/${id}/status`, { status: 'SHIPPED' })
    assert.equal(unknown.status, 400)
    assert.match(textAt(unknown.body, 'error'), /SHIPPED|status/)
    assert.equal(await statusOf(id), 'DISCOVERY')
  })

  row('3.story.rule', 'every pair of statuses is allowed or refused as decided', async () => {
    for (const from of STATUSES) {
      const refusedHere = await given(from)
      for (const to of STATUSES.filter((status) => status !== from)) {
        const isAllowed = RULE[from].includes(to)
        const id = isAllowed ? await given(from) : refusedHere
        const { status, body } = await api.put(`/api/stories/${id}/status`, { status: to })
        assert.equal(status, isAllowed ? 200 : 409, `${from} → ${to}: ${JSON.stringify(body)}`)
        if (!isAllowed) assert.deepEqual(body, { error: `story cannot move from ${from} to ${to}` })
        assert.equal(await statusOf(id), isAllowed ? to : from)
      }
    }
  })
})
