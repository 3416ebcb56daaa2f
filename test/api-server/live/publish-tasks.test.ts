// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { AGENTS, LEASES, TASKS } from '../../../kube/resources.ts'
import { anAgent, anExecution, aProject, aTask, text } from '../../helpers/build.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type LiveTestClient, connectLive } from './live-client.ts'
import { type Rig, startRig } from '../rig.ts'

describe('task_updated of tasks that did not change themselves', () => {
  let folder: string
  let remote: Remote
  let api: Rig
  let client: LiveTestClient
  let deployed = ''
  const site = createServer((_, response) => response.end(deployed))

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-news-'))
    remote = makeRemote(folder, { a: '1' })
    site.listen(0, '127.0.0.1')
    await new Promise((resolve) => site.once('listening', resolve))
    api = await startRig({ gitUser: { home: homedir(), env: {} } })
    client = await connectLive(api.url)
  })
  after(async () => {
    await client.close()
    await api.stop()
    site.close()
    await rm(folder, { recursive: true, force: true })
  })

  // The server that hears of a task only once it is queued tells of it once, as created.
  const told = (id: string) =>
    client.messages
      .filter(({ type, task_id }) => ['task_created', 'task_updated'].includes(type) && task_id === id)
      .map(({ task }) => task)
  const words = (id: string) => told(id).at(-1)?.waiting_for
  const says = (id: string, wanted: string | undefined): Promise<void> =>
    until(`${id} says ${wanted ?? 'nothing'}`, () => told(id).length > 0 && words(id) === wanted)
  const queued = (name: string, minute: number, spec: object = {}) =>
    aTask({
      name,
      spec,
      status: { state: 'QUEUED', agent: { type: 'script' }, queuedAt: `2026-01-01T00:0${minute}:00Z` },
    })
  const lease = (holderIdentity: string) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'slipway-slot-script-1', namespace: api.namespace, labels: { 'slipway.dev/agent': 'script' } },
    spec: { holderIdentity },
  })
  const alter = (name: string, status: object) => api.setStatus(TASKS, name, status)

  it('tells who holds the slot, and the place in the line as it moves, with the whole record', async () => {
    const held = await api.client.create(LEASES, lease('busy-1'))
    for (const n of [1, 2, 3]) await api.given(queued(`line-${n}`, n))
    await says('line-3', 'agent script is busy with busy; 3rd in line')
    await alter('line-1', { state: 'CANCELLED' })
    await says('line-3', 'agent script is busy with busy; 2nd in line')
    const record = (await api.get('/api/tasks/line-3')).body
    assert.deepEqual(told('line-3').at(-1), record)
    await api.client.delete(LEASES, held.metadata)
    await says('line-2', 'next in line')
    await says('line-3', '2nd in line')
  })

  it('tells that an agent is drained, limited and free again', async () => {
    const drained = { since: '2026-01-01T00:00:00Z', reason: text('three failures') }
    await api.setStatus(AGENTS, 'script', { drained })
    await says('line-2', 'agent script is drained: three failures; slipway undrain script lets it work again')
    await api.setStatus(AGENTS, 'script', {})
    await says('line-2', 'next in line')
  })

  it('tells what a dependency came to, and that it is there at last', async () => {
    await api.given(aTask({ name: 'early', spec: { dependsOn: ['late'] } }))
    await api.given(queued('follows', 9, { dependsOn: ['late'] }))
    await api.given(aTask({ name: 'late' }))
    await says('early', undefined)
    await says('follows', 'waits for task late (PENDING, waits for run); start it: slipway restart late')
    await alter('late', { state: 'FAILED' })
    await says('follows', 'waits for task late (FAILED); start it: slipway restart late')
    for (const state of ['QUEUED', 'RUNNING', 'READY']) await alter('late', { state })
    await until('it stands in the line', () => words('follows')?.endsWith('in line') === true)
  })

  it('tells nothing where the words are the same', async () => {
    const count = () => told('line-2').length
    const before = count()
    for (let n = 0; n < 5; n++) await api.given(aTask({ name: `other-${n}` }))
    await api.givenAgent(anAgent({ name: 'another' }))
    await api.given(queued('line-0', 0))
    await says('line-2', '2nd in line')
    assert.equal(count(), before + 1)
  })

  it('tells that what runs contains the work, once git has found it out', async () => {
    const fix = remote.commit('main', { b: '2' })
    deployed = remote.commit('main', { c: '3' })
    const commitUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/commit`
    await api.givenProject(aProject({ name: 'site', spec: { remoteUrl: remote.path, deployment: { commitUrl } } }))
    await api.givenExecution(anExecution({ name: 'done-1', status: { state: 'COMPLETED', commits: [fix] } }))
    const { repositoryUrl: _, ...spec } = aTask({ spec: { project: 'site' } }).spec
    const task = aTask({ name: 'done', status: { state: 'READY', execution: 'done-1' } })
    await api.given({ ...task, spec })
    await api.get('/api/tasks')
    await until('it is told', () => told('done').at(-1)?.deployment_status?.includes_fix === true)
    assert.equal(told('done').at(-1)?.deployment_status?.deployed_commit, deployed)
  })
})
