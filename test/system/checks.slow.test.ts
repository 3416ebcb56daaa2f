import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { asRecord, parseJson } from '../../core/json.ts'
import { type Program, startProgram } from '../contract/program.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { makeRemote } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation } from './installation.ts'

/** The stand-in writes what it is told into work.txt: in a round, what is red. */
const MENDED = 'echo looking at work.txt; grep -q "Check test" work.txt || { echo planted failure; exit 3; }'

describe('the whole program, where a project has checks', function () {
  let program: Program

  before(async () => (program = await startProgram()))
  after(() => program.dispose())

  async function project(id: string, fields: object): Promise<void> {
    const reply = await program.server.call('POST', '/api/projects', {
      id,
      name: id,
      remote_url: program.remote.path,
      ...fields,
    })
    assert.equal(reply.status, 201, reply.text)
  }

  async function submit(id: string, projectId: string, agent: object): Promise<void> {
    const fields = { id, name: `Do ${id}`, project: projectId, agent }
    const made = await program.server.call('POST', '/api/tasks', fields)
    assert.equal(made.status, 201, made.text)
    await program.server.run(id)
  }

  const script = (instructions: string) => ({ type: 'script', instructions })
  const branch = (id: string): string => program.remote.git('rev-parse', `slipway/${id}`)
  const checksOf = (record: Readonly<Record<string, unknown>>): unknown[] =>
    (Array.isArray(record['checks']) ? record['checks'] : [])
      .map(asRecord)
      .map(({ name, state, round }) => [name, state, round])
  const act = async (id: string, action: string, body: object): Promise<void> => {
    const reply = await program.server.call('POST', `/api/tasks/${id}/${action}`, body)
    assert.ok(reply.status < 300, reply.text)
  }

  it('lets the agent mend a failure in the same session, and delivers what is green at exactly that commit', async () => {
    await project('mend', { checks: [{ name: 'test', run: MENDED }], protected_paths: ['work.txt'] })
    await submit('mended', 'mend', { type: 'claude' })
    const task = await program.reaches('mended', 'READY')
    assert.deepEqual(checksOf(task), [['test', 'passed', 2]])
    const [execution = {}] = await program.server.executions('mended')
    assert.deepEqual(checksOf(execution), [
      ['test', 'failed', 1],
      ['test', 'passed', 2],
    ])
    assert.equal(execution['cost_usd'], 0.5)
    const [check] = Array.isArray(task['checks']) ? task['checks'].map(asRecord) : []
    assert.equal(check?.['commit'], branch('mended'))
    const drops = program.installation.executionFile('', '../drops/started.jsonl')
    const started = readFileSync(drops, 'utf8').trim().split('\n').map(parseJson).map(asRecord)
    const [first, second] = started.slice(-2)
    assert.ok(JSON.stringify(second?.['args']).includes('--resume'), JSON.stringify(first))
    assert.match(String(second?.['prompt']), /Check test: exit code 3[^]*planted failure/)
    const file = (name: string) => program.installation.executionFile('mended-1', name)
    assert.match(readFileSync(file('rounds/1/test/output.log'), 'utf8'), /planted failure/)
    assert.ok(existsSync(file('rounds/2/test/verdict.json')))
    for (const left of ['checkouts', 'staged.git']) await until(`${left} is removed`, () => !existsSync(file(left)))
  })

  it('holds back what is never mended until a person waives it, by name and for a reason', async () => {
    await project('never', { checks: [{ name: 'test', run: 'echo wrong; exit 1' }], max_check_rounds: 1 })
    await submit('held', 'never', script('echo one > one.txt'))
    const held = await program.reaches('held', 'FAILED')
    assert.deepEqual([held['error_category'], checksOf(held)], ['checks', [['test', 'failed', 2]]])
    assert.throws(() => branch('held'))
    await act('held', 'waive', { reason: 'the check is wrong' })
    await until('the task is delivered', async () => (await program.server.task('held'))['state'] === 'READY')
    const task = await program.server.task('held')
    assert.equal(asRecord(task['checks_waived'])['reason'], 'the check is wrong')
    assert.equal(program.remote.git('show', 'slipway/held:one.txt'), 'one')
    await act('held', 'accept', {})
    await program.reaches('held', 'COMPLETED')
  })

  it('checks again what a person resumes, and asks nobody where no round is allowed', async () => {
    await project('once', {
      checks: [{ name: 'test', run: `[ -e '${program.installation.folder}/ok' ]` }],
      max_check_rounds: 0,
    })
    await submit('again', 'once', script('echo one > one.txt'))
    await program.reaches('again', 'FAILED')
    assert.equal((await program.server.executions('again')).length, 1)
    writeFileSync(`${program.installation.folder}/ok`, '')
    await act('again', 'resume', {})
    await until('the task is delivered', async () => (await program.server.task('again'))['state'] === 'READY')
    assert.deepEqual(checksOf(await program.server.task('again')), [['test', 'passed', 1]])
  })

  it('delivers work although a check is red that is not required', async () => {
    await project('lenient', {
      checks: [
        { name: 'lint', run: 'exit 1', required: false },
        { name: 'test', run: 'true' },
      ],
    })
    await submit('lenient', 'lenient', script('echo one > lenient.txt'))
    const task = await program.reaches('lenient', 'READY')
    assert.deepEqual(checksOf(task), [
      ['lint', 'failed', 1],
      ['test', 'passed', 1],
    ])
    assert.equal(program.remote.git('show', 'slipway/lenient:lenient.txt'), 'one')
  })

  it('ends a check that runs when its task is cancelled', async () => {
    await project('slow', { checks: [{ name: 'test', run: 'sleep 600' }] })
    await submit('slow', 'slow', script('echo one > slow.txt'))
    const isChecked = async () => checksOf(await program.server.task('slow')).length > 0 || (await running('slow'))
    await until('the check runs', isChecked)
    await act('slow', 'cancel', {})
    await program.reaches('slow', 'CANCELLED')
    assert.throws(() => branch('slow'))
  })

  it('keeps checks, rounds, waivers and holds in the archive, in a backup, and through the restore of either', async () => {
    const { installation } = program
    assert.equal((await program.server.call('POST', '/api/tasks/mended/checkout')).status, 200)
    const before = [await seen(program.server, 'mended'), await seen(program.server, 'held')]
    await program.server.program.stop()
    const file = `${installation.folder}/backup.jsonl.gz`
    const exported = await runSlipway(['export', '--data-dir', installation.dataDir, '--file', file])
    assert.equal(exported.code, 0, exported.output)

    let server = await installation.start('--runtime', 'process', '--retention', '{"closedCount": 0}')
    await until('it is archived', async () => (await server.task('held'))['archived_at'] !== undefined)
    assert.deepEqual(await seen(server, 'held'), before[1])
    server = await installation.start('--runtime', 'process')
    assert.equal((await server.call('POST', '/api/tasks/held/restore')).status, 202)
    await until('it is live', async () => (await server.task('held'))['archived_at'] === undefined)
    await server.reaches('held', 'COMPLETED')
    assert.deepEqual([await seen(server, 'mended'), await seen(server, 'held')], before)

    const elsewhere = makeInstallation()
    try {
      const imported = await runSlipway(['import', '--data-dir', elsewhere.dataDir, '--file', file])
      assert.equal(imported.code, 0, imported.output)
      server = await elsewhere.start('--runtime', 'process')
      assert.deepEqual([await seen(server, 'mended'), await seen(server, 'held')], before)
    } finally {
      await elsewhere.dispose()
    }
  })

  /** Whatever a person reads of the checks of a task: records, and the log and diff of each round. */
  async function seen(server: Server, id: string): Promise<object> {
    // A restore makes its objects anew.
    const kept = (record: object) => ({ ...record, archived_at: null, created_at: null, updated_at: null })
    const task = kept(await server.task(id))
    const executions = await server.executions(id)
    const texts: (readonly [string, number, string])[] = []
    for (const { id: execution, checks } of executions)
      for (const { name, round } of (Array.isArray(checks) ? checks : []).map(asRecord))
        for (const path of [`checks/${String(round)}/${String(name)}/log`, `rounds/${String(round)}/diff`]) {
          const { status, text } = await server.call('GET', `/api/executions/${String(execution)}/${path}`)
          texts.push([path, status, text])
        }
    assert.ok(texts.length >= 4, id)
    assert.deepEqual(
      texts.filter(([, status, text]) => status !== 200 || text === ''),
      [],
    )
    return { task, executions: executions.map(kept), texts }
  }

  const running = async (id: string): Promise<boolean> =>
    (await program.server.executions(id)).some((one) =>
      checksOf(one).some((check) => String(check).includes('running')),
    )
})

describe('a check in a sandbox', function () {
  let installation: Installation | undefined

  before(async function () {
    await needBwrap(this)
    installation = makeInstallation()
  })
  after(() => installation?.dispose())

  it('finds its checkout, and nothing of the clone, the agent or the other checks', async () => {
    assert.ok(installation)
    const remote = makeRemote(installation.folder, { '.gitignore': 'forged\n' })
    const server = await installation.start()
    const volume = `${installation.dataDir}/volume`
    const absent = [
      `${volume}/sandboxes`,
      `${volume}/executions/boxed-1/agent`,
      `${volume}/executions/boxed-1/checkouts/other`,
    ]
    const run = [
      'set -e',
      '[ -e work.txt ] && [ ! -e forged ]',
      ...absent.map((path) => `[ ! -e '${path}' ]`),
      '! env | grep -q SLIPWAY_',
      'ps ax 2>/dev/null | grep -c "[s]leep 500" && exit 9 || true',
    ].join('\n')
    const checks = [
      { name: 'first', run },
      { name: 'other', run: 'true' },
    ]
    const project = { id: 'boxed', name: 'Boxed', remote_url: remote.path, checks, max_check_rounds: 0 }
    assert.equal((await server.call('POST', '/api/projects', project)).status, 201)
    const script = 'echo work > work.txt; echo forged > forged; (setsid sleep 500 >/dev/null 2>&1 &)'
    await server.create('boxed', script, { project: 'boxed' })
    await server.run('boxed')
    await server.reaches('boxed', 'READY')
  })
})
