import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type StartedSlipway, runSlipway, startSlipway, printed } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'

describe('slipway serve', function () {
  let folder: string
  let server: StartedSlipway | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-system-'))
  })

  afterEach(async () => {
    await server?.stop()
    server = undefined
    rmSync(folder, { recursive: true, force: true })
  })

  async function serve(...more: string[]): Promise<StartedSlipway> {
    server = await startSlipway(['serve', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data'), ...more])
    return server
  }

  function makeRepository(): string {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
    git('init', '--quiet', '--initial-branch=main', 'work')
    writeFileSync(join(folder, 'work', 'README.md'), '# Hello\n')
    git('-C', 'work', 'add', '.')
    git('-C', 'work', '-c', 'user.name=T', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', 'one')
    git('clone', '--quiet', '--bare', 'work', 'repository.git')
    return join(folder, 'repository.git')
  }

  async function submit(url: string, id: string, instructions: string): Promise<void> {
    const api = connectApi({ url, fetch })
    const body = {
      id,
      name: id,
      repository_url: join(folder, 'repository.git'),
      agent: { type: 'script', instructions },
    }
    await api.createTask({ body })
    await api.runTask({ params: { id } })
  }

  async function stateOf(url: string, id: string): Promise<unknown> {
    return (await connectApi({ url, fetch }).getTask({ params: { id } })).state
  }

  it('keeps its folder to its owner and out of commits, and writes a kubeconfig there', async () => {
    await serve()
    assert.equal(statSync(join(folder, 'data')).mode & 0o077, 0)
    assert.equal(readFileSync(join(folder, 'data', '.gitignore'), 'utf8'), '*\n')
    assert.equal(statSync(join(folder, 'data', 'kubeconfig')).mode & 0o777, 0o600)
  })

  it('says what isolates executions from the machine', async () => {
    const said = async (started: StartedSlipway) => (await printed(started, /executions run .*/))[0]
    assert.match(
      await said(await serve()),
      /in bubblewrap sandboxes|as plain processes.*only scripts and recordings run/,
    )
    await server?.stop()
    assert.match(
      await said(await serve('--runtime', 'process')),
      /as plain processes.*agents can read and change what you can/,
    )
  })

  it('stops with exit code 0 on Ctrl-C', async () => {
    assert.equal(await (await serve()).stop(), 0)
  })

  it('finds what it had when it is started again', async () => {
    const first = await serve()
    await connectApi({ url: first.url, fetch }).createTask({ body: { id: 'kept', name: 'Kept' } })
    await first.stop()
    const second = await serve()
    assert.equal(await stateOf(second.url, 'kept'), 'PENDING')
  })

  it('refuses a second process on the same folder and names the first', async () => {
    const first = await serve()
    const { code, output } = await runSlipway(['serve', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data')])
    assert.notEqual(code, 0)
    assert.match(output, new RegExp(`\\b${first.child.pid}\\b`))
  })

  it('says which port is taken when that port was asked for', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, output } = await runSlipway([
      'serve',
      '--listen',
      `127.0.0.1:${port}`,
      '--data-dir',
      join(folder, 'data'),
    ])
    other.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`127\\.0\\.0\\.1:${port}`))
    assert.match(output, /in use/)
    assert.ok(!output.includes('    at '), `a stack trace helps nobody here:\n${output}`)
  })

  it('refuses to listen beyond loopback without a token, and says the way out', async () => {
    const { code, output } = await runSlipway(['serve', '--listen', '0.0.0.0:0', '--data-dir', join(folder, 'data')])
    assert.notEqual(code, 0)
    assert.match(output, /token/)
    assert.match(output, /--insecure/)
  })

  it('brings a task to READY although the whole process is killed in the middle, and runs it once', async () => {
    makeRepository()
    const first = await serve()
    const gate = join(folder, 'data', 'volume', 'drops', 'gate')
    await submit(
      first.url,
      'survivor',
      `echo started; while [ ! -e "$SERVICE_DROP_DIR/gate" ]; do sleep 0.1; done; echo finished; date > now.txt`,
    )
    const log = join(folder, 'data', 'volume', 'executions', 'survivor-1', 'agent', 'stdout.log')
    await until('the script has started', () => existsSync(log) && readFileSync(log, 'utf8').includes('started'))
    await first.kill()
    const second = await serve()
    assert.equal(await stateOf(second.url, 'survivor'), 'RUNNING')
    writeFileSync(gate, '')
    await until('the task is READY', async () => (await stateOf(second.url, 'survivor')) === 'READY')
    assert.equal(readFileSync(log, 'utf8'), 'started\nfinished\n')
    const api = connectApi({ url: second.url, fetch })
    assert.equal((await api.listTaskExecutions({ params: { id: 'survivor' } })).length, 1)
  })
})
