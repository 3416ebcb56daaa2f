import assert from 'node:assert/strict'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

describe('the whole program, where a person asks for changes', function () {
  let installation: Installation
  let server: Server
  let remote: Remote

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
    const project = { id: 'shop', name: 'Shop', remote_url: remote.path }
    assert.equal((await server.call('POST', '/api/projects', project)).status, 201)
  })
  after(() => installation.dispose())

  it('lets the agent go on from what that person has pushed to its branch, and delivers on top of it', async () => {
    const script = 'if [ -e theirs.txt ]; then cp theirs.txt seen.txt; else echo one > one.txt; fi'
    await server.create('one', script, { project: 'shop' })
    await server.run('one')
    await server.reaches('one', 'READY')
    const ours = remote.git('rev-parse', 'slipway/one')
    remote.commit('main', { 'meanwhile.txt': 'x\n' })
    const theirs = remote.commit('slipway/one', { 'theirs.txt': 'theirs\n' }, 'as I want it')
    const asked = await server.call('POST', '/api/tasks/one/revise', { comment: 'Use what I have pushed' })
    assert.equal(asked.status, 202, asked.text)
    const isDone = async (): Promise<boolean> => {
      const states = (await server.executions('one')).map(({ state }) => state)
      return states.length === 2 && states.every((state) => state === 'COMPLETED')
    }
    await until(() => 'the second execution is completed', isDone)
    const task = await server.reaches('one', 'READY')
    assert.equal(remote.git('show', 'slipway/one:seen.txt'), 'theirs')
    assert.deepEqual(remote.git('rev-list', 'slipway/one').split('\n').slice(1, 3), [theirs, ours])
    assert.throws(() => remote.git('show', 'slipway/one:meanwhile.txt'), 'the default branch is not merged')
    assert.deepEqual([task['foreign_commit_count'], task['error']], [1, undefined])
  })
})
