import assert from 'node:assert/strict'
import { asRecord } from '../../core/json.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

describe('the whole program, where a project merges accepted work', function () {
  let installation: Installation
  let server: Server
  let remote: Remote

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
    const project = { id: 'shop', name: 'Shop', remote_url: remote.path, on_accept: 'merge' }
    const made = await server.call('POST', '/api/projects', project)
    assert.deepEqual([made.status, made.body['on_accept']], [201, 'merge'], made.text)
  })
  after(() => installation.dispose())

  const ready = async (id: string, script: string): Promise<void> => {
    await server.create(id, script, { project: 'shop' })
    await server.run(id)
    await server.reaches(id, 'READY')
  }
  const delivery = async (id: string) => asRecord((await server.task(id))['delivery']) ?? {}
  const isDelivered = (id: string, state: string): Promise<void> =>
    until(`delivery of ${id} is ${state}`, async () => (await delivery(id))['state'] === state)

  it('merges what a person accepts into the default branch, and tells the commit', async () => {
    await ready('one', 'echo one > one.txt')
    assert.equal((await server.call('POST', '/api/tasks/one/accept')).status, 200)
    await isDelivered('one', 'delivered')
    assert.equal(remote.git('show', 'main:one.txt'), 'one')
    assert.equal((await delivery('one'))['commit'], remote.git('rev-parse', 'main'))
  })

  it('gives a conflict back to a person, with the files named, and delivers again when it is mended', async () => {
    await ready('two', 'echo mine > README.md')
    remote.commit('main', { 'README.md': 'theirs\n' })
    await server.call('POST', '/api/tasks/two/accept')
    await isDelivered('two', 'conflict')
    const task = await server.task('two')
    assert.deepEqual([task['state'], (await delivery('two'))['files']], ['READY', ['README.md']])
    remote.commit('main', { 'README.md': '# Sample\n' })
    await server.call('POST', '/api/tasks/two/accept')
    await isDelivered('two', 'delivered')
    assert.equal(remote.git('show', 'main:README.md'), 'mine')
  })

  it('merges nothing that somebody pushed after the review until that is accepted too, and shows its diff', async () => {
    await ready('three', 'echo three > three.txt')
    const reviewed = asRecord((await server.task('three'))['head'])?.['commit']
    assert.equal(reviewed, remote.git('rev-parse', 'slipway/three'))
    const pushed = remote.commit('slipway/three', { 'theirs.txt': 'theirs' })
    const main = remote.git('rev-parse', 'main')
    await server.call('POST', '/api/tasks/three/accept')
    await isDelivered('three', 'moved')
    const { state, head } = await server.task('three')
    assert.deepEqual([state, asRecord(head)?.['commit'], remote.git('rev-parse', 'main')], ['READY', pushed, main])
    const { execution_id: id, message } = await delivery('three')
    assert.match(String(message), new RegExp(`${pushed.slice(0, 12)}.*${reviewed.slice(0, 12)}`))
    const diff = await server.call('GET', `/api/executions/${String(id)}/diff`)
    assert.ok(diff.text.includes('three.txt') && diff.text.includes('theirs.txt'), diff.text)
    await server.call('POST', '/api/tasks/three/accept')
    await isDelivered('three', 'delivered')
    assert.equal(remote.git('show', 'main:theirs.txt'), 'theirs')
  })
})
