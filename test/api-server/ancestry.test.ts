import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAncestor } from '../../api-server/ancestry.ts'
import type { Caches } from '../../api-server/caches.ts'
import type { DeploymentOptions } from '../../api-server/deployment.ts'
import { createDeployments } from '../../api-server/deployment.ts'
import { makeLogger } from '../../lib/log.ts'
import { aTask, anExecution } from '../helpers/build.ts'
import { manualClock } from '../helpers/clock.ts'

describe('whether a build contains a commit', () => {
  let path: string
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'init.defaultBranch=main']
    return execFileSync('git', [...identity, ...args], { cwd: path, encoding: 'utf8' }).trim()
  }
  const commit = (message: string): string => {
    git('commit', '-q', '--allow-empty', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  let first: string
  let second: string
  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'slipway-ancestry-'))
    git('init', '-q')
    first = commit('first')
    second = commit('second')
  })
  after(() => rm(path, { recursive: true, force: true }))

  it('is true for the commit itself and what came before it', async () => {
    assert.deepEqual(await Promise.all([isAncestor(path, first, second), isAncestor(path, second, second)]), [
      true,
      true,
    ])
  })

  it('is false for what came after it and for a commit that the repository does not have', async () => {
    const unknown = 'f'.repeat(40)
    assert.deepEqual(await Promise.all([isAncestor(path, second, first), isAncestor(path, unknown, second)]), [
      false,
      false,
    ])
  })

  const deploymentsOf = (commits: string[], options: Partial<DeploymentOptions> = {}) => {
    const execution = anExecution({ name: 'done-1', status: { commits } })
    const project = { spec: { title: 'p', remoteUrl: 'https://example.org/p.git', localPath: path } }
    const caches = { executions: { find: () => execution }, projects: { find: () => project } } as unknown as Caches
    const given = { caches, deployedCommit: second, isAncestor, clock: manualClock(), logger: makeLogger('silent') }
    return createDeployments({ ...given, ...options })
  }
  const task = aTask({ name: 'done', spec: { project: 'p' }, status: { state: 'READY', execution: 'done-1' } })

  it('shows as includes_fix of the task whose work it is', async () => {
    assert.deepEqual(await deploymentsOf([first]).ask(task), {
      deployed_commit: second,
      fix_commits: [first],
      includes_fix: true,
    })
  })

  it('is said in a list too, once git has been asked', async () => {
    const deployments = deploymentsOf([first])
    assert.equal(deployments.known(task).includes_fix, false)
    await deployments.ask(task)
    assert.equal(deployments.known(task).includes_fix, true)
  })

  it('is asked again after a minute when it was no: the repository may have learnt of the commit', async () => {
    const clock = manualClock()
    let answer = false
    const deployments = deploymentsOf([first], { clock, isAncestor: () => Promise.resolve(answer) })
    await deployments.ask(task)
    answer = true
    await clock.advance(59_999)
    deployments.known(task)
    await clock.advance(0)
    assert.equal(deployments.known(task).includes_fix, false)
    await clock.advance(1)
    deployments.known(task)
    await clock.advance(0)
    assert.equal(deployments.known(task).includes_fix, true)
  })
})
