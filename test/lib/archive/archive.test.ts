import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { type Archive, openArchive } from '../../../lib/archive/archive.ts'
import { ARCHIVE_PATH } from '../../../core/execution/layout.ts'
import { type ArchivedTask, formatRecord, parseRecord } from '../../../lib/archive/record.ts'
import { anExecution, aTask } from '../../helpers/build.ts'

const AT = '2026-11-24T02:00:00Z'

function aRecord(name: string, uid = `uid-${name}`, archivedAt = AT): ArchivedTask {
  const task = aTask({ name, metadata: { uid }, status: { state: 'COMPLETED', summary: 'zwölf\u2028 lines\nof text' } })
  return { archivedAt, task, executions: [anExecution({ name: `${name}-1`, status: { state: 'COMPLETED' } })] }
}

describe('the record of an archived task', () => {
  it('gives back what went in, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.nat(5), async (summary, count) => {
        const executions = Array.from({ length: count }, (_, i) =>
          anExecution({ name: `task-a-${i}`, spec: { model: summary } }),
        )
        const record = { archivedAt: AT, task: aTask({ status: { state: 'FAILED', summary } }), executions }
        assert.deepEqual(await parseRecord(await formatRecord(record)), JSON.parse(JSON.stringify(record)))
      }),
    )
  })

  it('is refused when any bit of it has changed', async () => {
    const bytes = await formatRecord(aRecord('task-a'))
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
      const read = await parseRecord(damaged).catch((error: unknown) => error)
      // The header of gzip has bytes that say nothing of the content, such as the time and the system.
      if (read instanceof Error) assert.equal(read.name, 'DamagedRecord')
      else assert.deepEqual(read, aRecord('task-a'))
    }
    for (const length of [0, 1, bytes.length - 1])
      await assert.rejects(parseRecord(bytes.subarray(0, length)), { name: 'DamagedRecord' })
  })
})

describe('the archive', () => {
  let root: string
  let archive: Archive
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'slipway-archive-'))
    archive = openArchive(root)
  })
  afterEach(() => rm(root, { recursive: true }))

  it('finds a task by its name, until it is removed', async () => {
    assert.equal(await archive.find('default', 'task-a'), undefined)
    await archive.add(aRecord('task-a'))
    await archive.add(aRecord('task-b', 'uid-b', '2026-12-01T00:00:00Z'))
    assert.deepEqual(await archive.find('default', 'task-a'), aRecord('task-a'))
    assert.equal(await archive.find('other', 'task-a'), undefined)
    assert.deepEqual(await archive.months('default'), ['2026-12', '2026-11'])
    assert.deepEqual(await archive.names('default', '2026-11'), ['task-a'])
    await archive.remove('default', 'task-a')
    assert.equal(await archive.find('default', 'task-a'), undefined)
  })

  it('holds a task once, however often it is added, and the newest of its name first', async () => {
    await archive.add(aRecord('task-a'))
    await archive.add(aRecord('task-a', 'uid-task-a', '2026-12-01T00:00:00Z'))
    assert.deepEqual(await archive.months('default'), ['2026-11'])
    await archive.add(aRecord('task-a', 'uid-new', '2026-12-02T00:00:00Z'))
    assert.equal((await archive.find('default', 'task-a'))?.task.metadata.uid, 'uid-new')
  })

  it('writes a record anew when the task, or an execution of it, has changed since', async () => {
    const first = aRecord('task-a')
    await archive.add(first)
    const execution = anExecution({ name: 'task-a-2', status: { state: 'COMPLETED' } })
    const second = { ...first, archivedAt: '2026-12-01T00:00:00Z', executions: [...first.executions, execution] }
    await archive.add(second)
    assert.deepEqual(await archive.find('default', 'task-a'), second)
    assert.deepEqual(await archive.names('default', '2026-11'), [])
  })

  it('names a record that was changed, and does not believe it', async () => {
    await archive.add(aRecord('task-a'))
    const path = join(root, ARCHIVE_PATH, 'default', '2026-11', 'task-a.jsonl.gz')
    const bytes = await readFile(path)
    bytes[bytes.length - 12] = (bytes.at(-12) ?? 0) ^ 1
    await writeFile(path, bytes)
    await assert.rejects(archive.find('default', 'task-a'), {
      name: 'DamagedRecord',
      message: /^the archived record archive\/default\/2026-11\/task-a\.jsonl\.gz cannot be used: /,
    })
  })

  it('has whole records alone after a writer was killed, and takes the others again', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `task-${i}`)
    const writer = fileURLToPath(new URL('writer.js', import.meta.url))
    const child = spawn(process.execPath, [writer, root, ...names], { stdio: ['ignore', 'pipe', 'inherit'] })
    let written = 0
    child.stdout.on('data', (chunk: Buffer) => {
      written += chunk.toString().split('\n').length - 1
      if (written >= 10) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const found = await Promise.all(names.map((name) => archive.find('default', name)))
    assert.ok(found.filter((record) => record !== undefined).length >= 10)
    for (const name of names) await archive.add(aRecord(name))
    for (const name of names) assert.deepEqual(await archive.find('default', name), aRecord(name))
    const left = await readdir(join(root, ARCHIVE_PATH, 'default', '2026-11'))
    assert.equal(left.filter((file) => !file.startsWith('.')).length, names.length)
  })
})
