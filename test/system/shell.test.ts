import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../core/shell.ts'
import { makeRemote } from '../helpers/repository.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { PROGRAM, runSlipway, startSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
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

  it('ends the program when it is ended itself, and says so by its exit code', async () => {
    const words = ['shell', '--server', server.program.url, 'fails', '--', 'sh', '-c', 'echo ready; sleep 600']
    const child = await startSlipway(words)
    assert.equal(await child.stop(), 143)
  })

  it('tells a program inside when the terminal is resized', async () => {
    const inside = `trap 'stty size; exit' WINCH; echo waits; while :; do sleep 0.05; done`
    const words = ['shell', '--server', server.program.url, 'fails', '--', 'sh', '-c', inside]
    const command = ['exec', process.execPath, PROGRAM, ...words.map(shellWord)].join(' ')
    const terminal = spawn('script', ['-qec', `tty; ${command}`, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ended = once(terminal, 'close')
    await until('the program waits', () => output.includes('waits'))
    execFileSync('stty', ['-F', output.split('\r\n')[0] ?? '', 'rows', '41', 'cols', '123'])
    await ended
    assert.match(output, /^41 123\r$/m)
  })

  it('shows no login that an agent of the task was given in its home', async () => {
    const files = [{ path: '.other/login.json', host_path: '/etc/hostname' }]
    const other = { id: 'other', adapter: 'claude', credentials: { files } }
    const { status, text } = await server.call('POST', '/api/agents', other)
    assert.equal(status, 201, text)
    const home = join(installation.dataDir, 'volume', 'sandboxes', 'fails', 'home')
    mkdirSync(join(home, '.other'), { recursive: true })
    writeFileSync(join(home, '.other', 'login.json'), 'token-of-the-agent')
    writeFileSync(join(home, '.other', 'notes'), 'notes\n')
    const { output } = await shell('fails', '--', 'sh', '-c', 'cat ~/.other/notes ~/.other/login.json')
    assert.match(output, /^notes$/m)
    assert.equal(output.includes('token-of-the-agent'), false)
  })

  it('shows the workspace of a running task and lets nobody write there', async () => {
    await server.create('works', 'echo mine > mine.txt; until [ -e done ]; do sleep 0.1; done', { project: 'shop' })
    await server.run('works')
    await until('the agent works', () =>
      existsSync(join(installation.dataDir, 'volume', 'sandboxes', 'works', 'repo', 'mine.txt')),
    )
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
