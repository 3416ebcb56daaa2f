/** What docs/operate/one-machine.md says of start, backup and restore, by its own commands. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeRemote } from '../helpers/repository.ts'
import { PROGRAM } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { readBlocks } from './guides/page.ts'
import { type Installation, makeInstallation } from './installation.ts'

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'operate', 'one-machine.md'), 'utf8')
const SERVE = 'slipway serve --data-dir /srv/slipway'

describe('one machine', function () {
  let installation: Installation
  beforeEach(() => {
    installation = makeInstallation()
    const bin = join(installation.folder, 'bin')
    mkdirSync(bin)
    mkdirSync(installation.dataDir)
    symlinkSync(PROGRAM, join(bin, 'slipway'))
  })
  afterEach(() => installation.dispose())

  const path = (): string => `${join(installation.folder, 'bin')}:${process.env['PATH'] ?? ''}`
  const here = (text: string): string => text.replaceAll('/srv/slipway', installation.dataDir)
  /** Runs the block of the page that has these words, without the server that it may start at its end. */
  const run = (words: string): string => {
    const blocks = readBlocks(PAGE).filter(({ code, notRun }) => notRun === undefined && code.includes(words))
    assert.equal(blocks.length, 1, `blocks of the page with ${words}`)
    const code = here((blocks[0]?.code ?? '').replace(SERVE, ''))
    const env = { ...process.env, PATH: path() }
    return execFileSync('bash', ['-e', '-c', code], { cwd: installation.folder, env, encoding: 'utf8' })
  }

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
    assert.match(run('slipway check'), /whole/)
    await server.program.stop()

    run('-czf')
    rmSync(dataDir, { recursive: true })
    run('-xzf')

    server = await installation.start()
    const past = await server.task('past')
    assert.deepEqual([past['state'], typeof past['archived_at']], ['COMPLETED', 'string'])
    assert.equal((await server.call('GET', '/api/executions/past-1/stdout')).text, 'of the past\n')
    assert.equal((await server.task('failed'))['state'], 'FAILED')
    assert.equal((await server.call('POST', '/api/tasks/failed/resume')).status, 202)
    await server.reaches('failed', 'READY')
  })

  it('starts as its unit says, asks for the token, and ends well when it is stopped as its unit says', async () => {
    run('token:')
    const unit = new Map([...PAGE.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]))
    const env = { PATH: `${path()}:${String(unit.get('Environment')).replace('PATH=', '')}` }
    const line = here(unit.get('ExecStart') ?? '').replace('127.0.0.1:8080', '127.0.0.1:0')
    const server = spawn('bash', ['-c', `exec ${line}`], { env, cwd: here(unit.get('WorkingDirectory') ?? '') })
    const ended = once(server, 'exit')
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: server.stdout }).on('line', (said) => {
        if (said.startsWith('ready ')) resolve(said.slice('ready '.length))
      })
      server.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    })
    assert.equal((await fetch(new URL('/api/tasks', url))).status, 401)
    // What KillMode=process sends, to this process alone.
    assert.equal(unit.get('KillMode'), 'process')
    server.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  it('has a test of every command on its page', () => {
    const tested = ['token:', '-czf', 'slipway check', '-xzf']
    const others = readBlocks(PAGE).filter(
      ({ code, notRun }) => notRun === undefined && !tested.some((words) => code.includes(words)),
    )
    assert.deepEqual(
      others.map(({ line, code }) => `line ${line}: ${code}`),
      [],
    )
  })
})
