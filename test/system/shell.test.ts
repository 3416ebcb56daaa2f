import assert from 'node:assert/strict'
import { makeRemote } from '../helpers/repository.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

const PLANTED = 'git config core.fsmonitor "touch $HOME/planted; false"'

describe('slipway shell', function () {
  let installation: Installation
  let server: Server

  before(async function () {
    await needBwrap(this)
    installation = makeInstallation()
    const remote = makeRemote(installation.folder, { 'readme.md': 'hello\n' })
    server = await installation.start()
    await server.call('POST', '/api/projects', { id: 'shop', name: 'shop', remote_url: remote.path })
    await server.create('fails', `echo half > half.txt; ${PLANTED}; exit 1`, { project: 'shop' })
    await server.run('fails')
    await server.reaches('fails', 'FAILED')
  })
  after(() => installation.dispose())

  const shell = (...words: string[]) => runSlipway(['shell', '--server', server.program.url, ...words])

  it('runs a program in the workspace that a task has left, by its git with all it borrows', async () => {
    const { output } = await shell('fails', '--', 'sh', '-c', 'cat half.txt; git log --format=%s; pwd; id -u')
    const lines = output.split('\n')
    assert.equal(lines[0], 'half')
    assert.ok(lines.includes('first'))
    assert.match(output, /sandboxes\/fails\/repo\n/)
  })

  it('shows nothing of the machine that an agent would not see', async () => {
    const { output } = await shell(
      'fails',
      '--',
      'sh',
      '-c',
      `ls ${installation.dataDir} ${installation.dataDir}/volume`,
    )
    assert.equal(output.includes('store'), false)
    assert.equal(output.includes('executions'), false)
  })

  it('ends with the exit code of the program', async () => {
    assert.equal((await shell('fails', '--', 'sh', '-c', 'exit 7')).code, 7)
  })

  it('shows the workspace of a running task and lets nobody write there', async () => {
    await server.create('works', 'echo mine > mine.txt; until [ -e done ]; do sleep 0.1; done', { project: 'shop' })
    await server.run('works')
    await server.reaches('works', 'RUNNING')
    const { code, output } = await shell('works', '--', 'sh', '-c', 'echo x > done')
    assert.notEqual(code, 0)
    assert.match(output, /Read-only file system|cannot create/)
    await server.call('POST', '/api/tasks/works/cancel')
    await server.reaches('works', 'CANCELLED')
  })

  it('says what is not there, and the way out', async () => {
    await server.create('new', 'true', { project: 'shop' })
    const { code, output } = await shell('new')
    assert.deepEqual([code, /new has not run yet: it is PENDING/.test(output)], [2, true])
  })
})
