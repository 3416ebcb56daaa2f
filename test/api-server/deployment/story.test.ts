import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caches } from '../../../api-server/cache/caches.ts'
import { type Deployments, createDeployments } from '../../../api-server/deployment/deployment.ts'
import type { Execution, Task } from '../../../core/crd/types.ts'
import { makeLogger } from '../../../lib/log.ts'
import { aProject, aStory, aTask, anExecution } from '../../helpers/build.ts'
import { manualClock } from '../../helpers/clock.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'

describe('the deployment status of a story', () => {
  let folder: string
  let remote: Remote
  let deployments: Deployments
  let executions: Execution[]
  let tasks: Task[]
  let first: string
  let second: string
  let undelivered: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-story-deployed-'))
    remote = makeRemote(folder, { 'a.txt': 'one' })
    first = remote.commit('main', { 'b.txt': 'two' })
    second = remote.commit('main', { 'c.txt': 'three' })
    undelivered = remote.commit('story/x', { 'd.txt': 'four' })
    const caches: Pick<Caches, 'executions' | 'projects' | 'tasks' | 'tasksOfStory'> = {
      executions: { find: (name: string) => executions.find(({ metadata }) => metadata.name === name) },
      projects: {
        find: () => aProject({ spec: { remoteUrl: 'http://127.0.0.1:1/x.git', localPath: remote.path } }),
      },
      tasksOfStory: () => tasks,
    } as unknown as Caches
    deployments = createDeployments({
      caches,
      ownCommit: second,
      folder: join(folder, 'mirrors'),
      reach: { user: { home: folder, env: {} }, allowPrivate: false },
      clock: manualClock(),
      logger: makeLogger('silent'),
    })
  })
  after(async () => {
    await deployments.close()
    await rm(folder, { recursive: true, force: true })
  })
  /** One task per list of commits; none: it has not run. */
  const given = (...work: (readonly string[] | undefined)[]): void => {
    executions = work.map((commits = [], i) => anExecution({ name: `t${i}-1`, status: { commits: [...commits] } }))
    tasks = work.map((commits, i) => {
      const { repositoryUrl: _, ...spec } = aTask().spec
      const status = { state: 'READY', ...(commits === undefined ? {} : { execution: `t${i}-1` }) } as const
      return { ...aTask({ name: `t${i}`, status }), spec: { ...spec, project: 'p', storyId: 'story-a' } }
    })
  }
  const ask = () => deployments.askStory(aStory({ spec: { projectId: 'p' } }))

  it('holds the commits of all its tasks, and is included when each is', async () => {
    given([second, first], [first])
    assert.deepEqual(await ask(), { deployed_commit: second, fix_commits: [second, first], includes_fix: true })
  })

  it('is not included while one task is not', async () => {
    given([first], [undelivered])
    assert.deepEqual(await ask(), { deployed_commit: second, fix_commits: [first, undelivered], includes_fix: false })
  })

  it('leaves tasks without work out, and is not included when none has any', async () => {
    given([first], undefined, [])
    assert.equal((await ask()).includes_fix, true)
    given(undefined)
    assert.deepEqual(await ask(), { deployed_commit: second, fix_commits: [], includes_fix: false })
  })

  it('gives no text to git that is not a hash', async () => {
    given(['--upload-pack=touch /tmp/x'])
    assert.equal((await ask()).includes_fix, false)
  })
})
