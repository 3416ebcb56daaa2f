/** A real PostgreSQL beside the agents of a project, as docs/guides/test-database.md has it. */
import assert from 'node:assert/strict'
import {
  api,
  endedExecution,
  gitOnServer,
  kubectl,
  makeProject,
  MINUTE,
  records,
  required,
  submit,
  task,
  untilField,
  untilState,
} from '../cluster.ts'
import { makeRepository } from '../holds.ts'

const IMAGE = required('SLIPWAY_E2E_DATABASE_IMAGE')
/** For agents and checks: it has psql, and no server. */
const CLIENT_IMAGE = required('SLIPWAY_E2E_DATABASE_CLIENT_IMAGE')

/** A service has ten minutes to become ready. */
const NEVER_READY_MS = 13 * MINUTE

const DATABASE = {
  name: 'db',
  image: IMAGE,
  env: [
    { name: 'POSTGRES_PASSWORD', value: 'test' },
    { name: 'PGDATA', value: '/tmp/data' },
  ],
  ports: [5432],
  ready: { exec: ['pg_isready', '-h', '127.0.0.1'] },
  resources: { limits: { memory: '1Gi' } },
}

const CONNECT = `set -e
export PGHOST=$SERVICE_DB_HOST PGPORT=$SERVICE_DB_PORT PGUSER=postgres PGPASSWORD=test`
const TABLES = `psql -Atc "select count(*) from information_schema.tables where table_schema = 'public'"`

/** Work that leaves a table behind, and in the repository what it had found and what it read back. */
const work = (id: string): string => `${CONNECT}
${TABLES} > found.txt
psql -qc 'create table notes (id serial primary key, note text)' -c "insert into notes (note) values ('of ${id}')"
psql -Atc 'select id, note from notes' > notes.txt`

/** Services that never become ready, and how that is said. */
const NEVER_READY = {
  'without-password': {
    service: { ...DATABASE, env: [{ name: 'PGDATA', value: '/tmp/data' }] },
    says: /^service db does not start: (Error|CrashLoopBackOff) \(image .*\)/,
    log: /superuser password is not specified/,
  },
  'wrong-port': {
    service: { ...DATABASE, ready: { exec: ['pg_isready', '-h', '127.0.0.1', '-p', '5433'] } },
    says: /^service db runs and is not ready, as the project's services\[\]\.ready says \(image .*\); /,
    log: /database system is ready to accept connections/,
  },
}

describe('a project with PostgreSQL as a service', () => {
  before(async () => {
    await kubectl('patch', 'agents.slipway.dev', 'script', '--type=merge', '-p', '{"spec":{"maxConcurrent":3}}')
    const remote_url = await makeRepository('database')
    // These wait meanwhile.
    for (const [id, { service }] of Object.entries(NEVER_READY)) {
      await makeProject(id, { remote_url, services: [service] })
      await submit(id, id, 'echo never')
    }
    await makeProject('database', {
      remote_url,
      container_image: CLIENT_IMAGE,
      services: [DATABASE],
      max_check_rounds: 0,
      checks: [
        { name: 'as-left', run: `${CONNECT}\ntest "$(psql -Atc 'select id, note from notes')" = "$(cat notes.txt)"` },
        {
          name: 'clean',
          run: `${CONNECT}\ncreatedb clean\nexport PGDATABASE=clean\ntest "$(${TABLES})" = 0`,
        },
      ],
    })
  })

  const readFile = (branch: string, file: string): Promise<string> =>
    gitOnServer('database', 'show', `slipway/${branch}:${file}`)

  for (const id of ['first-notes', 'second-notes'])
    it(`has an empty one for the task ${id}, which works with it, and the checks too`, async () => {
      await submit(id, 'database', work(id))
      await untilState(id, 'READY', 4 * MINUTE)
      const read = [await readFile(id, 'found.txt'), await readFile(id, 'notes.txt')]
      assert.deepEqual(read, ['0\n', `1|of ${id}\n`])
      const checks = records((await task(id))['checks']).map(({ name, state }) => [name, state])
      assert.deepEqual(checks, [
        ['as-left', 'passed'],
        ['clean', 'passed'],
      ])
    })

  it('keeps what the database logged', async () => {
    await endedExecution('first-notes-1')
    const { services } = await api.getServiceLogs({ params: { id: 'first-notes-1' } })
    const [{ name, log } = { name: '', log: '' }] = services
    assert.equal(name, 'db')
    assert.match(log, /database system is ready to accept connections/)
  })

  it('says of a task that its service is not ready, while it waits', async () => {
    const { service } = NEVER_READY['wrong-port']
    const text = `service db runs and is not ready, as the project's services[].ready says (image ${service.image})`
    await untilField('tasks.slipway.dev/wrong-port', '.status.waitingFor', text, 2 * MINUTE)
  })

  for (const [id, { says, log }] of Object.entries(NEVER_READY))
    it(`fails the task ${id} by the name of the service that does not become ready, and keeps its log`, async () => {
      const { error, error_category: category } = await untilState(id, 'FAILED', NEVER_READY_MS)
      assert.equal(category, 'unavailable')
      assert.match(String(error), says)
      const { services } = await api.getServiceLogs({ params: { id: `${id}-1` } })
      assert.match(services[0]?.log ?? '', log)
    }).timeout(NEVER_READY_MS + MINUTE)
})
