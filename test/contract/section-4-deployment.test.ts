/** Sections 4 and 9, deployment status, over a real repository. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Rig, startRig } from '../api-server/rig.ts'
import { aProject, aStory, aTask, anExecution } from '../helpers/build.ts'
import { at } from '../helpers/kube-http.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'

describe('the contract, section 4: deployment status', function () {
  let folder: string
  let api: Rig
  let deployed: string
  const commits: Record<string, string> = {}

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-contract-'))
    const remote = makeRemote(folder, { 'a.txt': 'one' })
    commits['shipped'] = remote.commit('main', { 'b.txt': 'two' })
    deployed = remote.commit('main', { 'c.txt': 'three' })
    commits['waiting'] = remote.commit('slipway/waiting', { 'd.txt': 'four' })
    const version = { version: '1.0.0', commit: deployed, built_at: '2026-01-02T03:04:05Z' }
    api = await startRig({ version, gitUser: { home: folder, env: {} } })
    await api.givenProject(aProject({ name: 'site', spec: { remoteUrl: remote.path } }))
    await api.givenStory(aStory({ name: 'all', spec: { projectId: 'site' }, status: { status: 'IN_PROGRESS' } }))
    for (const [name, commit] of Object.entries(commits)) {
      await api.givenExecution(anExecution({ name: `${name}-1`, status: { state: 'COMPLETED', commits: [commit] } }))
      const status = { state: 'READY' as const, execution: `${name}-1`, executions: 1 }
      const spec = { project: 'site', repositoryUrl: remote.path, storyId: 'all' }
      await api.given(aTask({ name, spec, status }))
    }
  })
  after(async () => {
    await api.stop()
    rmSync(folder, { recursive: true })
  })

  const statusOf = async (path: string) => (await api.get(`${path}/deployment-status`)).body

  row('4.tasks.deployment', 'includes_fix says whether the running build contains every fix commit', async () => {
    await until(
      'the repository was read',
      async () => at(await statusOf('/api/tasks/shipped'), 'includes_fix') === true,
      30_000,
    )
    for (const [name, commit] of Object.entries(commits)) {
      const expected = { deployed_commit: deployed, fix_commits: [commit], includes_fix: name === 'shipped' }
      assert.deepEqual(await statusOf(`/api/tasks/${name}`), expected)
      assert.deepEqual(at((await api.get(`/api/tasks/${name}`)).body, 'deployment_status'), expected)
    }
    assert.equal((await api.get('/api/tasks/none/deployment-status')).status, 404)
  })

  row('4.stories.deployment', 'is the same over the tasks of the story', async () => {
    const body = await statusOf('/api/stories/all')
    assert.deepEqual([at(body, 'deployed_commit'), at(body, 'includes_fix')], [deployed, false])
    assert.deepEqual(new Set(at(body, 'fix_commits') as string[]), new Set(Object.values(commits)))
    assert.equal((await api.get('/api/stories/none/deployment-status')).status, 404)
  })
})
