/** What the program of e772f1de left opens and goes on; how it was made: tools/record-installation.mjs. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALTERNATES_PATH } from '../../core/execution/alternates.ts'
import { clonePath } from '../../core/execution/layout.ts'
import { parseObject } from '../../core/json.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { openRecorded, RECORDED_FOLDER } from '../helpers/recorded-installation.ts'
import { gitIn } from '../helpers/repository.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import type { Installation, Server } from './installation.ts'

const COMMIT = 'e772f1de'
const REMOTE = join(RECORDED_FOLDER, 'remote.git')

/** Each task that no agent worked at when the program ended, and its state. */
const TASKS: Readonly<Record<string, string>> = {
  archived: 'COMPLETED',
  'archived-token': 'CANCELLED',
  completed: 'COMPLETED',
  cancelled: 'CANCELLED',
  ready: 'READY',
  'ready-session': 'READY',
  rejected: 'PENDING',
  failed: 'FAILED',
  'failed-session': 'FAILED',
  'timed-out': 'TIMED_OUT',
  'over-budget': 'BUDGET_EXCEEDED',
  asked: 'BLOCKED',
  waiting: 'QUEUED',
  suspended: 'PENDING',
  'shippable-1': 'READY',
  'shippable-2': 'READY',
  'half-1': 'READY',
  'half-2': 'PENDING',
}

const filesAt = (branch: string): string[] => gitIn(REMOTE, 'ls-tree', '--name-only', branch).split('\n')
/** How the stand-in for the agent's program was started with these words in its prompt, the last time. */
function lastStart({ dataDir }: Installation, words: string): readonly unknown[] {
  const text = readFileSync(join(dataDir, 'volume', 'drops', 'started.jsonl'), 'utf8')
  const starts = text.trim().split('\n').map(parseObject)
  const args: unknown = starts.findLast(({ prompt }) => String(prompt).includes(words))?.['args']
  return Array.isArray(args) ? args : []
}

/** What may be done with each task, to its end: in the data folder, and where its backup was brought to. */
function describeTasks(opened: () => { readonly installation: Installation; readonly server: Server }): void {
  const post = async (path: string, body?: unknown): Promise<void> => {
    const reply = await opened().server.call('POST', path, body)
    assert.ok(reply.status < 300, `${path}: ${reply.status} ${reply.text}`)
  }
  const decide = (id: string, action: string, body?: unknown) => post(`/api/tasks/${id}/${action}`, body)
  const reaches = (id: string, state: string) => opened().server.reaches(id, state)
  it('shows each task in the state in which it was left', async () => {
    const ids = Object.keys(TASKS)
    const tasks = await Promise.all(ids.map((id) => opened().server.task(id)))
    assert.deepEqual(Object.fromEntries(ids.map((id, n) => [id, tasks[n]?.['state']])), TASKS)
  })

  it('merges what is READY without a record of its pushes, and what a story has', async () => {
    await decide('ready', 'accept')
    await until('the task is merged', () => filesAt('main').includes('ready.txt'))
    await reaches('ready', 'COMPLETED')
    for (const status of ['VALIDATING', 'REVIEW_READY'])
      assert.equal((await opened().server.call('PUT', '/api/stories/shippable/status', { status })).status, 200)
    await post('/api/stories/shippable/accept')
    await until('the story is merged', () => filesAt('main').includes('two.txt'))
    assert.ok(filesAt('main').includes('one.txt'))
  })

  it('has rejected work done again', async () => {
    await decide('ready-session', 'reject', { comment: 'Once more.' })
    for (const id of ['ready-session', 'rejected']) await decide(id, 'run')
    for (const id of ['ready-session', 'rejected']) await reaches(id, 'READY')
    assert.notDeepEqual(lastStart(opened().installation, 'Once more.'), [])
    await decide('rejected', 'accept')
    await reaches('rejected', 'COMPLETED')
  })

  for (const id of ['failed', 'failed-session', 'timed-out'])
    it(`resumes ${id} in its clone`, async () => {
      await decide(id, 'resume')
      await reaches(id, 'READY')
      const files = filesAt(`slipway/${id}`)
      const expected = { failed: 'begun', 'failed-session': 'work.txt', 'timed-out': 'half' }[id]
      assert.ok(files.includes(String(expected)), String(files))
    })

  it('hands an answer to the session that asked, and then goes on with what waited for it', async () => {
    await decide('asked', 'answer', { answer: 'the red one' })
    await reaches('asked', 'READY')
    assert.ok(lastStart(opened().installation, 'the red one').includes('--resume'))
    await decide('asked', 'accept')
    await reaches('waiting', 'READY')
  })

  it('runs what was suspended, and the next task of a story on its branch', async () => {
    const edited = await opened().server.call('PUT', '/api/tasks/suspended', { suspend: false })
    assert.equal(edited.status, 200, edited.text)
    await decide('suspended', 'run')
    await post('/api/stories/half/run')
    await reaches('suspended', 'READY')
    await reaches('half-2', 'READY')
    assert.ok(filesAt('story/half').includes('half-2.txt'))
  })

  for (const id of ['archived', 'archived-token'])
    it(`restores ${id} from the archive`, async () => {
      await decide(id, 'restore')
      await until('it is live', async () => (await opened().server.task(id))['archived_at'] === undefined)
      await reaches(id, TASKS[id] ?? '')
      const { repository_url: url } = await opened().server.task(id)
      assert.ok(!String(url).includes('ghp_token'), String(url))
    })
}

describe(`the data folder of ${COMMIT}`, function () {
  let installation: Installation
  let server: Server
  before(async () => {
    installation = await openRecorded(COMMIT)
    server = await installation.start('--runtime', 'process')
  })
  after(() => installation.dispose())

  it('ends executions whose agents are gone, keeps their clones and sessions, and resumes them there', async () => {
    for (const id of ['running', 'running-session']) {
      await until(`${id} has ended`, async () => (await server.task(id))['state'] !== 'RUNNING')
      // Its Job has long passed its deadline too, and either may be seen first.
      assert.match(String((await server.task(id))['state']), /^(FAILED|TIMED_OUT)$/)
      const [last] = await server.executions(id)
      assert.match(String(last?.['state']), /^(FAILED|TIMED_OUT)$/)
    }
    writeFileSync(join(installation.dataDir, 'volume', 'drops', 'go'), '')
    for (const id of ['running', 'running-session']) {
      const resumed = await server.call('POST', `/api/tasks/${id}/resume`)
      assert.equal(resumed.status, 202, resumed.text)
      await server.reaches(id, 'READY')
    }
    assert.ok(filesAt('slipway/running').includes('rest.txt'))
    assert.match(gitIn(REMOTE, 'log', '--format=%s', 'slipway/running'), /^half$/m)
    const args = lastStart(installation, '')
    const ends = (await server.executions('running-session')).map(({ state, error }) => ({ state, error }))
    assert.ok(args.includes('--resume'), JSON.stringify({ args, ends }))
  })

  describeTasks(() => ({ installation, server }))

  it('keeps values that are refused today while they are not changed', async () => {
    const { body } = await server.call('GET', '/api/projects/odd')
    assert.equal(body['remote_url'], 'https://[redacted]@127.0.0.1:9/odd.git')
    const renamed = await server.call('PUT', '/api/projects/odd', { name: 'Renamed' })
    assert.equal(renamed.status, 200, renamed.text)
  })
})

describe(`clones that the program of ${COMMIT} left, where new ones borrow from a mirror`, function () {
  let installation: Installation
  let server: Server
  before(async function () {
    await needBwrap(this)
    installation = await openRecorded(COMMIT)
    server = await installation.start('--runtime', 'bwrap')
  })
  after(() => installation?.dispose())

  const borrows = (id: string): boolean =>
    existsSync(join(installation.dataDir, 'volume', clonePath(id), ALTERNATES_PATH))

  it('go on with objects of their own, beside tasks that borrow', async () => {
    assert.equal((await server.call('POST', '/api/tasks/failed/resume')).status, 202)
    await server.create('borrower', 'git log --format=%s > log.txt', { repository_url: REMOTE })
    await server.run('borrower')
    await server.reaches('failed', 'READY')
    await server.reaches('borrower', 'READY')
    assert.deepEqual([borrows('failed'), borrows('borrower')], [false, true])
    assert.ok(filesAt('slipway/failed').includes('begun'))
    assert.equal(gitIn(REMOTE, 'show', 'slipway/borrower:log.txt'), gitIn(REMOTE, 'log', '--format=%s', 'main'))
  })
})

describe(`a backup of ${COMMIT}`, function () {
  let installation: Installation
  let server: Server
  let imported: { code: number | null; output: string }
  before(async () => {
    installation = await openRecorded(COMMIT)
    const { dataDir, folder } = installation
    rmSync(dataDir, { recursive: true })
    imported = await runSlipway(['import', '--data-dir', dataDir, '--file', join(folder, 'backup.jsonl.gz')])
    assert.equal(imported.code, 0, imported.output)
    server = await installation.start('--runtime', 'process')
  })
  after(() => installation.dispose())

  it('is imported without the values that are refused today, each of them named', async () => {
    assert.match(
      imported.output,
      /Project odd spec\.remoteUrl, Project odd spec\.defaultBranch, Agent odd spec\.defaultModel/,
    )
    assert.equal((await server.call('GET', '/api/projects/odd')).body['remote_url'], 'https://127.0.0.1:9/odd.git')
  })

  describeTasks(() => ({ installation, server }))
})
