// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { StoryStatus } from '../../../core/crd/types.ts'
import { STORIES, STORY_EVENTS } from '../../../kube/resources.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

describe('decisions about stories over REST', () => {
  let api: Rig
  let stories = 0
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const CRITERIA = ['It works.', 'It is fast.']
  const given = async (status: StoryStatus): Promise<string> => {
    const name = `story-${(stories += 1)}`
    await api.givenStory(aStory({ name, spec: { acceptanceCriteria: CRITERIA }, status: { status } }))
    await until(`${name} is ${status}`, async () => {
      const answer = await api.get(`/api/stories/${name}`)
      return answer.status === 200 && at(answer.body, 'status') === status
    })
    return name
  }
  const errorOf = (answer: { body: Parameters<typeof at>[0] }): string => textAt(answer.body, 'error')

  it('moves a story, and answers with its record', async () => {
    const id = await given('BACKLOG')
    const answer = await api.put(`/api/stories/${id}/status`, { status: 'PRIORITIZED' })
    assert.deepEqual([answer.status, at(answer.body, 'status')], [200, 'PRIORITIZED'])
    assert.equal(at((await api.get(`/api/stories/${id}`)).body, 'status'), 'PRIORITIZED')
  })

  it('refuses a move that the table does not have with 409 and its code, and nothing changes', async () => {
    const id = await given('BACKLOG')
    const answer = await api.put(`/api/stories/${id}/status`, { status: 'SHIPPABLE' })
    const error = 'story cannot move from BACKLOG to SHIPPABLE'
    assert.deepEqual(
      [answer.status, errorOf(answer), answer.headers.get('slipway-error')],
      [409, error, 'transition_refused'],
    )
    assert.equal(at((await api.get(`/api/stories/${id}`)).body, 'status'), 'BACKLOG')
  })

  it('looks for the story first, then at its status, then at the body', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    assert.equal((await api.request('PUT', '/api/stories/nothing/status', 'x', headers)).status, 404)
    const done = await given('DONE')
    const refused = await api.request('PUT', `/api/stories/${done}/status`, 'x', headers)
    assert.deepEqual([refused.status, errorOf(refused)], [409, 'story cannot move from DONE'])
    const open = await given('BACKLOG')
    assert.equal((await api.request('PUT', `/api/stories/${open}/status`, 'x', headers)).status, 415)
    const unknown = await api.put(`/api/stories/${open}/status`, { status: 'NOWHERE' })
    assert.equal(unknown.status, 400)
    assert.match(errorOf(unknown), /NOWHERE/)
    const broken = await api.put(`/api/stories/${open}/status`, '{')
    assert.equal(broken.status, 400)
    assert.match(errorOf(broken), /^invalid JSON: /)
    assert.equal((await api.put(`/api/stories/${open}/status`, {})).status, 400)
  })

  it('accepts a REVIEW_READY story once, and records who did it', async () => {
    const id = await given('REVIEW_READY')
    const accepted = await api.post(`/api/stories/${id}/accept`)
    assert.deepEqual(
      [accepted.status, at(accepted.body, 'message'), at(accepted.body, 'status'), at(accepted.body, 'actions')],
      [200, 'story accepted', 'DONE', []],
    )
    const again = await api.post(`/api/stories/${id}/accept`)
    assert.deepEqual([again.status, errorOf(again)], [409, 'story cannot be accepted from status DONE'])
    const events = itemsOf((await api.get(`/api/stories/${id}/events`)).body)
    assert.deepEqual(
      events.map((event) => [at(event, 'kind'), at(event, 'by'), at(event, 'story_id')]),
      [['human_accepted', 'anonymous', id]],
    )
  })

  it('is accepted by one of ten who try at the same time', async () => {
    const id = await given('REVIEW_READY')
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`/api/stories/${id}/accept`)))
    const counted = [200, 409].map((status) => answers.filter((answer) => answer.status === status).length)
    assert.deepEqual(counted, [1, 9])
    assert.equal(itemsOf((await api.get(`/api/stories/${id}/events`)).body).length, 1)
  })

  it('leaves READY tasks READY when their story is accepted', async () => {
    const id = await given('REVIEW_READY')
    await api.given(aTask({ name: 'still-ready', spec: { storyId: id }, status: { state: 'READY' } }))
    await api.post(`/api/stories/${id}/accept`)
    assert.equal(at((await api.get('/api/tasks/still-ready')).body, 'state'), 'READY')
  })

  it('runs the PENDING tasks of a story in chain order, but neither others nor subtasks', async () => {
    const id = await given('PRIORITIZED')
    const path = `/api/stories/${id}/tasks`
    await api.given(aTask({ name: 'r-1', spec: { storyId: id }, status: { state: 'READY' } }))
    for (const task of ['r-2', 'r-3']) await api.post(path, { id: task, name: task })
    await api.post(path, { id: 'r-sub', name: 'Sub', parent_task_id: 'r-3' })
    const { status, body } = await api.post(`/api/stories/${id}/run`)
    assert.deepEqual(
      [status, at(body, 'message'), at(body, 'task_ids'), at(body, 'id')],
      [202, '2 tasks queued for execution', ['r-2', 'r-3'], id],
    )
    const tasks = itemsOf((await api.get(path)).body)
    const states = tasks.map((task) => `${textAt(task, 'id')},${textAt(task, 'state')}`)
    assert.deepEqual(states.sort(), ['r-1,READY', 'r-2,QUEUED', 'r-3,QUEUED', 'r-sub,PENDING'])
    assert.match(textAt((await api.get('/api/tasks/r-3')).body, 'waiting_for'), /r-2/)
    const again = await api.post(`/api/stories/${id}/run`)
    assert.deepEqual([again.status, at(again.body, 'task_ids')], [202, []])
  })

  it('refuses to run a DONE story, or a task of it', async () => {
    const id = await given('REVIEW_READY')
    await api.given(aTask({ name: 'too-late', spec: { storyId: id } }))
    await api.post(`/api/stories/${id}/accept`)
    for (const path of [`/api/stories/${id}/run`, '/api/tasks/too-late/run']) {
      const answer = await api.post(path)
      assert.deepEqual([answer.status, errorOf(answer)], [409, 'story is DONE'])
    }
  })

  it('keeps what others tell of a story, newest first, and takes nobody’s word for an acceptance', async () => {
    const id = await given('VALIDATING')
    const path = `/api/stories/${id}/events`
    const payload = { criterion: 'It works.', verdict: 'passed', nested: { deep: [1, null, 'x'] } }
    const first = await api.post(path, { kind: 'eval_verdict', payload })
    assert.equal(first.status, 201)
    assert.deepEqual([at(first.body, 'payload'), at(first.body, 'by')], [payload, 'anonymous'])
    const second = await api.post(path, { kind: 'retro_captured' })
    assert.deepEqual(at(second.body, 'payload'), {})
    assert.deepEqual(idsOf((await api.get(path)).body), [at(second.body, 'id'), at(first.body, 'id')])
    for (const kind of ['human_accepted', 'made_up']) {
      const refused = await api.post(path, { kind })
      assert.equal(refused.status, 400)
      assert.match(errorOf(refused), new RegExp(`kind: .*${kind}`))
    }
    assert.equal((await api.post('/api/stories/nothing/events', { kind: 'retro_captured' })).status, 404)
  })

  it('shows a verdict in the next read of the story, and in lists, before the operator has counted it', async () => {
    const id = await given('VALIDATING')
    const before = await api.get(`/api/stories/${id}`)
    const tell = (criterion: string, verdict: string) =>
      api.post(`/api/stories/${id}/events`, { kind: 'eval_verdict', payload: { criterion, verdict } })
    assert.equal((await tell('It works.', 'pass')).status, 201)
    const { body, headers } = await api.get(`/api/stories/${id}`)
    const counts = ['total', 'passed', 'failed', 'pending'].map((name) => at(body, ['evaluation', name]))
    assert.deepEqual(counts, [2, 1, 0, 1])
    assert.notEqual(headers.get('etag'), before.headers.get('etag'))
    assert.equal((await tell('It works.', 'fail')).status, 201)
    const listed = itemsOf((await api.get('/api/stories')).body).find((story) => at(story, 'id') === id)
    assert.deepEqual([at(listed, ['evaluation', 'passed']), at(listed, ['evaluation', 'failed'])], [0, 1])
    const [verdict] = itemsOf(at(listed, ['evaluation', 'verdicts']))
    assert.deepEqual([at(verdict, 'verdict'), at(verdict, 'by')], ['failed', 'anonymous'])
  })

  const uncounted: readonly [what: string, kind: string, payload: object | undefined, because: string][] = [
    [
      'of another criterion',
      'eval_verdict',
      { criterion: 'It work.', verdict: 'pass' },
      'payload.criterion: must be a criterion of the story, word for word: one of “It works.”, “It is fast.”',
    ],
    [
      'of no criterion',
      'eval_verdict',
      undefined,
      'payload.criterion: must be a criterion of the story, word for word: one of “It works.”, “It is fast.”',
    ],
    [
      'that is no verdict',
      'eval_verdict',
      { criterion: 'It works.', verdict: 'maybe' },
      'payload.verdict: must be one of pass, fail, unknown',
    ],
    [
      'that decides nothing',
      'arbitration_decided',
      { criterion: 'It works.', verdict: 'pass' },
      'payload.decided: must be one of pass, fail, unknown',
    ],
    [
      'of another round',
      'eval_verdict',
      { criterion: 'It works.', verdict: 'pass', round: 3 },
      'payload.round: 3 is not the present round; leave it out',
    ],
  ]
  for (const [what, kind, payload, because] of uncounted) {
    it(`refuses a verdict ${what}, which could never count, with 400 saying why`, async () => {
      const id = await given('IN_PROGRESS')
      const answer = await api.post(`/api/stories/${id}/events`, {
        kind,
        ...(payload === undefined ? {} : { payload }),
      })
      assert.deepEqual([answer.status, errorOf(answer)], [400, because])
    })
  }

  it('refuses a verdict on a story without criteria', async () => {
    await api.givenStory(aStory({ name: 'uncriterial', status: { status: 'IN_PROGRESS' } }))
    const payload = { criterion: 'It works.', verdict: 'pass' }
    const answer = await api.post('/api/stories/uncriterial/events', { kind: 'eval_verdict', payload })
    assert.equal(answer.status, 400)
    assert.match(errorOf(answer), /it has none; add it first$/)
  })

  it('lets the events of a story go with it', async () => {
    const id = await given('BACKLOG')
    await api.post(`/api/stories/${id}/events`, { kind: 'epic_proposed' })
    await api.delete(`/api/stories/${id}`)
    await until('the events are collected', async () => {
      const { items } = await api.client.list(STORY_EVENTS, { namespace: api.namespace })
      return items.every(({ spec }) => spec.storyId !== id)
    })
    assert.equal(await api.client.find(STORIES, { namespace: api.namespace, name: id }), undefined)
  })

  it('draws the graph of a story with its subtasks and its validation', async () => {
    await api.post('/api/stories', { id: 'drawn', name: 'Drawn', validation: { type: 'smoke' } })
    for (const task of ['g-1', 'g-2']) await api.post('/api/stories/drawn/tasks', { id: task, name: `Task ${task}` })
    await api.given(aTask({ name: 'g-1a', spec: { title: 'Part', parentTaskId: 'g-1' } }))
    const { status, body } = await api.get('/api/stories/drawn/graph')
    assert.equal(status, 200)
    assert.deepEqual(
      itemsOf(at(body, 'nodes'))
        .map((node) => `${textAt(node, 'id')} ${textAt(node, 'role')}`)
        .sort(),
      ['drawn:validation validation', 'g-1 root', 'g-1a subtask', 'g-2 task'],
    )
    assert.deepEqual(
      itemsOf(at(body, 'edges'))
        .map((edge) => `${textAt(edge, 'from')} ${textAt(edge, 'kind')} ${textAt(edge, 'to')}`)
        .sort(),
      ['g-1 depends_on g-2', 'g-1 parent_task_id g-1a', 'g-2 depends_on drawn:validation'],
    )
  })
})
