import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { printed } from '../helpers/slipway.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

describe('a task that runs', function () {
  let installation: Installation
  let server: Server
  before(async () => {
    installation = makeInstallation()
    const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
    for (const id of ['unwanted', 'going']) {
      await server.create(id, 'echo begun; sleep 600', { repository_url: remote.path })
    }
  })
  after(() => installation.dispose())

  async function begins(id: string): Promise<void> {
    await server.run(id)
    await until(`${id} has begun`, () => existsSync(installation.executionFile(`${id}-1`, 'agent/stdout.log')))
  }

  it('is cancelled without anything to complain of', async () => {
    await begins('unwanted')
    const before = server.program.output().length
    assert.equal((await server.call('POST', '/api/tasks/unwanted/cancel')).status, 202)
    await server.reaches('unwanted', 'CANCELLED')
    const jobs = '/apis/batch/v1/namespaces/default/jobs/unwanted-1-run'
    await until('its Job is gone', async () => (await server.kube.send('GET', jobs)).status === 404)
    assert.doesNotMatch(server.program.output().slice(before), /"level":[45]0|stack/)
  })

  it('is named when its server stops: its agent goes on, and how to end it is said', async () => {
    await begins('going')
    const { child } = server.program
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    assert.deepEqual(await ended, [0, null])
    await printed(
      server.program,
      /stopping … The agent of going goes on without this server, and may go on spending\.[^]*slipway cancel <task>/,
    )
    const again = await installation.start()
    assert.equal((await again.task('going'))['state'], 'RUNNING')
    await again.call('POST', '/api/tasks/going/cancel')
    await again.reaches('going', 'CANCELLED')
  })
})
