import assert from 'node:assert/strict'
import { watchCommand } from '../../../cli/commands/watch.ts'
import { TASKS } from '../../../kube/resources.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aProject, aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { type TcpProxy, startTcpProxy } from '../../helpers/tcp-proxy.ts'
import { until } from '../../helpers/until.ts'
import { fakeScreen } from './fake-screen.ts'
import { type Circumstances, runCommand } from './run-command.ts'

describe('watching tasks on the command line', () => {
  let api: Rig
  let proxy: TcpProxy
  let person: AbortController
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  beforeEach(async () => {
    person = new AbortController()
    proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(api.url).port) })
  })
  afterEach(async () => {
    person.abort()
    await proxy.stop()
  })

  const watch = (words: readonly string[], more: Circumstances = {}) => {
    const seen = { out: '', err: '' }
    const server = `http://127.0.0.1:${proxy.port}`
    const ended = runCommand(watchCommand, words, server, { ...more, seen, signal: person.signal })
    return {
      seen,
      /** Fails at once if the command has ended. */
      shows: (what: RegExp, where: 'out' | 'err' = 'out') =>
        Promise.race([
          until(`${where} has ${what}`, () => what.test(seen[where])),
          ended.then(({ code }) => assert.fail(`ended with ${code}: ${seen.err}`)),
        ]),
      pressCtrlC: async () => {
        person.abort()
        return (await ended).code
      },
    }
  }
  const told = (out: string): string[] =>
    out
      .trimEnd()
      .replaceAll(/^\S+Z /gm, '')
      .split('\n')

  it('prints what is there and each change of state and reason, and ends well at Ctrl-C', async () => {
    await api.given(aTask({ name: 'one', status: { state: 'QUEUED' } }))
    const { seen, shows, pressCtrlC } = watch([])
    await shows(/one QUEUED/)
    await api.setStatus(TASKS, 'one', { state: 'RUNNING' })
    await shows(/one RUNNING/)
    await api.given(aTask({ name: 'two', status: { state: 'READY' } }))
    await shows(/two READY/)
    await api.delete('/api/tasks/two')
    await shows(/two deleted/)
    assert.equal(await pressCtrlC(), 0)
    const lines = told(seen.out).filter((line) => !/^one QUEUED|^two PENDING/.test(line))
    assert.deepEqual(lines, ['one RUNNING', 'two READY', 'two deleted'])
    assert.match(seen.out, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ one /)
    assert.equal(seen.err, '')
  })

  it('prints records for scripts, one on a line, and only those that are wanted', async () => {
    await api.givenProject(aProject({ name: 'shop' }))
    await api.given(aTask({ name: 'ours', spec: { project: 'shop' }, status: { state: 'READY', summary: '\u009b2J' } }))
    await api.given(aTask({ name: 'theirs', status: { state: 'READY' } }))
    await api.given(aTask({ name: 'early', spec: { project: 'shop' }, status: { state: 'RUNNING' } }))
    const { seen, shows, pressCtrlC } = watch(['-o', 'json', '--project', 'shop', '--state', 'ready'])
    await shows(/"ours"/)
    await api.setStatus(TASKS, 'early', { state: 'READY' })
    await shows(/"early"/)
    await api.setStatus(TASKS, 'early', { state: 'COMPLETED' })
    await shows(/COMPLETED/)
    await api.delete('/api/tasks/ours')
    await shows(/"deleted"/)
    assert.equal(await pressCtrlC(), 0)
    const records = seen.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const states = records.map(({ id, state, deleted }) => `${id} ${state ?? deleted}`)
    assert.deepEqual([...new Set(states)], ['ours READY', 'early READY', 'early COMPLETED', 'ours true'])
    assert.doesNotMatch(seen.out, /\u009b/)
  })

  it('prints YAML as documents, and ends when a program does not fit a record', async () => {
    await api.given(aTask({ name: 'three', status: { state: 'READY' } }))
    const yaml = watch(['-o', 'yaml'])
    await yaml.shows(/^---\nid: three$/m)
    assert.equal(await yaml.pressCtrlC(), 0)
    person = new AbortController()
    const server = `http://127.0.0.1:${proxy.port}`
    const failing = runCommand(watchCommand, ['--jq', '.name | explode | ascii'], server, { signal: person.signal })
    await assert.rejects(failing, { name: 'UsageError' })
  })

  it('connects again by itself, says so, and misses nothing', async () => {
    await api.given(aTask({ name: 'lasting', status: { state: 'RUNNING' } }))
    await api.given(aTask({ name: 'passing', status: { state: 'READY' } }))
    const { seen, shows, pressCtrlC } = watch([])
    await shows(/lasting RUNNING/)
    await proxy.cut()
    await shows(/the connection is lost \(.+\); trying again …\n/, 'err')
    await api.setStatus(TASKS, 'lasting', { state: 'READY' })
    await api.delete('/api/tasks/passing')
    // The server hides at once what it deletes itself, and hears by its watch of what others write.
    await until('the server knows both', async () => {
      const [{ body }, { status }] = [await api.get('/api/tasks/lasting'), await api.get('/api/tasks/passing')]
      return at(body, 'state') === 'READY' && status === 404
    })
    assert.doesNotMatch(seen.out, /lasting READY/)
    await proxy.resume()
    await shows(/connected again\n/, 'err')
    await shows(/lasting READY/)
    await shows(/passing deleted/)
    assert.equal(await pressCtrlC(), 0)
  })

  it('draws a page on a terminal that keeps to its size, and gives the terminal back', async () => {
    await api.given(aTask({ name: 'drawn', status: { state: 'RUNNING', startedAt: '2026-11-21T12:00:00Z' } }))
    const screen = fakeScreen(60, 10)
    const { seen, shows, pressCtrlC } = watch(['--state', 'RUNNING'], { screens: { outScreen: screen } })
    await shows(/drawn +RUNNING/)
    await proxy.cut()
    await shows(/Not connected for \ds/)
    await proxy.resume()
    await until('it is connected again', () => /Not connected[^]*;1H\d+ RUNNING/.test(seen.out))
    seen.out = ''
    screen.resize(40, 2)
    assert.match(seen.out, /^\p{Cc}\[2J/u)
    assert.doesNotMatch(seen.out, /;1H[^\p{Cc}]{41}|\[3;1H/u)
    assert.equal(await pressCtrlC(), 0)
    assert.match(seen.out, /\[\?25h\p{Cc}\[\?1049l/u)
    assert.equal(screen.listeners(), 0)
  })

  it('says what is wrong instead of trying for ever: no such project, state or server', async () => {
    await assert.rejects(runCommand(watchCommand, ['--project', 'nowhere'], api.url), { status: 404 })
    await assert.rejects(runCommand(watchCommand, ['--state', 'DONE'], api.url), { name: 'UsageError' })
    await assert.rejects(runCommand(watchCommand, [], 'http://127.0.0.1:9'), { name: 'ServerUnreachable' })
  })
})
