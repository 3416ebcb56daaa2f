/** A backup by the real program: of a data folder to a new one, and what it refuses. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeRemote } from '../helpers/repository.ts'
import { PROGRAM, runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Installation, makeInstallation } from './installation.ts'

describe('slipway export and import', function () {
  let from: Installation
  let to: Installation
  let file: string
  beforeEach(() => {
    from = makeInstallation()
    to = makeInstallation()
    file = join(from.folder, 'backup.jsonl.gz')
  })
  afterEach(async () => {
    await from.dispose()
    await to.dispose()
  })
  const run = (command: string, { dataDir }: Installation, ...args: string[]) =>
    runSlipway([command, '--file', file, '--data-dir', dataDir, ...args])

  it('bring records, logs, archived tasks, and the clone in which a task is resumed, to another data folder', async () => {
    const remote = makeRemote(from.folder, { 'README.md': '# Sample\n' })
    const fields = { repository_url: remote.path }
    let server = await from.start()
    await server.create('past', 'echo of the past', fields)
    await server.create('failed', 'test -e begun && exit 0; echo begun > begun; exit 1', fields)
    for (const id of ['past', 'failed']) await server.run(id)
    await server.reaches('past', 'READY')
    assert.equal((await server.call('POST', '/api/tasks/past/accept')).status, 200)
    await server.reaches('past', 'COMPLETED')
    await server.reaches('failed', 'FAILED')
    server = await from.start('--retention', '{"closedCount": 0}')
    await until('it is archived', async () => (await server.task('past'))['archived_at'] !== undefined)

    const exported = await run('export', from)
    assert.deepEqual([exported.code, /exported \d+ objects/.test(exported.output)], [0, true], exported.output)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await server.program.stop()
    const stopped = join(from.folder, 'stopped.jsonl.gz')
    assert.equal((await runSlipway(['export', '--file', stopped, '--data-dir', from.dataDir])).code, 0)
    const imported = await run('import', to)
    assert.equal(imported.code, 0, imported.output)

    server = await to.start()
    const past = await server.task('past')
    assert.deepEqual([past['state'], typeof past['archived_at']], ['COMPLETED', 'string'])
    assert.equal((await server.call('GET', '/api/executions/past-1/stdout')).text, 'of the past\n')
    assert.equal((await server.call('POST', '/api/tasks/failed/resume')).status, 202)
    await server.reaches('failed', 'READY')
    assert.deepEqual((await server.executions('failed')).length, 2)

    const held = await run('import', to)
    assert.match(held.output, /already serves http.*stop that process/)
    assert.equal(held.code, 1)
  })

  it('refuse a backup of which a byte has changed, and leave the folder as it was', async () => {
    await from.start()
    await run('export', from)
    const bytes = readFileSync(file)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    writeFileSync(file, bytes)
    const { code, output } = await run('import', to)
    assert.equal(code, 1)
    assert.match(output, /backup\.jsonl\.gz cannot be used: .*behind entry \d+, .*use another copy/)
    const server = await to.start()
    assert.equal((await server.call('GET', '/api/tasks')).text, '[]')
  })

  it('refuse while an agent works; with --running it goes on in the other folder as what is lost does', async () => {
    const remote = makeRemote(from.folder, { 'README.md': '# Sample\n' })
    const server = await from.start()
    await server.create('long', 'test -e go || sleep 600; echo done', { repository_url: remote.path })
    await server.run('long')
    await until('it runs', async () => (await server.task('long'))['state'] === 'RUNNING')
    const refused = await run('export', from)
    assert.deepEqual([refused.code, /at work on long/.test(refused.output)], [1, true], refused.output)
    assert.throws(() => statSync(file), /ENOENT/)
    assert.equal((await run('export', from, '--running')).code, 0)
    await server.call('POST', '/api/tasks/long/cancel')
    await server.reaches('long', 'CANCELLED')
    await server.program.stop()
    remote.commit('main', { go: '' })
    assert.equal((await run('import', to)).code, 0)
    const restored = await to.start()
    await restored.reaches('long', 'READY')
    const executions = (await restored.executions('long')).map(({ state }) => String(state))
    assert.deepEqual(executions.toSorted(), ['COMPLETED', 'FAILED'])
  })

  it('end when whoever reads the backup has gone, whatever is left to read', async () => {
    await from.start()
    const drops = join(from.dataDir, 'volume/drops')
    mkdirSync(drops, { recursive: true })
    writeFileSync(join(drops, 'endless'), '')
    truncateSync(join(drops, 'endless'), 2 ** 43)
    const args = ['export', '--file', '-', '--max-file-size', '1Ei', '--data-dir', from.dataDir]
    const exporting = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(exporting, 'exit')
    await once(exporting.stdout, 'data')
    exporting.stdout.destroy()
    assert.deepEqual(await ended, [1, null])
  })

  it('replace neither what is no file nor a link, and name a folder that is missing', async () => {
    await from.start()
    const at = (name: string) => join(from.folder, name)
    execFileSync('mkfifo', [at('pipe')])
    symlinkSync(file, at('latest'))
    const exported = (name: string) => runSlipway(['export', '--file', at(name), '--data-dir', from.dataDir])
    const refused = await exported('pipe')
    assert.match(refused.output, /pipe is no regular file: name another one with --file, or - for stdout/)
    assert.deepEqual([refused.code, statSync(at('pipe')).isFIFO()], [2, true])
    const missing = await exported('none/backup')
    assert.match(missing.output, /^slipway: there is no folder .*none: make it first\n$/)
    writeFileSync(file, '')
    assert.equal((await exported('latest')).code, 0)
    assert.deepEqual([lstatSync(at('latest')).isSymbolicLink(), statSync(file).size > 0], [true, true])
  })

  it('say which flag is missing, and which folder', async () => {
    await from.start()
    const { code, output } = await runSlipway(['export', '--data-dir', from.dataDir])
    assert.equal(code, 2)
    assert.match(output, /--file is missing/)
    const none = await runSlipway(['export', '--file', file, '--data-dir', join(from.folder, 'nothing')])
    assert.equal(none.code, 2)
    assert.match(none.output, /there is no data folder .*--data-dir/)
    const unmade = join(from.folder, 'unmade')
    const mistyped = await runSlipway(['import', '--file', `${file}.typo`, '--data-dir', unmade])
    assert.deepEqual([mistyped.code, existsSync(unmade)], [2, false])
    assert.match(mistyped.output, /there is no file .*backup\.jsonl\.gz\.typo.*--file/)
  })
})
