import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { parseExposition, sumOf } from '../helpers/exposition.ts'
import { type FolderSize, measureFolder } from '../helpers/folder-size.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { printed } from '../helpers/slipway.ts'
import { type Installation, type Server, kindPath, makeInstallation } from './installation.ts'

/** Finished tasks, and how many of them stay in the cluster. */
const [TASKS, STAY] = [60, 3]

describe('finished tasks on the whole program', function () {
  let installation: Installation
  let server: Server
  const ids = Array.from({ length: TASKS }, (_, n) => `closed-${String(n).padStart(2, '0')}`)

  before(async () => {
    installation = makeInstallation()
    server = await installation.start()
    const { path } = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
    await server.create('worked', 'echo worked; echo more >&2', { repository_url: path })
    await server.run('worked')
    await server.reaches('worked', 'READY')
    assert.equal((await server.call('POST', '/api/tasks/worked/accept')).status, 200)
    await server.reaches('worked', 'COMPLETED')
    for (const id of ids) {
      await server.create(id, 'true')
      assert.equal((await server.call('POST', `/api/tasks/${id}/cancel`)).status, 200)
    }
    await Promise.all(ids.map((id) => server.reaches(id, 'CANCELLED')))
  })

  after(() => installation.dispose())

  /** Files below the archive, those included that are not whole. */
  const archived = (): string[] => {
    const root = join(installation.dataDir, 'volume', 'archive')
    if (!existsSync(root)) return []
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(gz|tmp)$/.test(path))
  }
  const live = async (): Promise<string[]> => {
    const { body } = await server.kube.send('GET', kindPath('tasks'))
    const items = Array.isArray(body['items']) ? body['items'].map(asRecord) : []
    return items.map(({ metadata }) => String(asRecord(metadata)['name']))
  }
  const startWithLimit = (retention: object = { closedCount: STAY }): Promise<Server> =>
    installation.start('--metrics-listen', '127.0.0.1:0', '--retention', JSON.stringify(retention))
  const countArchivings = async () => {
    const [, url = ''] = await printed(server.program, /metrics at (http:\S+\/metrics)/)
    const families = parseExposition(await (await fetch(url)).text())
    const count = (outcome: string): number => sumOf(families, 'slipway_archivings_total', { outcome })
    return { moved: count('moved'), failed: count('failed') }
  }
  const nameOf = (path: string): string => path.replace(/^.*\//, '').replace('.jsonl.gz', '')

  it('leave the cluster by count, each once, however often the program is killed meanwhile', async () => {
    for (const atLeast of [1, 2, 15, 40]) {
      server = await startWithLimit()
      await until(`${atLeast} files are in the archive`, () => archived().length >= atLeast)
      await server.program.kill()
    }
    server = await startWithLimit()
    await until('only what may stay is left', async () => (await live()).length === STAY)
    const all = ['worked', ...ids]
    assert.deepEqual([...archived().map(nameOf), ...(await live())].toSorted(), all.toSorted())
    for (const id of all) {
      const { status, body } = await server.call('GET', `/api/tasks/${id}`)
      assert.deepEqual([id, status, body['state']], [id, 200, id === 'worked' ? 'COMPLETED' : 'CANCELLED'])
    }
    const { moved, failed } = await countArchivings()
    assert.ok(moved > 0 && failed === 0, `${moved} moved, ${failed} failed since the last start`)
    const bytes = archived().map((path) => statSync(join(installation.dataDir, 'volume', 'archive', path)).size)
    assert.ok(Math.max(...bytes) < 2_000, `${Math.max(...bytes)} bytes for one task`)
    const { text } = await server.call('GET', '/api/executions/worked-1/stdout')
    assert.equal(text, 'worked\n')
  })

  it('come back by a restore, with their executions and files, and are not run again', async () => {
    assert.equal((await server.call('POST', '/api/tasks/worked/run')).status, 409)
    assert.equal((await server.call('POST', '/api/tasks/worked/restore')).status, 202)
    await until('it is live', async () => (await server.task('worked'))['archived_at'] === undefined)
    await server.reaches('worked', 'COMPLETED')
    await until('its record is gone', () => !archived().map(nameOf).includes('worked'))
    const executions = await server.executions('worked')
    assert.deepEqual(
      executions.map(({ id, state }) => [id, state]),
      [['worked-1', 'COMPLETED']],
    )
    assert.equal((await server.call('GET', '/api/executions/worked-1/stderr')).text, 'more\n')
  })

  it('whose record is damaged are named, and the others are read all the same', async () => {
    const [path = ''] = archived()
    writeFileSync(join(installation.dataDir, 'volume', 'archive', path), 'no archive')
    const { status, text } = await server.call('GET', `/api/tasks/${nameOf(path)}`)
    assert.equal(status, 500)
    assert.match(text, /archived record archive\/default\/[^ ]+\.jsonl\.gz cannot be used: .+ from a backup/)
    assert.ok(!text.includes(installation.folder), text)
    const page = await server.call('GET', '/api/tasks?limit=1000')
    assert.equal(page.status, 200)
  })

  it('are forgotten beyond the limit of the archive, with their files, and their ids are free', async () => {
    const [volume, files] = [join(installation.dataDir, 'volume'), installation.executionFile('worked-1', '')]
    const sizes = async () => Promise.all([volume, join(volume, 'archive'), files].map(measureFolder))
    server = await startWithLimit({ closedCount: 0 })
    await until('all are in the archive', async () => (await live()).length === 0 && archived().length === TASKS + 1)
    const [whole, records, worked] = await sizes()
    server = await startWithLimit({ closedCount: 0, archiveCount: STAY })
    await until('only the newest are left', () => archived().length === STAY && !existsSync(files))
    const [rest, kept, none] = await sizes()
    assert.deepEqual([none, kept?.files], [{ files: 0, bytes: 0 }, STAY])
    for (const unit of ['files', 'bytes'] as const) {
      const of = (size: FolderSize | undefined): number => size?.[unit] ?? NaN
      assert.ok(of(worked) > 0 && of(whole) - of(rest) === of(records) - of(kept) + of(worked), unit)
    }
    for (const path of ['tasks/worked', 'executions/worked-1', 'executions/worked-1/stdout'])
      assert.equal((await server.call('GET', `/api/${path}`)).status, 404, path)
    await server.create('worked', 'true')
    assert.equal((await server.task('worked'))['state'], 'PENDING')
  })
})
