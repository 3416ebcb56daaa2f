// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonValue } from '../../../embedded/schema/json.ts'
import { PROJECTS, TASKS } from '../../../kube/resources.ts'
import { aProject, aTask, anExecution } from '../../helpers/build.ts'
import { type GitCounter, countGit } from '../../helpers/count-git.ts'
import { at } from '../../helpers/kube-http.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

const READY = 1000
const WRITERS = 16

describe('GET /api/tasks/{id}/deployment-status, and deployment_status of READY tasks', () => {
  let folder: string
  let remote: Remote
  let rig: Rig
  let counter: GitCounter
  let deployed: string
  let fix: string
  let undelivered: string
  const site = createServer((_, response) => response.end(deployed))

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'slipway-deployed-'))
    remote = makeRemote(folder, { 'a.txt': 'one' })
    fix = remote.commit('main', { 'b.txt': 'two' })
    deployed = remote.commit('main', { 'c.txt': 'three' })
    undelivered = remote.commit('slipway/other', { 'd.txt': 'four' })
    counter = countGit(folder)
    site.listen(0, '127.0.0.1')
    await new Promise((resolve) => site.once('listening', resolve))
    const commitUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/commit`
    rig = await startRig({ gitUser: { home: homedir(), env: {} } })
    await rig.givenProject(aProject({ name: 'site', spec: { remoteUrl: remote.path, deployment: { commitUrl } } }))
    for (const [name, commits] of [
      ['done-1', [fix]],
      ['other-1', [undelivered]],
    ] as const) {
      await rig.givenExecution(anExecution({ name, status: { state: 'COMPLETED', commits } }))
    }
  })
  after(async () => {
    await rig.stop()
    counter.stop()
    site.close()
    await rm(folder, { recursive: true, force: true })
  })
  const readyTask = (name: string, execution: string, project = 'site') => {
    const task = aTask({ name, spec: { project }, status: { state: 'READY', execution } })
    const { repositoryUrl: _, ...spec } = task.spec
    return { ...task, spec: { ...spec, title: name } }
  }
  const status = (includes: boolean, commits: string[]): JsonValue => ({
    deployed_commit: deployed,
    fix_commits: commits,
    includes_fix: includes,
  })

  it('waits for the answer when one task is asked about', async () => {
    await rig.given(readyTask('done', 'done-1'))
    await rig.given(readyTask('other', 'other-1'))
    const [done, other] = await Promise.all(
      ['done', 'other'].map((id) => rig.get(`/api/tasks/${id}/deployment-status`)),
    )
    assert.deepEqual([done?.status, done?.body, other?.body], [200, status(true, [fix]), status(false, [undelivered])])
  })

  it('shows in the record of a READY task, and only there', async () => {
    await rig.given(aTask({ name: 'waiting', spec: { project: 'site' } }))
    await until('the record has it', async () => {
      const { body } = await rig.get('/api/tasks/done')
      return at(body, 'deployment_status.includes_fix') === true
    })
    assert.equal(at((await rig.get('/api/tasks/waiting')).body, 'deployment_status'), undefined)
  })

  it('lists a thousand READY tasks without waiting for git, and shows the answers in a later list', async function () {
    const commitUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/board`
    await rig.givenProject(aProject({ name: 'board', spec: { remoteUrl: remote.path } }))
    const queue = Array.from({ length: READY }, (_, i) => `board-${i}`)
    const write = async (): Promise<void> => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        const { status: wanted, metadata, ...task } = readyTask(name, 'done-1', 'board')
        const { uid: _, ...meta } = metadata
        await rig.client.create(TASKS, { ...task, metadata: { ...meta, namespace: rig.namespace } })
        await rig.setStatus(TASKS, name, wanted)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    const list = async () => {
      const { body, headers } = await rig.get('/api/tasks?state=READY')
      const ours = itemsOf(body).filter((task) => at(task, 'project') === 'board')
      const included = ours.filter((task) => at(task, ['deployment_status', 'includes_fix']) === true)
      return { tasks: ours.length, included: included.length, etag: headers.get('etag') }
    }
    await until('all are listed', async () => (await list()).tasks === READY)
    await rig.client.mergePatch(
      PROJECTS,
      { namespace: rig.namespace, name: 'board' },
      { spec: { deployment: { commitUrl } } },
    )
    await until('the project is known', async () => {
      const { body } = await rig.get('/api/projects/board')
      return at(body, ['deployment', 'commit_url']) === commitUrl
    })

    const calls = counter.calls().length
    const first = await list()
    assert.deepEqual([first.tasks, first.included, counter.calls().length - calls], [READY, 0, 0])
    await until('all are included', async () => (await list()).included === READY)
    assert.notEqual((await list()).etag, first.etag)
    assert.ok(counter.calls().length - calls <= 7, `${counter.calls().length - calls} calls of git`)
  })
})
