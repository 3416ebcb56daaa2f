import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../helpers/repository.ts'
import { isProcessAlive } from '../../lib/process-state.ts'
import { PROGRAM, runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { startUnwaited } from '../helpers/unwaited.ts'
import { type Installation, makeInstallation, processesOf } from './installation.ts'

describe('the data folder', function () {
  let installation: Installation

  beforeEach(() => {
    installation = makeInstallation()
  })

  afterEach(() => installation.dispose())

  const serveOnce = (dataDir: string) => runSlipway(['serve', '--listen', '127.0.0.1:0', '--data-dir', dataDir])

  it('of a newer version is refused with the way out, and left as it is', async () => {
    mkdirSync(join(installation.dataDir, 'store'), { recursive: true })
    writeFileSync(join(installation.dataDir, 'store', 'format'), '99\n')
    const { code, output } = await serveOnce(installation.dataDir)
    assert.equal(code, 1)
    assert.match(output, /newer version .*99/)
    assert.equal(existsSync(join(installation.dataDir, 'store', 'objects.mdb')), false)
  })

  it('that cannot be made is named, with the way out and without a stack', async () => {
    const file = join(installation.folder, 'file')
    writeFileSync(file, '')
    const { code, output } = await serveOnce(join(file, 'data'))
    assert.notEqual(code, 0)
    assert.ok(output.includes(join(file, 'data')), output)
    assert.match(output, /--data-dir/)
    assert.ok(!output.includes('    at '), output)
  })

  it('is free once the server that used it was killed, also where nobody waits for that one', async () => {
    const args = [PROGRAM, 'serve', '--listen', '127.0.0.1:0', '--data-dir', installation.dataDir]
    const { parent, pid } = await startUnwaited(process.execPath, args)
    try {
      const lock = join(installation.dataDir, 'store', 'lock')
      await until('the server holds the folder', () => existsSync(lock))
      const { output } = await serveOnce(installation.dataDir)
      assert.match(output, new RegExp(`in use by process ${pid}: stop that process`))
      process.kill(pid, 'SIGKILL')
      await until('the server has ended', () => !isProcessAlive(pid))
      await installation.start()
      assert.match(readFileSync(lock, 'utf8'), /^\d+ /)
      assert.ok(!readFileSync(lock, 'utf8').startsWith(`${pid} `))
    } finally {
      process.kill(pid, 'SIGKILL')
      parent.kill('SIGKILL')
    }
  })

  it('finds a task that went on while nobody served, after Ctrl-C', async () => {
    const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    const first = await installation.start()
    const drops = join(installation.dataDir, 'volume', 'drops')
    const wait = 'while [ ! -e "$SERVICE_DROP_DIR/go" ]; do sleep 0.05; done'
    await first.create('patient', `echo started; ${wait}; echo done; touch "$SERVICE_DROP_DIR/gone"`, {
      repository_url: remote.path,
    })
    await first.run('patient')
    const log = installation.executionFile('patient-1', 'agent/stdout.log')
    await until('the script has started', () => existsSync(log) && readFileSync(log, 'utf8') === 'started\n')
    assert.equal(await first.program.stop(), 0)
    assert.ok(processesOf('patient-1').length > 0, 'the script was ended')
    writeFileSync(join(drops, 'go'), '')
    await until('the script ends with nobody serving', () => existsSync(join(drops, 'gone')))
    const second = await installation.start()
    await second.reaches('patient', 'READY')
    assert.equal(readFileSync(log, 'utf8'), 'started\ndone\n')
    assert.equal((await second.executions('patient')).length, 1)
  })
})
