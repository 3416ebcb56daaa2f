import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, makeInstallation, processesOf } from './installation.ts'

type Point = (server: Server, id: string) => Promise<void>

/** Moments of a task's life that can be seen from outside. */
const POINTS: Readonly<Record<string, Point>> = {
  'at once after run was answered': () => Promise.resolve(),
  'once it is RUNNING': (server, id) => seen(server, id, ({ state }) => state === 'RUNNING' || state === 'READY'),
  'once its Job exists': (server, id) => exists(server, `/apis/batch/v1/namespaces/default/jobs/${id}-1-run`),
  'while prepare runs': (server, id) => inStep(server, id, 'prepare'),
  'while the agent runs': (server, id) => inStep(server, id, 'agent'),
  'while deliver runs': (server, id) => inStep(server, id, 'deliver'),
  'once the branch is pushed': (_server, id) => pushed(id),
  'once it is READY': (server, id) => seen(server, id, ({ state }) => state === 'READY'),
}

let installation: Installation
let remote: Remote

describe('kill -9 of the whole program', function () {
  let server: Server

  before(async () => {
    installation = makeInstallation()
    remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    server = await installation.start()
  })

  after(() => installation.dispose())

  async function submit(id: string): Promise<void> {
    await server.create(id, script(id), { repository_url: remote.path })
    await server.run(id)
  }

  async function killAndRestart(): Promise<void> {
    await server.program.kill()
    server = await installation.start()
  }

  for (const [index, [moment, point]] of Object.entries(POINTS).entries()) {
    it(`${moment} loses nothing and runs the task to its end once`, async () => {
      const id = `killed-${index}`
      await submit(id)
      await point(server, id)
      await killAndRestart()
      await checkRecovery(server, id)
    })
  }

  it('again and again while a queue is worked off loses no task of it', async () => {
    const ids = Array.from({ length: 4 }, (_, n) => `queued-${n}`)
    for (const id of ids) await submit(id)
    for (const id of ids.slice(1)) {
      await seen(server, id, ({ state }) => state === 'RUNNING' || state === 'READY')
      await killAndRestart()
    }
    for (const id of ids) await checkRecovery(server, id)
  })

  it('while tasks are being created loses none that was answered', async () => {
    const answered: string[] = []
    const { program } = server
    const writing = Promise.allSettled(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; ; n += 1) {
          await server.create(`written-${writer}-${n}`, 'true')
          answered.push(`written-${writer}-${n}`)
        }
      }),
    )
    await until('a hundred tasks were answered', () => answered.length > 100)
    await program.kill()
    await writing
    server = await installation.start()
    const { text } = await server.call('GET', '/api/tasks')
    const kept = new Set((JSON.parse(text) as { id: string }[]).map(({ id }) => id))
    assert.deepEqual(
      answered.filter((id) => !kept.has(id)),
      [],
    )
  })
})

/** Leaves one line per start and per end in the drop directory, and two lines of output around a pause. */
function script(id: string): string {
  return `echo start >> "$SERVICE_DROP_DIR/${id}"; echo first; sleep 0.4; echo second
    echo ${id} > ${id}.txt; echo end >> "$SERVICE_DROP_DIR/${id}"`
}

async function checkRecovery(server: Server, id: string): Promise<void> {
  await server.reaches(id, 'READY')
  const execution = String((await server.task(id))['execution_id'])
  const marks = readFileSync(join(installation.dataDir, 'volume', 'drops', id), 'utf8')
  assert.equal(marks, 'start\nend\n', 'the script ran once, from start to end')
  assert.equal(readFileSync(installation.executionFile(execution, 'agent/stdout.log'), 'utf8'), 'first\nsecond\n')
  assert.equal(remote.git('show', `slipway/${id}:${id}.txt`), id)
  const executions = await server.executions(id)
  assert.deepEqual(
    executions.map(({ state }) => state),
    ['COMPLETED'],
  )
  await until(`nothing of ${id} runs`, () => processesOf(execution).length === 0)
  const jobs = await server.kube.send(
    'GET',
    `/apis/batch/v1/namespaces/default/jobs?labelSelector=slipway.dev/task=${id}`,
  )
  const items = Array.isArray(jobs.body['items']) ? jobs.body['items'].map(asRecord) : []
  // A kill between a container's folder and its process leaves a pod that is lost: another Job follows it.
  const whole = items.filter(({ status }) => {
    const { conditions } = asRecord(status)
    return !(Array.isArray(conditions) && conditions.some((condition) => asRecord(condition)['type'] === 'Failed'))
  })
  assert.ok(whole.length <= 1, `${whole.length} Jobs that have not failed: ${JSON.stringify(items)}`)
}

function seen(server: Server, id: string, test: (task: Readonly<Record<string, unknown>>) => boolean): Promise<void> {
  return until(`${id} has come that far`, async () => test(await server.task(id)))
}

function exists(server: Server, path: string): Promise<void> {
  return until(`${path} exists`, async () => (await server.kube.send('GET', path)).status === 200)
}

/** From the record that the node keeps of each container. One that is over before anybody looks has been run as well. */
function inStep(server: Server, id: string, step: string): Promise<void> {
  const path = `/api/v1/namespaces/default/pods?labelSelector=slipway.dev/task=${id}`
  return until(`${id} is in ${step}`, async () => {
    const { text } = await server.kube.send('GET', path)
    return begunContainers(text).includes(step)
  })
}

function begunContainers(text: string): unknown[] {
  const list = JSON.parse(text) as {
    items?: { status?: Record<string, { name: string; state?: { running?: object; terminated?: object } }[]> }[]
  }
  const status = list.items?.[0]?.status ?? {}
  const all = [...(status['initContainerStatuses'] ?? []), ...(status['containerStatuses'] ?? [])]
  return all.filter(({ state }) => (state?.running ?? state?.terminated) !== undefined).map(({ name }) => name)
}

function pushed(id: string): Promise<void> {
  return until(`${id} is pushed`, () => existsSync(join(remote.path, 'refs', 'heads', 'slipway', id)))
}
