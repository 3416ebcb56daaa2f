import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from '../helpers/leaks.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation, processesOf } from './installation.ts'

const CLOCK_AHEAD = new URL('../helpers/clock-ahead.js', import.meta.url).href
const DAY_MS = 24 * 3600 * 1000

describe('what happens to the node of one machine', function () {
  let env: Record<string, string>
  let installation: Installation
  let remote: Remote

  beforeEach(() => {
    env = {}
    installation = makeInstallation(env)
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
  })

  afterEach(() => installation.dispose())

  const drop = (name: string): void => writeFileSync(join(installation.dataDir, 'volume', 'drops', name), '')

  async function begin(server: Server, id: string, script: string): Promise<string> {
    await server.create(id, `echo started; ${script}`, { repository_url: remote.path })
    await server.run(id)
    const log = installation.executionFile(`${id}-1`, 'agent/stdout.log')
    await until('the script has started', () => existsSync(log) && readFileSync(log, 'utf8') === 'started\n')
    return log
  }

  const statesOf = async (server: Server, id: string) => (await server.executions(id)).map(({ state }) => state)

  for (const [what, byMs] of [
    ['ahead', DAY_MS],
    ['behind', -3600_000],
  ] as const) {
    it(`a clock that is ${what} at a restart neither ends a running execution nor runs it again`, async () => {
      const first = await installation.start()
      const beat = 'while [ ! -e "$SERVICE_DROP_DIR/go" ]; do echo >> "$SERVICE_DROP_DIR/beats"; sleep 0.05; done'
      const log = await begin(first, 'patient', `${beat}; echo done > done.txt`)
      await first.program.kill()
      Object.assign(env, { NODE_OPTIONS: `--import ${CLOCK_AHEAD}`, CLOCK_AHEAD_MS: String(byMs) })
      const second = await installation.start()
      // Whatever ends it does so as soon as it is looked at.
      const beats = (): number => readFileSync(join(installation.dataDir, 'volume', 'drops', 'beats')).length
      const seen = beats()
      await until('it goes on for three seconds', () => beats() > seen + 60)
      drop('go')
      await second.reaches('patient', 'READY')
      assert.equal(readFileSync(log, 'utf8'), 'started\n')
      assert.deepEqual(await statesOf(second, 'patient'), ['COMPLETED'])
    })
  }

  /** Holds a push until the file is gone. */
  function holdPush(): string {
    const held = join(remote.path, 'held')
    const hook = join(remote.path, 'hooks', 'post-receive')
    writeFileSync(hook, `#!/bin/sh\ntouch ${held}.now; while [ -e ${held} ]; do sleep 0.05; done\n`)
    chmodSync(hook, 0o755)
    writeFileSync(held, '')
    return held
  }

  /** What writes the log of a container: in the group of its shim, beside it. */
  function logWriters(step: string): number[] {
    const isOurs = (pid: string): boolean => {
      const environment = textOf(`/proc/${pid}/environ`)
      return (
        environment.includes(installation.folder) &&
        new RegExp(`NODE_CONTAINER_ID=[^\\0]+/${step}\\0`).test(environment)
      )
    }
    const groupOf = (pid: number): number => Number(textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[2])
    const pids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter(isOurs)
      .map(Number)
    const shim = pids.find((pid) => textOf(`/proc/${pid}/cmdline`).includes('shim.sh') && groupOf(pid) === pid)
    return pids.filter((pid) => pid !== shim && groupOf(pid) === shim)
  }

  it('killing what writes the log of a step that pushes fails no execution whose branch is pushed', async () => {
    const server = await installation.start()
    const held = holdPush()
    await server.create('logged', 'echo done > done.txt', { repository_url: remote.path })
    await server.run('logged')
    await until('the branch is pushed, and the push held', () => existsSync(`${held}.now`))
    assert.notDeepEqual(logWriters('deliver'), [])
    while (logWriters('deliver').length > 0) for (const pid of logWriters('deliver')) process.kill(pid, 'SIGKILL')
    rmSync(held)
    await server.reaches('logged', 'READY')
    assert.deepEqual(await statesOf(server, 'logged'), ['COMPLETED'])
  })

  it('removing its folder ends what runs as lost and keeps nothing from running, without a restart', async () => {
    const server = await installation.start()
    await begin(server, 'robbed', 'sleep 300')
    await rm(join(installation.dataDir, 'node'), { recursive: true, force: true, maxRetries: 10 })
    await until('the execution has ended', async () => (await statesOf(server, 'robbed')).includes('FAILED'))
    const lost = (await server.executions('robbed')).find(({ id }) => id === 'robbed-1')
    assert.equal(lost?.['error_category'], 'lost')
    assert.match(String(lost?.['error']), /its folder \S+ was removed while it ran/)
    await until('nothing of it runs', () => processesOf('robbed-1', installation.folder).length === 0)
    await server.call('POST', '/api/tasks/robbed/cancel')
    await server.create('next', 'echo done > done.txt', { repository_url: remote.path })
    await server.run('next')
    await server.reaches('next', 'READY')
  })
})

describe('a node whose folder was removed while nobody served', function () {
  let installation: Installation
  before(() => (installation = makeInstallation()))
  after(() => installation.dispose())

  it('ends what ran as lost at the next start, and runs it no second time', async () => {
    const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    const first = await installation.start()
    const count = 'echo run >> "$SERVICE_DROP_DIR/count"'
    await first.create('orphan', `${count}; sleep 300`, { repository_url: remote.path })
    await first.run('orphan')
    const counted = join(installation.dataDir, 'volume', 'drops', 'count')
    await until('the script has started', () => existsSync(counted) && readFileSync(counted, 'utf8') === 'run\n')
    await first.program.kill()
    await rm(join(installation.dataDir, 'node'), { recursive: true, force: true, maxRetries: 10 })
    const second = await installation.start()
    const lost = async () => (await second.executions('orphan')).find(({ id }) => id === 'orphan-1')
    await until('the execution has ended', async () => (await lost())?.['state'] === 'FAILED')
    assert.equal((await lost())?.['error_category'], 'lost')
    assert.equal(readFileSync(counted, 'utf8'), 'run\n')
    await until('nothing of it runs', () => processesOf('orphan-1', installation.folder).length === 0)
  })
})

describe('a data folder below /proc', () => {
  it('is refused at once, naming it and the way out', async () => {
    const { code, output } = await runSlipway(['serve', '--listen', '127.0.0.1:0'], { SLIPWAY_DATA_DIR: '/proc/x/y' })
    assert.equal(code, 1)
    assert.match(output, /data folder \/proc\/x\/y/)
    assert.match(output, /--data-dir/)
    assert.ok(!output.includes('    at '), output)
  })
})
