import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreDamaged } from '../../../embedded/storage/backend.ts'
import { checkFolder, openFolder } from '../../../embedded/storage/folder.ts'
import { inspectFile } from '../../../embedded/storage/inspect.ts'
import { oldStore } from '../../helpers/old-store.ts'

describe('embedded: a store of a version that wrote no checksums', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-upgrade-'))
    file = join(folder, 'objects.mdb')
    writeFileSync(file, oldStore())
    writeFileSync(join(folder, 'format'), '1\n')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const tasks = 'tasks.slipway.dev/'

  it('opens with all it holds, goes on with the next revision, and has checksums from then on', async () => {
    const before = await checkFolder(folder)
    assert.deepEqual(before, { format: 1, records: 25, revision: 41, problems: [] })
    const { store, close } = await openFolder(folder)
    assert.deepEqual(
      store.range({ prefix: tasks }).map(({ key }) => key),
      ['kept-1', 'kept-2', 'kept-3'].map((name) => `${tasks}default/${name}`),
    )
    assert.match(store.get(`${tasks}default/kept-1`)?.value ?? '', /"state":"FAILED"/)
    const [change] = await store.write([{ type: 'put', key: 'k/new', expected: 0, render: () => '{}' }])
    assert.equal(change?.revision, 42)
    await close()
    assert.deepEqual(await checkFolder(folder), { format: 2, records: 26, revision: 42, problems: [] })
    assert.equal(readFileSync(join(folder, 'format'), 'utf8'), '2\n')
  })

  it('opens also where only the note of its format was left behind', async () => {
    await (await openFolder(folder)).close()
    writeFileSync(join(folder, 'format'), '1\n')
    const { store, close } = await openFolder(folder)
    assert.equal(store.range({ prefix: tasks }).length, 3)
    await close()
  })

  it('is taken over once, though several processes try', async () => {
    const reports = await Promise.all(Array.from({ length: 6 }, () => inspectFile(file, 'upgrade')))
    assert.deepEqual(
      reports.flatMap(({ problems }) => problems),
      [],
    )
    const { store, close } = await openFolder(folder)
    assert.match(store.get(`${tasks}default/kept-1`)?.value ?? '', /^\{"apiVersion"/)
    await close()
    assert.deepEqual(await checkFolder(folder), { format: 2, records: 25, revision: 41, problems: [] })
  })

  it('is refused, and left as it is, where a record is no object any more', async () => {
    const content = oldStore()
    content.write('#####', content.indexOf('"kept-2"') - 20)
    writeFileSync(file, content)
    await assert.rejects(openFolder(folder), StoreDamaged)
    assert.equal(readFileSync(join(folder, 'format'), 'utf8'), '1\n')
    assert.equal(existsSync(join(folder, 'lock')), false)
  })
})
