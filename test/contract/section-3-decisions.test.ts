/** Section 3, what people decide about tasks: one server, each row with tasks of its own. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TaskState, TaskStatus } from '../../core/crd/types.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../api-server/rig.ts'
import { aTask, text } from '../helpers/build.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { row } from './contract.ts'

const STATES = [
  'PENDING',
  'QUEUED',
  'RUNNING',
  'READY',
  'COMPLETED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'BUDGET_EXCEEDED',
  'BLOCKED',
] as const satisfies TaskState[]

const question = { items: [{ text: text('Which?') }], askedAt: '2026-01-02T03:04:05Z' }

describe('the contract, section 3: decisions about tasks', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  /** A task in this state; answers its id. */
  async function given(state: TaskState, status: Partial<TaskStatus> = {}, spec = {}): Promise<string> {
    const name = `t-${randomUUID().slice(0, 8)}`
    const asked = state === 'BLOCKED' && !('conditions' in status) ? { question } : {}
    await api.given(aTask({ name, spec, status: { state, ...asked, ...status } }))
    return name
  }
  const task = async (id: string) => (await api.get(`/api/tasks/${id}`)).body
  const stateOf = async (id: string) => textAt(await task(id), 'state')
  const post = async (id: string, action: string, body?: unknown) => {
    const answer = await api.post(`/api/tasks/${id}/${action}`, body)
    return [answer.status, answer.body]
  }
  const otherThan = (...states: TaskState[]) => STATES.filter((state) => !states.includes(state))

  /** Each of these states refuses the action with 409 and these words, and stays. */
  async function refuses(action: string, done: string, states: readonly TaskState[], body?: unknown): Promise<void> {
    for (const state of states) {
      const id = await given(state)
      const error = `task cannot be ${done} from state ${state}`
      assert.deepEqual(await post(id, action, body), [409, { error }])
      assert.equal(await stateOf(id), state)
    }
  }

  row('3.task.accept', 'a READY task that is accepted is COMPLETED, and says who accepted it', async () => {
    const id = await given('READY')
    assert.deepEqual(await post(id, 'accept'), [200, { message: 'task accepted', task_id: id }])
    assert.equal(await stateOf(id), 'COMPLETED')
    const [decision] = itemsOf(at(await task(id), 'decisions'))
    assert.equal(at(decision, 'action'), 'accept')
    assert.equal(typeof at(decision, 'by'), 'string')
    assert.match(textAt(decision, 'at'), /^\d{4}-\d\d-\d\dT.*Z$/)
  })

  row('3.task.reject', 'a READY task that is rejected is PENDING and keeps the comment', async () => {
    const id = await given('READY')
    const answer = await post(id, 'reject', { comment: 'Too slow' })
    assert.deepEqual(answer, [200, { message: 'task rejected', task_id: id }])
    const record = await task(id)
    assert.deepEqual([at(record, 'state'), at(record, 'rejection_comment')], ['PENDING', 'Too slow'])
  })

  row('3.task.reject', 'a comment may be empty', async () => {
    const id = await given('READY')
    assert.deepEqual((await post(id, 'reject', { comment: '' }))[0], 200)
    assert.equal(await stateOf(id), 'PENDING')
  })

  row('3.task.decide-refused', 'every state but READY refuses accept and reject, and stays', async () => {
    await refuses('accept', 'accepted', otherThan('READY'))
    await refuses('reject', 'rejected', otherThan('READY'), { comment: 'no' })
  })

  row('3.task.cancel-waiting', 'a PENDING or QUEUED task is CANCELLED by the answer', async () => {
    for (const state of ['PENDING', 'QUEUED'] as const) {
      const id = await given(state)
      assert.deepEqual(await post(id, 'cancel'), [200, { message: 'task cancelled', task_id: id }])
      assert.equal(await stateOf(id), 'CANCELLED')
    }
  })

  row('3.task.cancel-waiting', 'so is a BLOCKED one, and one that waits for resume_after', async () => {
    const resumeAfter = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')
    const ids = [
      await given('BLOCKED'),
      await given('FAILED', { resumeAfter }),
      await given('BUDGET_EXCEEDED', { resumeAfter }),
    ]
    for (const id of ids) {
      assert.deepEqual(await post(id, 'cancel'), [200, { message: 'task cancelled', task_id: id }])
      assert.equal(await stateOf(id), 'CANCELLED')
    }
  })

  row('3.task.cancel-running', 'cancel of a RUNNING task is a request: 202, and again 202', async () => {
    const id = await given('RUNNING')
    const accepted = [202, { message: 'task cancellation requested', task_id: id }]
    assert.deepEqual(await post(id, 'cancel'), accepted)
    assert.deepEqual(await post(id, 'cancel'), accepted)
    assert.equal(await stateOf(id), 'RUNNING')
  })

  row('3.task.restart', 'a CANCELLED task that is run is QUEUED', async () => {
    const id = await given('CANCELLED')
    assert.deepEqual(await post(id, 'run'), [202, { message: 'task queued for execution', task_id: id }])
    assert.equal(await stateOf(id), 'QUEUED')
  })

  row('3.task.run-completed', 'a COMPLETED task refuses run with 409 and stays', async () => {
    await refuses('run', 'run', ['COMPLETED'])
  })

  row('3.task.run', 'PENDING, FAILED, TIMED_OUT, CANCELLED, BUDGET_EXCEEDED and BLOCKED are queued again', async () => {
    for (const state of otherThan('READY', 'QUEUED', 'RUNNING', 'COMPLETED')) {
      const id = await given(state)
      assert.deepEqual(await post(id, 'run'), [202, { message: 'task queued for execution', task_id: id }])
      assert.equal(await stateOf(id), 'QUEUED')
    }
  })

  row('3.task.run', 'agent type, model, question, error and attempts of the last run are gone', async () => {
    const status: Partial<TaskStatus> = {
      agent: { type: 'script', model: 'big', chosenBy: 'Model' },
      executions: 3,
      attempts: 3,
      error: { category: 'failed', message: text('it broke') },
      question,
    }
    const id = await given('FAILED', status, { agent: { instructions: 'true' } })
    assert.deepEqual(at(await task(id), ['agent', 'type']), 'script')
    assert.equal((await post(id, 'run'))[0], 202)
    const record = await task(id)
    const fields = [['agent', 'type'], ['agent', 'model'], 'question', 'error', 'error_category']
    assert.deepEqual(
      fields.map((field) => at(record, field)),
      [undefined, undefined, undefined, undefined, undefined],
    )
    assert.equal(at(record, 'attempts'), 0)
  })

  row(
    '3.task.run',
    'failed dependencies are reset and queued too, transitively; a PENDING one is waited for',
    async () => {
      const deepest = await given('CANCELLED')
      const failed = await given('FAILED', {}, { dependsOn: [deepest] })
      const pending = await given('PENDING')
      const done = await given('COMPLETED')
      const id = await given('PENDING', {}, { dependsOn: [failed, pending, done] })
      assert.equal((await post(id, 'run'))[0], 202)
      const states = await Promise.all([deepest, failed, pending, done, id].map(stateOf))
      assert.deepEqual(states, ['QUEUED', 'QUEUED', 'PENDING', 'COMPLETED', 'QUEUED'])
    },
  )

  row('3.task.resume', 'each of the four states is queued for resume, with its own message', async () => {
    const messages = {
      TIMED_OUT: 'timed out task queued for resume',
      CANCELLED: 'cancelled task queued for resume',
      FAILED: 'failed task queued for resume',
      BUDGET_EXCEEDED: 'budget exceeded task queued for resume',
    } as const
    for (const state of ['TIMED_OUT', 'CANCELLED', 'FAILED', 'BUDGET_EXCEEDED'] as const) {
      const id = await given(state)
      assert.deepEqual(await post(id, 'resume'), [202, { message: messages[state], task_id: id }])
      assert.equal(await stateOf(id), 'QUEUED')
    }
  })

  row('3.task.answer', 'a BLOCKED task that is answered is queued for resume, without its question', async () => {
    const id = await given('BLOCKED')
    assert.equal(at(await task(id), 'question'), 'Which?')
    assert.deepEqual(await post(id, 'answer', { answer: 'that' }), [
      202,
      { message: 'task queued for resume', task_id: id },
    ])
    const record = await task(id)
    assert.deepEqual([at(record, 'state'), at(record, 'question')], ['QUEUED', undefined])
  })

  row('3.task.answer', 'an empty answer is 400; without a question it is 409, drained FAILED tasks too', async () => {
    const id = await given('BLOCKED')
    assert.equal((await post(id, 'answer', { answer: '' }))[0], 400)
    assert.equal(await stateOf(id), 'BLOCKED')
    const drained = await given('FAILED', { question })
    assert.deepEqual(await post(drained, 'answer', { answer: 'x' }), [
      409,
      { error: 'task cannot be answered from state FAILED' },
    ])
    const waiting = await given('BLOCKED', { conditions: [] })
    assert.equal((await post(waiting, 'answer', { answer: 'x' }))[0], 409)
  })

  row('3.task.budget-restart', 'a BUDGET_EXCEEDED task that is run is QUEUED', async () => {
    const id = await given('BUDGET_EXCEEDED')
    assert.equal((await post(id, 'run'))[0], 202)
    assert.equal(await stateOf(id), 'QUEUED')
  })

  row('3.task.unlisted', 'run, cancel, resume and answer are refused in every state that is not listed', async () => {
    await refuses('run', 'run', ['READY', 'QUEUED', 'RUNNING'])
    await refuses('cancel', 'cancelled', ['COMPLETED', 'READY', 'TIMED_OUT', 'CANCELLED', 'FAILED', 'BUDGET_EXCEEDED'])
    await refuses('resume', 'resumed', ['PENDING', 'QUEUED', 'RUNNING', 'READY', 'COMPLETED', 'BLOCKED'])
    await refuses('answer', 'answered', otherThan('BLOCKED'), { answer: 'x' })
  })

  row('3.task.unlisted', 'any state but RUNNING can be deleted', async () => {
    for (const state of STATES) {
      const id = await given(state)
      const { status } = await api.delete(`/api/tasks/${id}`)
      assert.equal(status, state === 'RUNNING' ? 409 : 204, state)
      assert.equal(idsOf((await api.get('/api/tasks')).body).includes(id), state === 'RUNNING')
    }
  })
})
