/** What docs/operate/one-machine.md says of backup and restore. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import type { Installation } from './installation.ts'
import { makeInstallation } from './installation.ts'

describe('a copy of the data folder', function () {
  this.timeout(120_000)
  let installation: Installation
  before(() => {
    installation = makeInstallation()
  })
  after(() => installation.dispose())

  it('brings back records, logs, archived tasks, and the clone in which a task is resumed', async () => {
    const { dataDir, folder } = installation
    const remote = makeRemote(folder, { 'README.md': '# Sample\n' })
    const fields = { repository_url: remote.path }
    let server = await installation.start()
    await server.create('past', 'echo of the past', fields)
    await server.create('failed', 'test -e begun && exit 0; echo begun > begun; exit 1', fields)
    for (const id of ['past', 'failed']) await server.run(id)
    await server.reaches('past', 'READY')
    assert.equal((await server.call('POST', '/api/tasks/past/accept')).status, 200)
    await server.reaches('past', 'COMPLETED')
    await server.reaches('failed', 'FAILED')
    server = await installation.start('--retention', '{"closedCount": 0}')
    await until('it is archived', async () => (await server.task('past'))['archived_at'] !== undefined)
    await server.program.stop()

    const copy = join(folder, 'backup.tar.gz')
    execFileSync('tar', ['-C', dataDir, '-czf', copy, '.'])
    rmSync(dataDir, { recursive: true })
    mkdirSync(dataDir)
    execFileSync('tar', ['-C', dataDir, '-xzf', copy])

    server = await installation.start()
    const past = await server.task('past')
    assert.deepEqual([past['state'], typeof past['archived_at']], ['COMPLETED', 'string'])
    assert.equal((await server.call('GET', '/api/executions/past-1/stdout')).text, 'of the past\n')
    assert.equal((await server.task('failed'))['state'], 'FAILED')
    assert.equal((await server.call('POST', '/api/tasks/failed/resume')).status, 202)
    await server.reaches('failed', 'READY')
  })
})
