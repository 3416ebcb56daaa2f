import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { at, listAt, textAt } from '../helpers/kube-http.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Reply, type Server, kindPath, makeInstallation } from './installation.ts'

/** Steps of an approval that can be seen from outside, beside `delivery` and `tasks` in the control plane. */
const MOMENTS = ['plan', 'story', 'delivery', 'job', 'pod', 'branch', 'task'] as const

describe('approving a plan, in the built program with a real remote', function () {
  let installation: Installation
  let server: Server
  let remote: Remote

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
  })
  after(() => installation.dispose())

  const planFor = (branch: string) => ({
    name: branch,
    branch_name: branch,
    project_id: 'shop',
    tasks: [
      { name: 'One', agent: 'script', subtasks: [{ name: 'Part' }] },
      { name: 'Two', agent: 'script' },
    ],
  })
  const approve = (branch: string): Promise<Reply> => server.call('POST', '/api/stories/approve', planFor(branch))
  const commitOf = (branch: string): string =>
    remote.git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)
  const objects = async (plural: string) => listAt((await server.kube.send('GET', kindPath(plural))).body, 'items')
  const plansFolder = (): string => join(installation.dataDir, 'volume', 'plans')
  const plans = (): string[] => (existsSync(plansFolder()) ? readdirSync(plansFolder()) : [])
  const storyWith = async (branch: string) =>
    (await objects('stories')).find((story) => textAt(story, 'spec.branchName') === branch)
  const tasksOf = async (story: string) =>
    (await objects('tasks')).filter((task) => textAt(task, 'spec.storyId') === story)

  it('pushes the branch where main stands, and its tasks work on it', async () => {
    const { status, body, text } = await approve('story/first')
    assert.equal(status, 201, text)
    assert.equal(commitOf('story/first'), commitOf('main'))
    const story = String(asRecord(body['story'])['id'])
    const instructions = 'echo done > first.txt'
    const edited = await server.call('PUT', `/api/tasks/${story}-t02`, {
      agent: { type: 'script', instructions },
      depends_on: [],
    })
    assert.equal(edited.status, 200, edited.text)
    await server.run(`${story}-t02`)
    await server.reaches(`${story}-t02`, 'READY')
    assert.deepEqual(remote.git('ls-tree', '--name-only', 'story/first').split('\n'), ['README.md', 'first.txt'])
  })

  it('takes a branch that is there without work of its own', async () => {
    remote.git('branch', 'story/there', 'main')
    assert.equal((await approve('story/there')).status, 201)
  })

  for (const { branch, prepare, because } of [
    {
      branch: 'story/others',
      prepare: () => remote.commit('story/others', { 'other.txt': 'work\n' }),
      because: /holds work that main does not have/,
    },
    { branch: 'main', prepare: () => undefined, because: /default branch/ },
    {
      branch: 'story/refused',
      prepare() {
        const hook = join(remote.path, 'hooks', 'pre-receive')
        writeFileSync(
          hook,
          '#!/bin/sh\nwhile read -r _ _ ref; do case $ref in *refused) echo "no such work here" >&2; exit 1;; esac; done\n',
        )
        chmodSync(hook, 0o755)
      },
      because: /story\/refused/,
    },
  ]) {
    it(`leaves nothing of a plan for ${branch}, which the remote does not take, and says why`, async () => {
      prepare()
      const before = [commitOf(branch), (await objects('stories')).length, (await objects('tasks')).length]
      const { status, body } = await approve(branch)
      assert.equal(status, 409, JSON.stringify(body))
      assert.match(String(body['error']), because)
      assert.match(String(body['error']), /^nothing was approved: /)
      assert.deepEqual([commitOf(branch), (await objects('stories')).length, (await objects('tasks')).length], before)
      assert.deepEqual(plans(), [])
    })
  }

  const worksOn = async (branch: string, path: string): Promise<boolean> => {
    const story = textAt(await storyWith(branch), 'metadata.name')
    const { body } = await server.kube.send('GET', path)
    return listAt(body, 'items').some((item) => textAt(item, 'metadata.name').startsWith(`deliver-${story}-`))
  }

  const hasCome: Readonly<Record<(typeof MOMENTS)[number], (branch: string) => Promise<boolean>>> = {
    plan: () => Promise.resolve(plans().some((name) => name.endsWith('.json'))),
    story: async (branch) => (await storyWith(branch)) !== undefined,
    async delivery(branch) {
      const story = await storyWith(branch)
      const names = (await objects('executions')).map((execution) => textAt(execution, 'spec.storyRef.name'))
      return story !== undefined && names.includes(textAt(story, 'metadata.name'))
    },
    job: (branch) => worksOn(branch, '/apis/batch/v1/namespaces/default/jobs'),
    pod: (branch) => worksOn(branch, '/api/v1/namespaces/default/pods'),
    branch: (branch) => Promise.resolve(commitOf(branch) !== ''),
    task: async (branch) => (await tasksOf(textAt(await storyWith(branch), 'metadata.name'))).length > 0,
  }

  for (const moment of MOMENTS) {
    it(`is finished after kill -9 as soon as its ${moment} is there, or nothing is left of it`, async () => {
      const branch = `story/killed-${moment}`
      const before = (await objects('tasks')).length
      const asked = approve(branch).catch(() => undefined)
      await until(`its ${moment} is there`, () => hasCome[moment](branch))
      await server.program.kill()
      await asked
      server = await installation.start()
      await until('it is settled', async () => {
        const story = await storyWith(branch)
        return plans().length === 0 && at(story, ['metadata', 'annotations', 'slipway.dev/approving']) === undefined
      })
      const story = await storyWith(branch)
      if (story === undefined) {
        assert.equal(moment, 'plan')
        assert.equal((await objects('tasks')).length, before)
        return
      }
      const id = textAt(story, 'metadata.name')
      const { status, body } = await server.call('GET', `/api/stories/${id}`)
      assert.deepEqual([status, body['status'], body['root_task_id']], [200, 'BACKLOG', `${id}-t01`])
      assert.equal((await tasksOf(id)).length, 3)
      assert.equal(commitOf(branch), commitOf('main'))
    })
  }
})
