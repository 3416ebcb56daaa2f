import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { printed } from '../helpers/slipway.ts'
import { type Installation, makeInstallation } from './installation.ts'

const REJECT = new URL('../helpers/reject-on-signal.js', import.meta.url).href

describe('an error that no part of a server has handled', function () {
  let installation: Installation
  beforeEach(() => {
    installation = makeInstallation({ NODE_OPTIONS: `--import ${REJECT}` })
  })
  afterEach(() => installation.dispose())

  it('ends the server with its cause and code 1, and what runs goes on and is found again', async () => {
    const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    const first = await installation.start()
    const wait = 'while [ ! -e "$SERVICE_DROP_DIR/go" ]; do sleep 0.05; done'
    await first.create('patient', `echo started; ${wait}; echo done > done.txt`, { repository_url: remote.path })
    await first.run('patient')
    const log = installation.executionFile('patient-1', 'agent/stdout.log')
    await until('the script has started', () => existsSync(log) && readFileSync(log, 'utf8') === 'started\n')
    const { child } = first.program
    const ended = once(child, 'exit')
    child.kill('SIGUSR2')
    await ended
    assert.equal(child.exitCode, 1)
    await printed(first.program, /a part has failed.*ENOSPC: no space left on device/)
    assert.ok(!existsSync(join(installation.dataDir, 'store', 'lock')), 'the store was not closed')
    const second = await installation.start()
    writeFileSync(join(installation.dataDir, 'volume', 'drops', 'go'), '')
    await second.reaches('patient', 'READY')
    assert.equal((await second.executions('patient')).length, 1)
  })
})
