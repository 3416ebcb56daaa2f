import assert from 'node:assert/strict'
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentOutputPath, EXECUTION_FILES, executionPath } from '../../../core/execution/layout.ts'
import { EXECUTIONS, TASKS } from '../../../kube/resources.ts'
import { anExecution, aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { openEvents } from './event-source.ts'
import { type Rig, startRig } from '../rig.ts'

describe('the log stream of a task', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const file = (execution: string, stream: 'stdout' | 'stderr'): string =>
    join(api.volumeRoot, executionPath(execution), EXECUTION_FILES[stream])
  const prepare = (execution: string) => mkdir(join(api.volumeRoot, agentOutputPath(execution)), { recursive: true })
  const write = async (execution: string, stream: 'stdout' | 'stderr', text: string): Promise<void> => {
    await prepare(execution)
    await appendFile(file(execution, stream), text)
  }
  const givenRunning = async (name: string): Promise<void> => {
    await api.givenExecution(anExecution({ name: `${name}-1`, status: { state: 'RUNNING' } }))
    await api.given(aTask({ name, status: { state: 'RUNNING', execution: `${name}-1`, executions: 1 } }))
  }
  const finish = async (name: string): Promise<void> => {
    await api.setStatus(EXECUTIONS, `${name}-1`, { state: 'COMPLETED' })
    await api.setStatus(TASKS, name, { state: 'READY', execution: `${name}-1`, executions: 1 })
  }
  const open = (path: string, headers?: Record<string, string>) => openEvents(`${api.url}/api/tasks/${path}`, headers)

  it('replays a finished execution, a line each with its stream, and ends with the state', async () => {
    await givenRunning('finished')
    await write('finished-1', 'stdout', 'one\r\ntwo\nno line feed')
    await write('finished-1', 'stderr', 'bad\n')
    await finish('finished')
    const events = await open('finished/logs/stream').then((stream) => stream.all())
    const lines = events.filter(({ event }) => event === 'log').map(({ data }) => data)
    const of = (stream: string) => lines.filter((data) => data['stream'] === stream).map((data) => data['line'])
    assert.deepEqual([of('stdout'), of('stderr')], [['one', 'two', 'no line feed'], ['bad']])
    assert.deepEqual(events.at(-1), { event: 'end', id: undefined, data: { state: 'READY' } })
  })

  it('sends lines as they are written, not before they are complete, and ends with the execution', async () => {
    await givenRunning('live')
    const stream = await open('live/logs/stream')
    await write('live-1', 'stdout', 'first\nsec')
    await until('the first line came', () => stream.lines().includes('first'))
    await write('live-1', 'stdout', 'ond\n')
    await until('the second line came whole', () => stream.lines().join() === 'first,second')
    await finish('live')
    await stream.ended
    assert.deepEqual(stream.events.at(-1)?.data, { state: 'READY' })
  })

  it('goes on behind Last-Event-ID without repeating or missing a line', async () => {
    await givenRunning('resumed')
    await write('resumed-1', 'stdout', 'a\nb\nc\n')
    await write('resumed-1', 'stderr', 'x\ny\n')
    await finish('resumed')
    const all = await open('resumed/logs/stream').then((stream) => stream.all())
    const logs = all.filter(({ event }) => event === 'log')
    for (const [i, { id }] of logs.entries()) {
      const rest = await open('resumed/logs/stream', { 'Last-Event-ID': id ?? '' }).then((stream) => stream.all())
      assert.deepEqual(rest, all.slice(i + 1))
    }
  })

  it('waits for the execution of a QUEUED task, and does not replay the one before', async () => {
    await api.givenExecution(anExecution({ name: 'again-1', status: { state: 'FAILED' } }))
    await write('again-1', 'stdout', 'old\n')
    await api.given(aTask({ name: 'again', status: { state: 'QUEUED', execution: 'again-1', executions: 1 } }))
    const stream = await open('again/logs/stream')
    await api.givenExecution(
      anExecution({ name: 'again-2', spec: { taskRef: { name: 'again' } }, status: { state: 'RUNNING' } }),
    )
    await api.setStatus(TASKS, 'again', { state: 'RUNNING', execution: 'again-2', executions: 2 })
    await write('again-2', 'stdout', 'new\n')
    await until('the new line came', () => stream.lines().length > 0)
    await api.setStatus(EXECUTIONS, 'again-2', { state: 'FAILED' })
    await api.setStatus(TASKS, 'again', { state: 'FAILED', execution: 'again-2', executions: 2 })
    await stream.ended
    assert.deepEqual(stream.lines(), ['new'])
    assert.deepEqual(stream.events.at(-1)?.data, { state: 'FAILED' })
  })

  it('ends at once for a task that never ran', async () => {
    await api.given(aTask({ name: 'never' }))
    const events = await open('never/logs/stream').then((stream) => stream.all())
    assert.deepEqual(events, [{ event: 'end', id: undefined, data: { state: 'PENDING' } }])
  })

  it('waits for the execution of a task that its run policy queues at once', async () => {
    await api.given(aTask({ name: 'auto', spec: { runPolicy: 'Auto' } }))
    const stream = await open('auto/logs/stream')
    await api.givenExecution(anExecution({ name: 'auto-1', status: { state: 'RUNNING' } }))
    const queuedAt = '2026-11-21T12:00:00Z'
    await api.setStatus(TASKS, 'auto', { state: 'RUNNING', queuedAt, execution: 'auto-1', executions: 1 })
    await write('auto-1', 'stdout', 'begun\n')
    await until('the first line came', () => stream.lines().includes('begun'))
    await finish('auto')
    await stream.ended
    assert.deepEqual(stream.events.at(-1)?.data, { state: 'READY' })
  })

  it('streams the execution that the caller names, and only one of that task', async () => {
    await api.givenExecution(anExecution({ name: 'named-1', status: { state: 'TIMED_OUT' } }))
    await write('named-1', 'stdout', 'hello\n')
    await api.given(aTask({ name: 'named', status: { state: 'FAILED', executions: 2, execution: 'named-2' } }))
    const stream = await open('named/logs/stream?execution=named-1')
    await stream.ended
    assert.deepEqual([stream.lines(), stream.events.at(-1)?.data], [['hello'], { state: 'TIMED_OUT' }])
    const other = await api.get('/api/tasks/named/logs/stream?execution=live-1')
    assert.deepEqual([other.status, at(other.body, 'error')], [404, 'execution not found'])
  })

  it('follows no link that an agent planted', async () => {
    await givenRunning('linked')
    await prepare('linked-1')
    const secret = join(api.volumeRoot, 'secret')
    await writeFile(secret, 'secret\n')
    await symlink(secret, file('linked-1', 'stdout'))
    await finish('linked')
    const events = await open('linked/logs/stream').then((stream) => stream.all())
    assert.deepEqual(
      events.map(({ event }) => event),
      ['end'],
    )
    assert.equal((await api.get('/api/executions/linked-1/stdout')).status, 404)
  })

  it('gives a line of a megabyte in pieces that together are the line', async () => {
    await givenRunning('long')
    const line = 'x'.repeat(1024 * 1024)
    await write('long-1', 'stdout', `${line}\n`)
    await finish('long')
    const stream = await open('long/logs/stream')
    await stream.ended
    assert.ok(stream.lines().join('') === line)
    assert.ok(stream.lines().length > 1)
  })
})
