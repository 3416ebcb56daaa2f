// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { ExecutionStatus, TaskStatus } from '../../../core/crd/types.ts'
import { asRecord } from '../../../core/json.ts'
import { omit } from '../../../core/omit.ts'
import { EVENTS, EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import { aTask, anAgent, anExecution } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { connectLive } from '../live/live-client.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

describe('messages over REST', () => {
  let api: Rig
  let count = 0
  before(async () => {
    api = await startRig()
    for (const adapter of ['claude', 'codex'] as const)
      await api.givenAgent(anAgent({ name: adapter, spec: { adapter } }))
  })
  after(() => api.stop())

  const given = async (agent = 'claude', status: TaskStatus = {}, ended: ExecutionStatus = {}): Promise<string> => {
    const name = `told-${(count += 1)}`
    const execution = `${name}-1`
    await api.givenExecution(anExecution({ name: execution, spec: { agent }, status: { state: 'RUNNING', ...ended } }))
    await api.given(aTask({ name, status: { state: 'RUNNING', execution, agent: { type: agent }, ...status } }))
    return name
  }
  const say = async (id: string, body: unknown, headers?: Record<string, string>): Promise<[number, string]> => {
    const answer = await api.post(`/api/tasks/${id}/messages`, body, headers)
    return [answer.status, textAt(answer.body, answer.status === 202 ? 'message' : 'error')]
  }
  const stored = async (id: string) =>
    (await api.client.get(EXECUTIONS, { namespace: api.namespace, name: `${id}-1` })).status?.messages ?? []

  it('are kept with who said them, and shown by the records of task and execution', async () => {
    const id = await given()
    const { status, body } = await api.post(`/api/tasks/${id}/messages`, { text: 'Use tabs.' })
    assert.deepEqual([status, body], [202, { message: 'message sent to the agent', task_id: id }])
    assert.deepEqual(await say(id, { text: 'Stop.', mode: 'interrupt' }), [202, 'message sent to the agent'])
    for (const path of [`/api/tasks/${id}`, `/api/executions/${id}-1`]) {
      const messages = itemsOf(at((await api.get(path)).body, 'messages'))
      assert.deepEqual(
        messages.map((message) => [at(message, 'mode'), at(message, 'by'), at(message, 'text')]),
        [
          ['steer', 'anonymous', 'Use tabs.'],
          ['interrupt', 'anonymous', 'Stop.'],
        ],
      )
      assert.match(textAt(messages[0], 'id'), /^[a-z0-9]{8,20}$/)
    }
  })

  it('are offered in the modes that the agent takes', async () => {
    const modes = async (id: string) => at((await api.get(`/api/tasks/${id}`)).body, 'message_modes')
    assert.deepEqual(await modes(await given()), ['queue', 'steer', 'interrupt'])
    assert.deepEqual(await modes(await given('codex')), ['queue'])
    assert.equal(await modes(await given('script')), undefined)
    assert.equal(await modes(await given('claude', { state: 'READY' })), undefined)
  })

  it('are refused in the order lookup, state, body', async () => {
    const broken = '{"text": '
    assert.equal((await say('nothing', broken))[0], 404)
    assert.deepEqual(await say(await given('claude', { state: 'READY' }), broken), [
      409,
      'task cannot be told anything from state READY',
    ])
    const [status, error] = await say(await given(), broken)
    assert.equal(status, 400)
    assert.match(error, /^invalid JSON: /)
  })

  for (const [title, body, error] of [
    ['empty', { text: ' ' }, 'text must not be empty'],
    ['missing', {}, /^text: /],
    ['more than 8 KiB', { text: 'é'.repeat(4097) }, 'text has 8194 bytes, more than 8192'],
    ['of no such mode', { text: 'a', mode: 'Steer' }, /^mode: /],
  ] as const)
    it(`are refused with 400 where they are ${title}`, async () => {
      const [status, said] = await say(await given(), body)
      assert.equal(status, 400)
      if (typeof error === 'string') assert.equal(said, error)
      else assert.match(said, error)
    })

  it('are refused by a script, a mode that the agent does not take, and an end that is asked for', async () => {
    assert.deepEqual(await say(await given('script'), { text: 'a' }), [
      409,
      'task cannot be told anything: its agent script runs a script, which takes no messages',
    ])
    assert.deepEqual(await say(await given('codex'), { text: 'a', mode: 'interrupt' }), [
      409,
      'task cannot be told anything: its agent codex takes messages in mode queue alone',
    ])
    const cancelled = await given('claude', { cancelRequestedAt: '2026-01-01T00:00:00Z' })
    assert.deepEqual(await say(cancelled, { text: 'a' }), [409, 'task cannot be told anything: it is being cancelled'])
    const ended = await given('claude', {}, { state: 'COMPLETED' })
    assert.deepEqual(await say(ended, { text: 'a' }), [409, 'task cannot be told anything: its run has just ended'])
  })

  it('are refused while 20 wait, and taken again when one was given', async () => {
    const id = await given()
    for (let n = 0; n < 20; n++) assert.equal((await say(id, { text: `${n}` }))[0], 202)
    const [status, error] = await say(id, { text: 'one more' })
    assert.equal(status, 409)
    assert.match(error, /20 messages wait for the agent already/)
    const messages = (await stored(id)).map((message, n) =>
      n === 0 ? { ...message, deliveredAt: '2099-01-01T00:00:00Z' } : message,
    )
    await api.setStatus(EXECUTIONS, `${id}-1`, { state: 'RUNNING', messages })
    await until('one is known to be given', async () => (await say(id, { text: 'one more' }))[0] === 202)
  })

  it('of people who speak at once stand all, each once', async () => {
    const id = await given()
    const texts = Array.from({ length: 15 }, (_, n) => `message of ${n}`)
    const answers = await Promise.all(texts.map((text) => say(id, { text })))
    assert.deepEqual(
      answers.map(([status]) => status),
      texts.map(() => 202),
    )
    const messages = await stored(id)
    assert.deepEqual(messages.map(({ text }) => text).sort(), texts.sort())
    const times = messages.map(({ at: time }) => time)
    assert.deepEqual(times, [...new Set(times)].sort(), 'their times tell their order')
  })

  it('leave an Event at the task, and ask for the version that If-Match names', async () => {
    const id = await given()
    assert.equal((await say(id, { text: 'a' }, { 'If-Match': '"another"' }))[0], 412)
    const etag = (await api.get(`/api/tasks/${id}`)).headers.get('etag') ?? ''
    assert.deepEqual(await say(id, { text: 'a' }, { 'If-Match': etag }), [202, 'message sent to the agent'])
    const { uid = '' } = (await api.client.get(TASKS, { namespace: api.namespace, name: id })).metadata
    await until('the Event is there', async () => {
      const fieldSelector = `involvedObject.name=${id},involvedObject.uid=${uid},reason=Message`
      const { items } = await api.client.list(EVENTS, { namespace: api.namespace, fieldSelector })
      return items.some(({ message }) => message === 'message sent to the agent by anonymous')
    })
  })

  it('are refused while work is checked, and offered again to who watches when a round begins', async () => {
    const id = await given()
    const live = await connectLive(api.url)
    const modes = async () => at((await api.get(`/api/tasks/${id}`)).body, 'message_modes')
    const last = () => live.messages.findLast(({ type, task_id }) => type === 'task_updated' && task_id === id)
    try {
      const time = { startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:01Z' }
      const phases = [
        { name: 'agent', ...time },
        { name: 'stage', ...time },
      ]
      await api.setStatus(EXECUTIONS, `${id}-1`, { state: 'RUNNING', phases })
      await until(
        'the task is sent without modes',
        () => at(last()?.task, 'message_modes') === undefined && last() !== undefined,
      )
      assert.equal(await modes(), undefined)
      const [status, error] = await say(id, { text: 'a' })
      assert.equal(status, 409)
      assert.match(error, /its agent has done its part, and the work is being checked: ask for changes \(revise\)/)
      await api.setStatus(EXECUTIONS, `${id}-1`, { state: 'RUNNING', rounds: 2, phases: [] })
      await until('the task is sent with modes', () => at(last()?.task, 'message_modes') !== undefined)
      assert.deepEqual(await say(id, { text: 'a' }), [202, 'message sent to the agent'])
    } finally {
      await live.close()
    }
  })

  it('are in the record of one task, and make no list and no live message of tasks longer', async () => {
    const id = await given()
    const live = await connectLive(api.url)
    try {
      await until('the task is listed', async () => (await api.get('/api/tasks')).text.includes(`"${id}"`))
      const lengthOf = async () => (await api.get('/api/tasks')).text.length
      const before = await lengthOf()
      for (const n of [1, 2, 3]) await say(id, { text: `${n} ${'x'.repeat(8000)}` })
      await until(
        'the record of the task has them',
        async () => itemsOf(at((await api.get(`/api/tasks/${id}`)).body, 'messages')).length === 3,
      )
      const lists = [await api.get('/api/tasks'), await api.get('/api/tasks?state=RUNNING')]
      for (const { text } of lists) assert.doesNotMatch(text, /xxx/)
      assert.ok((await lengthOf()) - before < 1000)
      await api.client.mergePatch(TASKS, { namespace: api.namespace, name: id }, { spec: { title: 'Another' } })
      const sent = () => live.messages.filter(({ type, task_id }) => type === 'task_updated' && task_id === id)
      await until('the task is sent', () => JSON.stringify(sent()).includes('Another'))
      assert.doesNotMatch(JSON.stringify(sent()), /xxx/)
    } finally {
      await live.close()
    }
  })

  it('reach who watches the task when they are said and when they are given', async () => {
    const id = await given()
    const live = await connectLive(api.url)
    try {
      await say(id, { text: 'Use tabs.' })
      const has = (type: string, word: string) => () =>
        live.messages.some(
          (message) => message.type === type && message.task_id === id && JSON.stringify(message).includes(word),
        )
      await until('the execution is sent', has('execution_updated', 'Use tabs.'))
      const messages = (await stored(id)).map((one) => ({ ...one, deliveredAt: '2099-01-01T00:00:00Z' }))
      await api.setStatus(EXECUTIONS, `${id}-1`, { state: 'RUNNING', messages })
      await until('the execution is sent again', has('execution_updated', '"delivered_at"'))
    } finally {
      await live.close()
    }
  })
})

describe('messages over REST under definitions of an earlier version', () => {
  let api: Rig
  before(async () => {
    api = await startRig({}, ({ client }) => {
      // As they do with fields that they do not know.
      const replaceStatus: typeof client.replaceStatus = (resource, object) =>
        client.replaceStatus(resource, resource.plural === EXECUTIONS.plural ? withoutMessages(object) : object)
      return Promise.resolve({ ...client, replaceStatus })
    })
    await api.givenAgent(anAgent({ name: 'claude', spec: { adapter: 'claude' } }))
  })
  after(() => api.stop())

  it('are refused, for nothing keeps them', async () => {
    await api.givenExecution(anExecution({ name: 'told-1', spec: { agent: 'claude' }, status: { state: 'RUNNING' } }))
    await api.given(
      aTask({ name: 'told', status: { state: 'RUNNING', execution: 'told-1', agent: { type: 'claude' } } }),
    )
    const answer = await api.post('/api/tasks/told/messages', { text: 'a' })
    assert.equal(answer.status, 409)
    assert.match(textAt(answer.body, 'error'), /of an earlier version; upgrade slipway-crds/)
  })
})

function withoutMessages<T extends object>(object: T): T {
  return { ...object, status: omit({ ...asRecord(asRecord(object)['status']) }, ['messages']) }
}
