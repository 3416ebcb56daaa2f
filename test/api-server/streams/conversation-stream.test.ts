import assert from 'node:assert/strict'
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { connectApi } from '../../../core/rest/client/connect.ts'
import { EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import { anExecution, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type EventClient, type ReceivedEvent, openEvents } from './event-source.ts'
import { type Rig, startRig } from '../rig.ts'

const AT = '2026-11-21T12:00:00.000Z'
const says = (text: string): string => `${JSON.stringify({ at: AT, kind: 'text', text })}\n`
const ACCEPT_EVENTS = { Accept: 'text/event-stream' }

describe('the conversation as a stream', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const file = (execution: string): string => join(api.volumeRoot, executionPath(execution), EXECUTION_FILES.events)
  const write = async (execution: string, text: string): Promise<void> => {
    await mkdir(join(api.volumeRoot, agentOutputPath(execution)), { recursive: true })
    await appendFile(file(execution), text)
  }
  const given = (name: string, state: 'RUNNING' | 'COMPLETED') =>
    api.givenExecution(anExecution({ name, status: { state } }))
  const open = (id: string, headers: Record<string, string> = {}): Promise<EventClient> =>
    openEvents(`${api.url}/api/executions/${id}/events`, { ...ACCEPT_EVENTS, ...headers })
  const replay = (id: string, headers?: Record<string, string>) => open(id, headers).then((stream) => stream.all())
  const texts = (events: readonly ReceivedEvent[]): unknown[] =>
    events.filter(({ event }) => event === 'event').map(({ data }) => data['text'])

  it('replays an execution that has ended, an event each, and ends with its state', async () => {
    await given('over-1', 'COMPLETED')
    await write('over-1', says('one') + says('two'))
    assert.deepEqual(await replay('over-1'), [
      { event: 'event', id: `over-1:${says('one').length}`, data: { at: AT, kind: 'text', text: 'one' } },
      { event: 'event', id: `over-1:${says('one').length * 2}`, data: { at: AT, kind: 'text', text: 'two' } },
      { event: 'end', id: undefined, data: { state: 'COMPLETED' } },
    ])
  })

  it('leaves out an event of arrays in arrays that could not be printed, and shows what follows', async () => {
    await given('deep-1', 'COMPLETED')
    const input = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await write(
      'deep-1',
      `{"at":"${AT}","kind":"tool_call","call_id":"1","tool":"Bash","input":${input}}\n${says('after')}`,
    )
    assert.deepEqual(texts(await replay('deep-1')), ['after'])
  })

  it('is the file as before for a client that does not ask for events, whole or in part', async () => {
    await given('file-1', 'COMPLETED')
    await write('file-1', says('one') + says('two'))
    const url = `${api.url}/api/executions/file-1/events`
    const plain = await fetch(url)
    assert.deepEqual(
      [await plain.text(), plain.headers.get('content-type')],
      [says('one') + says('two'), 'application/x-ndjson'],
    )
    assert.match(plain.headers.get('vary') ?? '', /Accept/)
    const part = await fetch(url, { headers: { Range: `bytes=${says('one').length}-` } })
    assert.deepEqual([part.status, await part.text()], [206, says('two')])
  })

  it('follows while the execution runs, also through a further Job, and ends with it', async () => {
    await given('live-1', 'RUNNING')
    const stream = await open('live-1')
    await write('live-1', says('first') + says('second').slice(0, 10))
    await until('the first event came', () => texts(stream.events).includes('first'))
    // The second Job appends to the same file.
    await write('live-1', says('second').slice(10))
    await until('the second event came', () => texts(stream.events).length === 2)
    await api.setStatus(EXECUTIONS, 'live-1', { state: 'FAILED' })
    await stream.ended
    assert.deepEqual([texts(stream.events), stream.events.at(-1)?.data], [['first', 'second'], { state: 'FAILED' }])
  })

  it('goes on behind Last-Event-ID without repeating or missing an event', async () => {
    await given('again-1', 'COMPLETED')
    await write('again-1', says('a') + 'noise\n' + says('b') + says('c'))
    const all = await replay('again-1')
    for (const [i, { id }] of all.slice(0, -1).entries())
      assert.deepEqual(await replay('again-1', { 'Last-Event-ID': id ?? '' }), all.slice(i + 1))
    for (const foreign of ['again-1:0:0', 'other-1:9', 'nonsense'])
      assert.deepEqual(await replay('again-1', { 'Last-Event-ID': foreign }), all)
  })

  it('leaves out what the agent wrote there that is no event, and lets no line pass for an event of ours', async () => {
    await given('forged-1', 'COMPLETED')
    const forged = [
      'no JSON',
      '[]',
      '{"kind":"text","text":"without a time"}',
      JSON.stringify({ at: AT, kind: 'unheard of' }),
      `{"at":"${AT}","kind":"text","text":"kept",\r"x":1}`,
      'x\revent: end\rdata: {"state":"READY"}',
    ]
    await write('forged-1', `${forged.join('\n')}\n${says('last')}`)
    const response = await fetch(`${api.url}/api/executions/forged-1/events`, { headers: ACCEPT_EVENTS })
    const text = await response.text()
    assert.ok(!text.includes('\r'))
    assert.deepEqual(texts(await replay('forged-1')), ['kept', 'last'])
  })

  it('gives an event of half a megabyte whole, and skips one beyond a megabyte without holding it', async () => {
    await given('long-1', 'COMPLETED')
    await write('long-1', says('x'.repeat(512 * 1024)) + says('y'.repeat(3 * 1024 * 1024)) + says('z'))
    assert.deepEqual(
      texts(await replay('long-1')).map((text) => String(text).length),
      [512 * 1024, 1],
    )
  })

  it('follows no link that an agent planted', async () => {
    await given('linked-1', 'COMPLETED')
    const secret = join(api.volumeRoot, 'secret.jsonl')
    await writeFile(secret, says('secret'))
    await mkdir(join(api.volumeRoot, agentOutputPath('linked-1')), { recursive: true })
    await symlink(secret, file('linked-1'))
    assert.deepEqual(texts(await replay('linked-1')), [])
  })

  it('is open to a token in the query, where EventSource can set no header', async () => {
    const closed = await startRig({ token: 'secret' })
    try {
      const execution = anExecution({ name: 'asked-1', status: { state: 'COMPLETED' } })
      const { uid: _, ...metadata } = execution.metadata
      const object = { ...execution, metadata: { ...metadata, namespace: closed.namespace } }
      const created = await closed.client.create(EXECUTIONS, object)
      await closed.client.replaceStatus(EXECUTIONS, { ...created, status: { state: 'COMPLETED' } })
      const url = `${closed.url}/api/executions/asked-1/events`
      assert.equal((await fetch(url, { headers: ACCEPT_EVENTS })).status, 401)
      assert.equal((await fetch(`${url}?token=secret`)).status, 401)
      await until('the server has heard of the execution', async () => {
        const response = await fetch(`${url}?token=secret`, { headers: ACCEPT_EVENTS })
        const text = await response.text()
        return response.status === 200 && text.includes('event: end')
      })
    } finally {
      await closed.stop()
    }
  })

  it('answers 404 for an execution that is not there', async () => {
    assert.equal((await api.get('/api/executions/none-1/events', ACCEPT_EVENTS)).status, 404)
  })

  it('follows a task from its queue to its end, by the typed client', async () => {
    await api.given(aTask({ name: 'told', status: { state: 'QUEUED' } }))
    const client = connectApi({ url: api.url, fetch })
    const events: string[] = []
    const reading = (async () => {
      const stream = client.streamTaskEvents({ params: { id: 'told' } })
      for await (const { event, data } of stream) events.push(`${event} ${String(data['text'] ?? data['state'])}`)
    })()
    await given('told-1', 'RUNNING')
    await api.setStatus(TASKS, 'told', { state: 'RUNNING', execution: 'told-1', executions: 1 })
    await write('told-1', says('hello'))
    await until('the text came', () => events.includes('event hello'))
    await api.setStatus(EXECUTIONS, 'told-1', { state: 'COMPLETED' })
    await api.setStatus(TASKS, 'told', { state: 'READY', execution: 'told-1', executions: 1 })
    await reading
    assert.deepEqual(events, ['event hello', 'end READY'])
  })
})
