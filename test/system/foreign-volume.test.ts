import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

describe('a data volume whose objects are lost', function () {
  this.timeout(240_000)
  let installation: Installation
  beforeEach(() => void (installation = makeInstallation()))
  afterEach(() => installation.dispose())

  const volume = (folder: string): string => join(installation.dataDir, 'volume', folder)
  const folders = (): string[] =>
    ['executions', 'sandboxes'].flatMap((parent) =>
      readdirSync(volume(parent))
        .filter((name) => !name.startsWith('.'))
        .map((name) => `${parent}/${name}`),
    )
  const command = (...words: string[]) => runSlipway([...words, '--data-dir', installation.dataDir])
  const readiness = (server: Server) => server.call('GET', '/readyz')

  it('keeps every folder, through kills too, says so, and starts nothing until slipway adopt decides', async () => {
    const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    const fields = { repository_url: remote.path }
    let server = await installation.start()
    for (const id of ['one', 'two', 'three']) {
      await server.create(id, 'echo work > file', fields)
      await server.run(id)
    }
    for (const id of ['one', 'two', 'three']) await server.reaches(id, 'READY')
    const before = folders()
    await server.program.kill()
    rmSync(join(installation.dataDir, 'store'), { recursive: true })

    // Twice: what the first start wrote before it was killed must not count as consent.
    for (let start = 0; start < 2; start++) {
      server = await installation.start()
      await until('it says what it found', async () => (await readiness(server)).status === 503)
      assert.match((await readiness(server)).text, /belongs to another control plane.*slipway adopt/s)
      if (start === 0) await server.create('new', 'echo new > file', fields)
      if (start === 0) await server.run('new')
      assert.match(
        String((await server.task('new'))['waiting_for']),
        /belongs to another control plane.*slipway adopt/s,
      )
      await server.program.kill()
      assert.deepEqual(folders(), before)
    }
    const doctor = await command('doctor', '--json')
    assert.match(doctor.output, /"topic": "volume",\s*"status": "fail"/)
    const asked = await command('adopt')
    assert.equal(asked.code, 1)
    assert.match(asked.output, /6 of 6 folders have no task or execution here.*nothing was changed/s)
    assert.deepEqual(folders(), before)

    const adopted = await command('adopt', '--yes')
    assert.deepEqual([adopted.code, adopted.output], [0, 'adopted; folders without an owner that go: 6\n'])
    server = await installation.start()
    await server.reaches('new', 'READY')
    await until(
      'what has no owner is gone',
      () => !existsSync(volume('sandboxes/one')) && !existsSync(volume('executions/three-1')),
    )
    await until('the server is ready', async () => (await readiness(server)).status === 200)
  })
})
