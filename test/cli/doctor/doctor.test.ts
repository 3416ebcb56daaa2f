import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doctorCommand } from '../../../cli/commands/doctor.ts'
import { parseArguments } from '../../../cli/server-command.ts'
import { checkDataFolder } from '../../../cli/doctor/data-folder.ts'
import { type Finding, findingsOf, formatFindings, makeFinding } from '../../../cli/doctor/finding.ts'
import { checkGit } from '../../../cli/doctor/git.ts'
import { checkPrograms } from '../../../cli/doctor/machine.ts'
import { checkPort, checkServer, usualServer } from '../../../cli/doctor/server.ts'
import type { ProgramRecord } from '../../../core/rest/records/setup.ts'
import { addMs } from '../../../core/time.ts'
import { fileOf, openFolder } from '../../../embedded/storage/folder.ts'
import { systemClock } from '../../../lib/clock.ts'
import { loadConfig } from '../../../lib/config.ts'
import { listeningUrl } from '../../../lib/listen.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'

const brief = (findings: readonly Finding[]) => findings.map(({ topic, status }) => `${topic} ${status}`)

describe('slipway doctor', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-doctor-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const configOf = (dataDir: string) => loadConfig({ flags: { dataDir }, env: {} })
  const run = async (...args: string[]) => {
    const parsed = parseArguments(doctorCommand, ['--data-dir', join(folder, 'none'), ...args], {})
    assert.ok(parsed !== 'help')
    let out = ''
    const terminal = { out: (text: string) => void (out += text), err: () => undefined }
    const code = await doctorCommand.run({ ...parsed, terminal, signal: new AbortController().signal })
    return { code, out }
  }

  it('ends with 0 while nothing fails, and makes no data folder', async () => {
    const { code, out } = await run('--runtime', 'process', '--listen', '127.0.0.1:0')
    assert.equal(code, 0, out)
    assert.match(out, /^ok {4}node +\d/)
    assert.match(
      out,
      /^warn {2}sandbox +executions run as plain processes[^]*→ start Slipway without --runtime process/m,
    )
    assert.match(out, /^ok {4}data .*does not exist yet/m)
    assert.ok(!(await readdir(folder)).includes('none'))
  })

  it('ends with 1 and says so in JSON when something fails, and prints no password', async () => {
    const { code, out } = await run('--json', '--server', 'http://me:hidden@127.0.0.1:1')
    const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] }
    assert.deepEqual([code, ok], [1, false])
    assert.match(findings.find(({ status }) => status === 'fail')?.text ?? '', /must be a URL.*without a password/)
    assert.ok(!out.includes('hidden'))
    const { out: nameless } = await run('--server', 'http://:hidden@127.0.0.1:1')
    assert.match(nameless, /must be a URL.*without a password/)
    assert.ok(!nameless.includes('hidden'))
  })

  it('says how git is installed where there is none', async () => {
    const missing = () => Promise.reject(Object.assign(new Error('spawn git ENOENT'), { code: 'ENOENT' }))
    const { status, remedy } = await checkGit(missing)
    assert.deepEqual([status, remedy], ['fail', 'apt-get install git, or brew install git'])
  })

  it('warns of programs that are not there only where no agent can work, and of logins always', () => {
    const claude: ProgramRecord = {
      adapter: 'claude',
      is_found: true,
      login: 'file',
      login_source: '~/c',
      is_ready: true,
    }
    const codex = {
      adapter: 'codex',
      is_found: false,
      login: 'none',
      is_ready: false,
      missing: 'm',
      remedy: 'r',
    } as const
    const gemini = { ...codex, adapter: 'gemini', is_found: true } as const
    assert.deepEqual(brief(checkPrograms([claude, codex, gemini])), ['claude ok', 'codex ok', 'gemini warn'])
    assert.deepEqual(brief(checkPrograms([codex])), ['codex warn'])
  })

  it('reads the store, and tells a damaged one with the command that says more', async () => {
    const dataDir = join(folder, 'data')
    const store = join(dataDir, 'store')
    await mkdir(store, { recursive: true })
    await (await openFolder(store)).close()
    const now = new Date()
    assert.deepEqual(brief(await checkDataFolder(configOf(dataDir), now)), ['data ok', 'disk ok', 'store ok'])
    await utimes(fileOf(store), now, addMs(now, 3_600_000))
    assert.ok(brief(await checkDataFolder(configOf(dataDir), now)).includes('clock warn'))
    await writeFile(fileOf(store), Buffer.alloc(8192, 7))
    const damaged = (await checkDataFolder(configOf(dataDir), now)).find(({ topic }) => topic === 'store')
    assert.deepEqual([damaged?.status, damaged?.remedy], ['fail', `slipway check --data-dir ${dataDir}`])
  })

  it('says how much clones and mirrors take of what they may, and warns beyond', async () => {
    const dataDir = join(folder, 'full')
    const key = 'a'.repeat(32)
    for (const path of ['sandboxes/task-a/repo', 'sandboxes/task-b', `repositories/${key}/mirrors/1`])
      await mkdir(join(dataDir, 'volume', path), { recursive: true })
    await writeFile(join(dataDir, 'volume', 'sandboxes/task-a/repo/file'), Buffer.alloc(2 ** 20, 1))
    await writeFile(join(dataDir, 'volume', `repositories/${key}/mirrors/1/pack`), Buffer.alloc(2 ** 21, 1))
    const find = async (retention: object): Promise<(string | undefined)[][]> => {
      const config = { ...configOf(dataDir), retention }
      const found = (await checkDataFolder(config, new Date())).slice(-2)
      return found.map(({ topic, status, text, remedy }) => [
        topic,
        status,
        text.replace(/1 MiB|1\.\d MiB/, '1.x MiB'),
        remedy,
      ])
    }
    assert.deepEqual(await find({ workspaceBytes: '5Mi', mirrorBytes: '1Mi' }), [
      ['workspaces', 'ok', '2 tasks, 1.x MiB of 5 MiB', undefined],
      [
        'mirrors',
        'warn',
        '1 repository, 2 MiB of 1.x MiB',
        'accept or delete finished tasks, or raise retention.mirrorBytes',
      ],
    ])
  })

  it('fails for a taken address that was asked for, and says of a free one that it is', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const listen = new URL(listeningUrl(other, '127.0.0.1')).host
    const [taken] = await findingsOf('port', () => checkPort({ listen }, false))
    assert.deepEqual([taken?.status, taken?.text.includes('--listen')], ['fail', true])
    assert.deepEqual(brief([await checkPort({ listen }, true)]), ['port ok'])
    other.close()
    assert.deepEqual(brief([await checkPort({ listen: '127.0.0.1:0' }, false)]), ['port ok'])
  })

  it('looks at the cluster of a kubeconfig, and fails where that cannot be used', async () => {
    const where = ['--kubeconfig', join(folder, 'no-kubeconfig'), '-n', 'work']
    const { code, out } = await run(...where, '--listen', '127.0.0.1:0')
    assert.equal(code, 1)
    assert.match(out, /^fail {2}cluster +cannot use the kubeconfig: .*name it with --kubeconfig/m)
  })

  it('uses no cluster and no address of a configuration that it only finds, as in a clone of somebody else', async () => {
    const clone = join(folder, 'clone')
    await mkdir(join(clone, '.slipway'), { recursive: true })
    const content = 'kubeconfig: evil-kubeconfig\nlisten: attacker.invalid:8123\n'
    await writeFile(join(clone, '.slipway/config.yaml'), content)
    const foundIn = (args: readonly string[]) => {
      const before = process.cwd()
      process.chdir(clone)
      try {
        const parsed = parseArguments(doctorCommand, args, {})
        assert.ok(parsed !== 'help')
        return parsed
      } finally {
        process.chdir(before)
      }
    }
    const { config, chosen } = foundIn([])
    assert.deepEqual([config.kubeconfig, [...chosen]], ['evil-kubeconfig', []])
    assert.equal(usualServer(config, chosen.has('listen')), 'http://127.0.0.1:8123')
    let out = ''
    const terminal = { out: (text: string) => void (out += text), err: () => undefined }
    await doctorCommand.run({ ...foundIn([]), terminal, signal: new AbortController().signal })
    assert.ok(!out.includes('cluster'), out)
    for (const args of [
      ['--data-dir', '.slipway'],
      ['--config', '.slipway/config.yaml'],
      ['--kubeconfig', 'mine'],
    ])
      assert.ok(foundIn(args).chosen.has('kubeconfig'), args[0])
    assert.equal(usualServer(config, true), 'http://attacker.invalid:8123')
  })

  it('puts what mends a line below it', () => {
    const findings = [makeFinding('a', 'ok', 'fine'), makeFinding('longer', 'fail', 'broken\u001b[2J', 'mend it')]
    assert.equal(formatFindings(findings), 'ok    a       fine\nfail  longer  broken[2J\n              → mend it\n')
  })

  it('keeps texts to the width of a terminal, below each other, and what mends a line in one piece', () => {
    const findings = [
      makeFinding(
        'tools',
        'warn',
        'these are not shown to sandboxes: go, cargo',
        'toolFolders: ["/root/go", "/root/cargo"]',
      ),
    ]
    assert.deepEqual(formatFindings(findings, 50).split('\n'), [
      'warn  tools  these are not shown to sandboxes: go,',
      '             cargo',
      '             → toolFolders: ["/root/go", "/root/cargo"]',
      '',
    ])
  })

  describe('asks a server', () => {
    let api: Rig
    before(async () => {
      api = await startRig()
    })
    after(() => api.stop())
    const env = { SLIPWAY_TOKEN: 'unused-here' }

    it('whether it answers, and what its clock says', async () => {
      const late = { ...systemClock, now: () => addMs(systemClock.now(), 600_000) }
      const good = await checkServer({ server: api.url, env, clock: systemClock })
      assert.deepEqual(brief(good), ['server ok', 'clock ok'])
      const [, clock] = await checkServer({ server: api.url, env, clock: late })
      assert.match(
        `${clock?.status} ${clock?.text}`,
        /^warn this machine's clock is (9m59s|10m0[01]s) ahead of the server's/,
      )
    })
  })

  it('fails for a named server that does not answer, and says how one is started', async () => {
    const server = 'http://127.0.0.1:9'
    const [named] = await findingsOf('server', () => checkServer({ server, env: {}, clock: systemClock }))
    assert.equal(named?.status, 'fail')
    assert.match(named?.text ?? '', /no server answers[^]*slipway serve/)
  })
})
