import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath, makeInstallation } from './installation.ts'

const MERGE = { 'content-type': 'application/merge-patch+json' }

describe('the queue of an agent', function () {
  let installation: Installation
  let server: Server
  let repository: string

  before(async () => {
    installation = makeInstallation()
    repository = makeRemote(installation.folder, { 'README.md': '# Sample\n' }).path
    server = await installation.start()
  })

  after(() => installation.dispose())

  async function submit(id: string, script: string, fields = {}): Promise<void> {
    await server.create(id, script, { repository_url: repository, ...fields })
    await server.run(id)
  }

  const startedAt = async (id: string): Promise<string> => String((await server.executions(id))[0]?.['created_at'])
  const waitingFor = async (id: string): Promise<string> => String((await server.task(id))['waiting_for'])
  const holds = (name: string): string => `while [ ! -e "$SERVICE_DROP_DIR/${name}" ]; do sleep 0.05; done`
  const notes = (id: string): string => `echo ${id} >> "$SERVICE_DROP_DIR/order.log"`

  it('tells each of 30 tasks what it waits for, and runs one at a time those that are left when 26 are cancelled', async () => {
    // Several are queued within each second: their names count downwards, so that these do not decide.
    const ids = Array.from({ length: 30 }, (_, n) => `many-${String(99 - n)}`)
    await submit('gate', holds('many'))
    for (const id of ids) await submit(id, 'true')
    await until('gate is RUNNING', async () => (await server.task('gate'))['state'] === 'RUNNING')
    assert.equal(await waitingFor('many-99'), 'agent script is busy with gate; next in line')
    assert.equal(await waitingFor('many-70'), 'agent script is busy with gate; 30th in line')
    for (const id of ids.splice(2, 26)) {
      assert.equal((await server.call('POST', `/api/tasks/${id}/cancel`)).status, 200)
    }
    assert.equal((await server.call('POST', '/api/tasks/gate/cancel')).status, 202)
    let most = 0
    await until(
      'all are READY',
      async () => {
        const tasks = (JSON.parse((await server.call('GET', '/api/tasks')).text) as unknown[]).map(asRecord)
        most = Math.max(most, tasks.filter(({ state }) => state === 'RUNNING').length)
        return tasks.filter(({ id, state }) => ids.includes(String(id)) && state === 'READY').length === ids.length
      },
      180_000,
    )
    assert.equal(most, 1)
    for (const id of ids) assert.equal((await server.executions(id)).length, 1)
  })

  it('goes by priority, then by the time of queueing', async () => {
    await submit('first', holds('order'))
    await submit('low', notes('low'), { priority: 9 })
    await submit('middle', notes('middle'), { priority: 5 })
    await submit('middle-too', notes('middle-too'), { priority: 5 })
    await submit('high', notes('high'), { priority: 1 })
    await until('first is RUNNING', async () => (await server.task('first'))['state'] === 'RUNNING')
    await server.call('POST', '/api/tasks/first/cancel')
    const ids = ['high', 'middle', 'middle-too', 'low']
    for (const id of ids) await server.reaches(id, 'READY')
    const order = readFileSync(join(installation.dataDir, 'volume', 'drops', 'order.log'), 'utf8')
    assert.deepEqual(order.trim().split('\n'), ids)
  })

  it('starts a chain in its order, saying what each link waits for', async () => {
    await server.create('base', 'echo base > base.txt', { repository_url: repository })
    await server.create('wall', 'true', { repository_url: repository, depends_on: ['base'] })
    await server.create('roof', 'true', { repository_url: repository, depends_on: ['wall'] })
    await server.run('roof')
    await server.run('wall')
    await until('roof says what it waits for', async () => /wall/.test(await waitingFor('roof')))
    assert.match(await waitingFor('wall'), /base.*PENDING/)
    await server.run('base')
    await server.reaches('roof', 'READY')
    const started = await Promise.all(['base', 'wall', 'roof'].map(startedAt))
    assert.deepEqual(started, started.toSorted())
  })
})

describe('an agent that fails three times in a row', function () {
  let installation: Installation
  let server: Server
  let repository: string

  before(async () => {
    installation = makeInstallation()
    repository = makeRemote(installation.folder, { 'README.md': '# Sample\n' }).path
    server = await installation.start()
  })

  after(() => installation.dispose())

  async function drainWith(prefix: string): Promise<void> {
    for (const n of [1, 2, 3]) {
      await server.create(`${prefix}-${n}`, `echo ${prefix} went wrong >&2; exit 1`, { repository_url: repository })
      await server.run(`${prefix}-${n}`)
      await server.reaches(`${prefix}-${n}`, 'FAILED')
    }
    await server.create(`${prefix}-next`, 'true', { repository_url: repository })
    await server.run(`${prefix}-next`)
    await until('the fourth says why it waits', async () =>
      /drained.*went wrong/s.test(String((await server.task(`${prefix}-next`))['waiting_for'])),
    )
    assert.equal((await server.task(`${prefix}-next`))['state'], 'QUEUED')
  }

  it('is drained, asks a person, and works again after undrain over REST', async () => {
    await drainWith('rest')
    assert.match(String((await server.task('rest-3'))['question']), /script/)
    const reply = await server.call('POST', '/api/pool/agents/script/undrain')
    assert.equal(reply.status, 200, reply.text)
    await server.reaches('rest-next', 'READY')
    assert.equal((await server.task('rest-3'))['question'], undefined)
  })

  it('is drained again, and works again after undrain by annotation', async () => {
    await drainWith('note')
    const annotations = { 'slipway.dev/action': 'undrain' }
    await server.kube.send('PATCH', kindPath('agents', 'script'), { metadata: { annotations } }, MERGE)
    await server.reaches('note-next', 'READY')
  })
})
