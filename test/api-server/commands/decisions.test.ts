// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { TaskState, TaskStatus } from '../../../core/crd/types.ts'
import type { HumanTrigger } from '../../../core/task/transitions.ts'
import { TASKS } from '../../../kube/resources.ts'
import { aStory, aTask, text } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

/** One example of each answer; core's tests try every state and action. */
const TAKEN: readonly [action: HumanTrigger, from: TaskState, status: number, message: string, to: TaskState][] = [
  ['run', 'PENDING', 202, 'task queued for execution', 'QUEUED'],
  ['accept', 'READY', 200, 'task accepted', 'COMPLETED'],
  ['reject', 'READY', 200, 'task rejected', 'PENDING'],
  ['cancel', 'QUEUED', 200, 'task cancelled', 'CANCELLED'],
  ['cancel', 'RUNNING', 202, 'task cancellation requested', 'RUNNING'],
  ['revise', 'READY', 202, 'task queued for resume', 'QUEUED'],
  ['revise', 'CANCELLED', 202, 'task queued for resume', 'QUEUED'],
  ['resume', 'TIMED_OUT', 202, 'timed out task queued for resume', 'QUEUED'],
]

const REFUSED: readonly [action: HumanTrigger, done: string][] = [
  ['run', 'run'],
  ['accept', 'accepted'],
  ['revise', 'revised'],
  ['reject', 'rejected'],
  ['cancel', 'cancelled'],
  ['resume', 'resumed'],
  ['answer', 'answered'],
]

describe('decisions over REST', () => {
  let api: Rig
  let count = 0
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const given = (status: TaskStatus): Promise<string> => {
    const name = `decided-${(count += 1)}`
    return api.given(aTask({ name, status })).then(() => name)
  }

  for (const [action, from, code, message, to] of TAKEN) {
    it(`answers ${action} of a ${from} task with ${code}, and notes it`, async () => {
      const id = await given({ state: from })
      const sent = action === 'reject' || action === 'revise' ? { comment: 'no' } : undefined
      const { status, body } = await api.post(`/api/tasks/${id}/${action}`, sent)
      assert.deepEqual([status, body], [code, { message, task_id: id }])
      const after = (await api.get(`/api/tasks/${id}`)).body
      assert.deepEqual([at(after, 'state'), at(itemsOf(at(after, 'decisions')).at(-1), 'action')], [to, action])
    })
  }

  for (const [action, done] of REFUSED) {
    it(`refuses ${action} of a COMPLETED task with 409 and its code, and nothing changes`, async () => {
      const id = await given({ state: 'COMPLETED' })
      const { status, body, headers } = await api.post(`/api/tasks/${id}/${action}`)
      const error = `task cannot be ${done} from state COMPLETED`
      assert.deepEqual([status, body, headers.get('slipway-error')], [409, { error }, 'transition_refused'])
      assert.equal(at((await api.get(`/api/tasks/${id}`)).body, 'state'), 'COMPLETED')
    })
  }

  it('offers what the state of the task allows', async () => {
    const { body } = await api.get(`/api/tasks/${await given({ state: 'FAILED' })}`)
    assert.deepEqual(at(body, 'actions'), ['run', 'revise', 'resume'])
    const ready = await api.get(`/api/tasks/${await given({ state: 'READY' })}`)
    assert.deepEqual(at(ready.body, 'actions'), ['accept', 'revise', 'reject'])
  })

  for (const state of ['FAILED', 'BUDGET_EXCEEDED'] as const) {
    it(`cancels a ${state} task that waits for its next attempt`, async () => {
      const id = await given({ state, resumeAfter: '2099-01-01T00:00:00Z' })
      const { status, body } = await api.post(`/api/tasks/${id}/cancel`)
      assert.deepEqual([status, at(body, 'message')], [200, 'task cancelled'])
    })
  }

  it('wants to know what is to be changed, and names the field where nobody says', async () => {
    const id = await given({ state: 'READY' })
    for (const [sent, error] of [
      [{ comment: ' ' }, 'comment must not be empty'],
      [{}, /comment/],
      [{ comment: 'x'.repeat(65_537) }, /comment/],
    ] as const) {
      const { status, body } = await api.post(`/api/tasks/${id}/revise`, sent)
      assert.equal(status, 400)
      if (typeof error === 'string') assert.equal(textAt(body, 'error'), error)
      else assert.match(textAt(body, 'error'), error)
    }
    assert.equal(at((await api.get(`/api/tasks/${id}`)).body, 'state'), 'READY')
  })

  it('keeps the comment of a reject and who decided', async () => {
    const id = await given({ state: 'READY' })
    await api.post(`/api/tasks/${id}/reject`, { comment: 'more tests' })
    const { body } = await api.get(`/api/tasks/${id}`)
    assert.equal(at(body, 'rejection_comment'), 'more tests')
    const decision = at(body, 'decisions.0')
    assert.deepEqual(
      [at(decision, 'action'), at(decision, 'by'), at(decision, 'comment')],
      ['reject', 'anonymous', 'more tests'],
    )
  })

  it('keeps a comment of 64 KiB, and refuses a longer one', async () => {
    const id = await given({ state: 'READY' })
    const long = await api.post(`/api/tasks/${id}/reject`, { comment: 'x'.repeat(65_537) })
    assert.equal(long.status, 400)
    const comment = 'x'.repeat(65_536)
    assert.equal((await api.post(`/api/tasks/${id}/reject`, { comment })).status, 200)
    assert.ok(at((await api.get(`/api/tasks/${id}`)).body, 'rejection_comment') === comment)
  })

  it('takes a reject with an empty comment', async () => {
    const id = await given({ state: 'READY' })
    assert.equal((await api.post(`/api/tasks/${id}/reject`, { comment: '' })).status, 200)
  })

  it('judges a reject in the order lookup, state, body', async () => {
    const broken = '{"comment": '
    assert.equal((await api.post('/api/tasks/nothing/reject', broken)).status, 404)
    assert.equal((await api.post(`/api/tasks/${await given({ state: 'PENDING' })}/reject`, broken)).status, 409)
    const id = await given({ state: 'READY' })
    const { status, body } = await api.post(`/api/tasks/${id}/reject`, broken)
    assert.equal(status, 400)
    assert.ok(textAt(body, 'error').startsWith('invalid JSON: '), textAt(body, 'error'))
    const wrongType = await api.post(`/api/tasks/${id}/reject`, { comment: 7 })
    assert.deepEqual([wrongType.status, at(wrongType.body, 'error')], [400, 'comment: must be a text, not 7'])
    assert.equal(at((await api.get(`/api/tasks/${id}`)).body, 'state'), 'READY')
  })

  it('ignores body and content type of an action that takes none', async () => {
    const id = await given({ state: 'READY' })
    const { status } = await api.post(`/api/tasks/${id}/accept`, 'not json', { 'Content-Type': 'text/plain' })
    assert.equal(status, 200)
  })

  it('queues a blocked task with the answer to its question, and forgets the question', async () => {
    const question = { items: [{ text: text('Which?'), options: ['a', 'b'] }] }
    const id = await given({ state: 'BLOCKED', question })
    const before = (await api.get(`/api/tasks/${id}`)).body
    assert.deepEqual([at(before, 'question'), at(before, 'question_options')], ['Which?', ['a', 'b']])
    const empty = await api.post(`/api/tasks/${id}/answer`, { answer: ' ' })
    assert.deepEqual([empty.status, at(empty.body, 'error')], [400, 'answer must not be empty'])
    const unasked = await api.post(`/api/tasks/${id}/answer`, { answer: { 'Which?': 'a', 'Who?': 'b' } })
    const refusal = 'answer: nobody asked "Who?"; the questions are "Which?"'
    assert.deepEqual([unasked.status, at(unasked.body, 'error')], [400, refusal])
    const { status, body } = await api.post(`/api/tasks/${id}/answer`, { answer: { 'Which?': 'a' } })
    assert.deepEqual([status, body], [202, { message: 'task queued for resume', task_id: id }])
    const after = (await api.get(`/api/tasks/${id}`)).body
    assert.deepEqual([at(after, 'state'), at(after, 'question')], ['QUEUED', undefined])
  })

  it('refuses to run by an unknown agent, and a script by another agent', async () => {
    const id = await given({ state: 'FAILED' })
    const unknown = await api.post(`/api/tasks/${id}/run?agent=nobody`)
    assert.deepEqual([unknown.status, at(unknown.body, 'error')], [400, 'agent: agent nobody does not exist'])
    await api.givenAgent({
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Agent',
      metadata: { name: 'gemini' },
      spec: { adapter: 'gemini' },
    })
    const other = await api.post(`/api/tasks/${id}/run?agent=gemini`)
    assert.deepEqual([other.status, /script/.test(textAt(other.body, 'error'))], [400, true])
    assert.equal(at((await api.get(`/api/tasks/${id}`)).body, 'state'), 'FAILED')
  })

  it('resets failed dependencies first, transitively, and leaves a PENDING one alone', async () => {
    await api.given(aTask({ name: 'deep', status: { state: 'CANCELLED' } }))
    await api.given(aTask({ name: 'middle', spec: { dependsOn: ['deep'] }, status: { state: 'FAILED' } }))
    await api.given(aTask({ name: 'untouched' }))
    await api.given(aTask({ name: 'top', spec: { dependsOn: ['middle', 'untouched'] } }))
    assert.equal((await api.post('/api/tasks/top/run')).status, 202)
    const states = await Promise.all(
      ['deep', 'middle', 'untouched', 'top'].map(async (id) => at((await api.get(`/api/tasks/${id}`)).body, 'state')),
    )
    assert.deepEqual(states, ['QUEUED', 'QUEUED', 'PENDING', 'QUEUED'])
  })

  it('refuses to run, resume, answer or revise a task of a DONE story, and does not offer it', async () => {
    await api.givenStory(aStory({ name: 'over', status: { status: 'DONE' } }))
    const spec = { storyId: 'over' }
    const question = { items: [{ text: text('Which?') }] }
    await api.given(aTask({ name: 'of-done', spec, status: { state: 'FAILED' } }))
    await api.given(aTask({ name: 'asks', spec, status: { state: 'BLOCKED', question } }))
    await api.given(aTask({ name: 'undelivered', spec, status: { state: 'READY' } }))
    const paths = ['of-done/run', 'of-done/resume', 'of-done/revise', 'asks/run', 'asks/answer', 'undelivered/revise']
    for (const path of paths) {
      const sent = path.endsWith('revise') ? { comment: 'this' } : { answer: 'this' }
      const { status, body } = await api.post(`/api/tasks/${path}`, sent)
      assert.deepEqual([status, at(body, 'error')], [409, 'story is DONE'], path)
    }
    assert.deepEqual(at((await api.get('/api/tasks/of-done')).body, 'actions'), [])
    assert.deepEqual(at((await api.get('/api/tasks/asks')).body, 'actions'), ['cancel'])
    assert.deepEqual(at((await api.get('/api/tasks/undelivered')).body, 'actions'), ['accept', 'reject'])
  })

  it('judges by the live task what its cache may not show yet', async () => {
    const id = await given({ state: 'RUNNING' })
    await api.setStatus(TASKS, id, { state: 'READY' })
    assert.equal((await api.post(`/api/tasks/${id}/accept`)).status, 200)
  })

  it('lets one of many that accept at once win', async () => {
    const id = await given({ state: 'READY' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(`/api/tasks/${id}/accept`)))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409, 409, 409, 409, 409, 409, 409],
    )
  })

  it('refuses an accept whose If-Match names an older version, and says what changed', async () => {
    const id = await given({ state: 'READY' })
    const seen = (await api.get(`/api/tasks/${id}`)).headers.get('etag') ?? ''
    await api.post(`/api/tasks/${id}/reject`, { comment: '' })
    const { status, body } = await api.post(`/api/tasks/${id}/accept`, undefined, { 'If-Match': seen })
    assert.equal(status, 412)
    assert.match(
      textAt(body, 'error'),
      / read, in decisions, rejection_comment, state: its state is PENDING; last decision: reject by anonymous at /,
    )
    const now = (await api.get(`/api/tasks/${id}`)).headers.get('etag') ?? ''
    const current = await api.put(`/api/tasks/${id}`, { priority: 1 }, { 'If-Match': now })
    assert.equal(current.status, 200)
  })
})
