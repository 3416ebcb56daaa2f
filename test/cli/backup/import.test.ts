import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportRefused } from '../../../cli/backup/check.ts'
import type { WithoutOperator } from '../../../cli/backup/import.ts'
import { writeImportMark } from '../../../cli/backup/mark.ts'
import { IMPORTING_PATH } from '../../../core/execution/layout.ts'
import { formatOwner } from '../../../core/execution/owner.ts'
import { EXECUTIONS, STORIES, TASKS } from '../../../kube/resources.ts'
import { type Entry, DamagedBackup } from '../../../lib/backup/format.ts'
import { openBackup, readBackup } from '../../../lib/backup/read.ts'
import { writeBackup } from '../../../lib/backup/write.ts'
import { UnsafePath } from '../../../lib/files.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { type TestControlPlane, startTestControlPlane } from '../../helpers/control-plane.ts'
import { type Place, type Places, exportFrom, fill, given, importInto, makePlaces, objectsOf, write } from './rig.ts'

const HEADER = {
  kind: 'SlipwayBackup',
  schemaVersion: 1,
  createdAt: '2026-11-25T00:00:00Z',
  version: '0.1.0',
  namespace: 'default',
  hasSecrets: false,
  hasWorkspaces: true,
} as const
const END: Entry = { kind: 'End', objects: 0, files: 0, bytes: 0, changedWorkspaces: [] }
const file = (path: string): Entry => ({ kind: 'File', path, mode: 0o640, modifiedMs: 0 })
const folder = (path: string): Entry => ({ kind: 'Folder', path, mode: 0o750 })
const link = (path: string, target = '/etc'): Entry => ({ kind: 'Link', path, target })
const TASK = { kind: 'Object', object: { kind: 'Task', metadata: { name: 'task-a' }, spec: { title: 'A' } } } as const

const secret = (type: string, labels = {}): Entry => ({
  kind: 'Object',
  object: { kind: 'Secret', metadata: { name: 'evil', labels }, type, data: {} },
})
const LABELLED = { 'slipway.dev/usable-by': 'agent' }

/** What an archive that somebody made to do harm holds behind a good beginning, and what is said of it. */
const HOSTILE: Readonly<Record<string, readonly [readonly Entry[], RegExp]>> = {
  'a path that leads up': [[file('../evil')], /"\.\.\/evil", and it leaves its folder/],
  'a path that leads up from within': [[folder('drops'), file('drops/../../evil')], /leaves its folder/],
  'an absolute path': [[file('/etc/evil')], /leaves its folder/],
  'a path of another folder': [[file('importing')], /no backup has this folder/],
  'a link where none may be': [[folder('drops'), link('drops/out')], /a link may not be there/],
  'a link in the place of a folder': [
    [folder('sandboxes'), folder('sandboxes/a'), link('sandboxes/a/out'), file('sandboxes/a/out/evil')],
    /it is in no folder/,
  ],
  'a file in the place of a folder': [[folder('drops'), file('drops/a'), file('drops/a/b')], /it is in no folder/],
  'a file and a folder of one name': [[folder('drops'), file('drops/a'), folder('drops/a')], /it is there twice/],
  'a name that no system takes': [[folder('drops'), file(`drops/${'ü'.repeat(128)}`)], /longer than a system takes/],
  'a path that no system takes': [
    [folder('sandboxes'), file(`sandboxes/${'a/'.repeat(2048)}a`)],
    /longer than a system takes/,
  ],
  'a link to what no system takes': [
    [folder('sandboxes'), folder('sandboxes/a'), link('sandboxes/a/out', 'ü'.repeat(2048))],
    /longer than a system takes/,
  ],
  'a link to nothing': [[link('sandboxes/a/out', '')], /is not as it was written/],
  'a link to a text with NUL': [[link('sandboxes/a/out', 'a\0')], /is not as it was written/],
  'a time that is none': [[{ kind: 'File', path: 'drops/a', mode: 0o640, modifiedMs: 1e300 }], /not as it was written/],
  'a mark that is longer than any': [
    [folder('sandboxes'), file('sandboxes/a.owner'), { kind: 'Data', text: 'a'.repeat(4097) }],
    /longer than any mark/,
  ],
  'an archive of another namespace': [[folder('archive'), folder('archive/other')], /it is of another namespace/],
  'a kind of another program': [
    [{ kind: 'Object', object: { kind: 'ClusterRoleBinding', metadata: { name: 'evil' } } }],
    /ClusterRoleBinding evil is of a kind that no backup has/,
  ],
}

describe('an import', function () {
  let controlPlane: TestControlPlane
  let places: Places
  let from: Place
  let to: Place
  let outside: string
  let path: string
  before(async () => {
    controlPlane = await startTestControlPlane()
  })
  after(() => controlPlane.stop())
  beforeEach(async () => void ({ from, to, outside, path } = places = await makePlaces(controlPlane)))
  afterEach(() => places.remove())

  const writeEntries = async (entries: readonly Entry[], hasSecrets = false, objects = 0): Promise<void> => {
    const writer = writeBackup(createWriteStream(path))
    for (const entry of [{ ...HEADER, hasSecrets }, ...entries, { ...END, objects }]) await writer.add(entry)
    await writer.end()
  }
  const sha256Of = async (backup: string): Promise<string> => {
    const opened = await openBackup(backup)
    let whole = ''
    for await (const { sha256 } of readBackup(opened)) whole = sha256
    await opened.handle.close()
    return whole
  }
  const isUntouched = async (files: readonly string[] = []): Promise<void> => {
    assert.deepEqual(await readdir(to.volumeRoot), files)
    assert.deepEqual(await objectsOf(to), [])
  }

  for (const [what, [entries, message]] of Object.entries(HOSTILE)) {
    it(`writes nothing of a backup with ${what}`, async () => {
      await writeEntries([TASK, ...entries])
      const error = await importInto(to, path).catch((thrown: unknown) => thrown)
      assert.ok(error instanceof DamagedBackup, String(error))
      assert.match(error.message, message)
      await isUntouched()
    })
  }

  it('writes nothing of a backup with a flipped byte, and names it', async () => {
    await fill(from)
    await exportFrom(from, path)
    const bytes = await readFile(path)
    const at = Math.floor(bytes.length / 2)
    await writeFile(path, bytes.fill((bytes[at] ?? 0) ^ 0xff, at, at + 1))
    await assert.rejects(
      importInto(to, path),
      /backup\.jsonl\.gz cannot be used: .* behind entry \d+, .*use another copy/,
    )
    await isUntouched()
  })

  it('refuses a backup that says it holds more objects than it does', async () => {
    await writeEntries([TASK], false, 1e15)
    await assert.rejects(
      importInto(to, path),
      /cannot be used: it says that it holds 1,000,000,000,000,000 objects, and holds 1$/,
    )
    await isUntouched()
  })

  it('writes nothing through a link that is in the place of a folder', async () => {
    await symlink(outside, join(to.volumeRoot, 'drops'))
    await writeEntries([TASK, folder('drops'), file('drops/page.html')])
    await assert.rejects(importInto(to, path), UnsafePath)
    assert.deepEqual(await readdir(outside), ['backup.jsonl.gz'])
    await isUntouched(['drops'])
  })

  it('reads the file that it has checked, though another takes its name', async () => {
    await writeEntries([TASK])
    const withoutOperator: WithoutOperator = async (begin, write) => {
      await rm(path)
      await writeEntries([folder('drops'), file('drops/another')])
      await begin()
      await write()
    }
    assert.equal((await importInto(to, path, { withoutOperator })).objects, 1)
    assert.deepEqual(await readdir(to.volumeRoot), ['belongs'])
  })

  it('gives way to another that was begun while it checked its file', async () => {
    await writeEntries([TASK])
    const withoutOperator: WithoutOperator = async (begin) => {
      await writeImportMark(to.volumeRoot, 'of another')
      await begin()
    }
    await assert.rejects(importInto(to, path, { withoutOperator }), /another import has begun or ended meanwhile/)
    await isUntouched([IMPORTING_PATH])
    assert.match(await readFile(join(to.volumeRoot, IMPORTING_PATH), 'utf8'), /of another/)
  })

  it('checks paths again, and that the file is the same, while it writes', async () => {
    await mkdir(join(to.volumeRoot, 'drops'))
    for (const [entries, message] of [
      [[folder('drops'), file('drops/../../evil')], /leaves its folder/],
      [[folder('drops'), file('drops/another')], /was written to while it was imported/],
    ] as const) {
      await rm(join(to.volumeRoot, IMPORTING_PATH), { force: true })
      await writeEntries([TASK])
      const withoutOperator: WithoutOperator = async (begin, write) => {
        await begin()
        await writeEntries(entries)
        await write()
      }
      await assert.rejects(importInto(to, path, { withoutOperator }), message)
      assert.ok((await readdir(to.volumeRoot)).includes(IMPORTING_PATH))
    }
    assert.equal((await readdir(join(to.volumeRoot, '..'))).includes('evil'), false)
  })

  for (const [what, entry, hasSecrets, message] of [
    ['though its header says that it has none', secret('Opaque', LABELLED), false, /its header says that it has none/],
    ['that no agent may use', secret('Opaque'), true, /it has no label slipway\.dev\/usable-by/],
    [
      'that the cluster would fill',
      secret('kubernetes.io/service-account-token', LABELLED),
      true,
      /its type is none of Opaque/,
    ],
  ] as const)
    it(`writes nothing of a backup with a Secret ${what}`, async () => {
      await writeEntries([TASK, entry], hasSecrets)
      await assert.rejects(importInto(to, path), message)
      await isUntouched()
    })

  it('keeps of an object what an export would, and no finalizer of others', async () => {
    const metadata = { ...TASK.object.metadata, finalizers: ['another.dev/never', 'slipway.dev/cleanup'] }
    await writeEntries([{ ...TASK, object: { ...TASK.object, metadata } }])
    await importInto(to, path)
    const task = await to.client.get(TASKS, { namespace: to.namespace, name: 'task-a' })
    assert.deepEqual(task.metadata.finalizers, ['slipway.dev/cleanup'])
  })

  it('writes nothing when the control plane would refuse an object, and quotes it', async () => {
    const long: Entry = { kind: 'Object', object: { ...TASK.object, metadata: { name: 'A_b' } } }
    await writeEntries([TASK, folder('drops'), long])
    const error = await importInto(to, path).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ImportRefused, String(error))
    assert.match(error.message, /Task A_b would be refused, so nothing was written: .*A_b/)
    await isUntouched()
  })

  it('writes a file beside whatever folder an agent made', async () => {
    await writeEntries([folder('drops'), folder('drops/.importing.tmp'), file('drops/page.html')])
    assert.equal((await importInto(to, path)).files, 1)
  })

  it('leaves no half file behind when a write fails', async () => {
    await writeEntries([folder('drops'), file('drops/page.html'), { kind: 'Data', text: 'page' }])
    await assert.rejects(
      importInto(to, path, {
        withoutOperator: async (begin, write) => {
          await begin()
          const drops = join(to.volumeRoot, 'drops')
          // In the place of the file is a folder now, which no file can be moved to.
          await mkdir(join(drops, 'page.html'), { recursive: true })
          await write()
        },
      }),
      /EISDIR/,
    )
    assert.deepEqual(await readdir(join(to.volumeRoot, 'drops')), ['page.html'])
  })

  it('refuses what is there and differs, names it, and writes nothing', async () => {
    await fill(from)
    await exportFrom(from, path)
    const story = await given(to, STORIES, aStory({ spec: { title: 'Another' } }))
    await write(to, 'drops/page.html', 'another')
    const error = await importInto(to, path).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ImportRefused)
    assert.match(error.message, /Story story-a, drops\/page\.html; nothing was written.*--skip-existing/)
    assert.deepEqual(await readdir(to.volumeRoot), ['drops'])
    assert.deepEqual((await objectsOf(to)).length, 1)

    await importInto(to, path, { skipsExisting: true })
    const kept = await to.client.get(STORIES, { namespace: to.namespace, name: 'story-a' })
    assert.equal(kept.metadata.resourceVersion, story.metadata.resourceVersion)
    assert.equal(await readFile(join(to.volumeRoot, 'drops/page.html'), 'utf8'), 'another')
    const kinds = (await objectsOf(to)).map(({ kind }) => kind).toSorted()
    // Not the event and the evaluation, which are of the story of the backup.
    assert.deepEqual(kinds, ['Agent', 'Epic', 'Execution', 'Project', 'Story', 'Task'])
    assert.deepEqual(await readdir(join(to.volumeRoot, 'executions')), ['task-a-1'])
  })

  it('that was interrupted is finished by the same one, and by no other', async () => {
    await fill(from)
    await exportFrom(from, path)
    let writes = 0
    const replaceStatus: Place['client']['replaceStatus'] = (resource, object, options) => {
      writes += 1
      if (resource.kind === 'Task') throw new Error('cut off')
      return to.client.replaceStatus(resource, object, options)
    }
    await assert.rejects(importInto(to, path, { client: { ...to.client, replaceStatus } }), /cut off/)
    assert.ok(writes > 0)
    await assert.rejects(exportFrom(to, join(outside, 'half.gz')), /an import has not ended/)
    const other = join(outside, 'other.gz')
    await exportFrom(from, other, { now: new Date('2026-11-26T00:00:00Z') })
    await assert.rejects(importInto(to, other), /the import of another backup .* has not ended/)
    await importInto(to, path)
    const task = await to.client.get(TASKS, { namespace: to.namespace, name: 'task-a' })
    assert.equal(task.status?.state, 'READY')
    assert.equal((await readdir(to.volumeRoot)).includes(IMPORTING_PATH), false)
  })

  for (const [what, entries] of Object.entries({
    'a mark of its own': [folder('sandboxes'), file('sandboxes/task-a.owner'), { kind: 'Data', text: 'another' }],
    'no mark': [folder('sandboxes'), folder('sandboxes/task-a'), file('sandboxes/task-a/evil')],
  } satisfies Record<string, Entry[]>))
    it(`leaves the mark and the clone of a task that is there to it, whatever a backup brings with ${what}`, async () => {
      const mark = formatOwner({ uid: 'live', namespace: to.namespace, name: 'task-a' })
      await write(to, 'sandboxes/task-a.owner', mark)
      await write(to, 'sandboxes/task-a/kept', '')
      await writeEntries(entries)
      await assert.rejects(importInto(to, path), /sandboxes\/task-a.*nothing was written/)
      await importInto(to, path, { skipsExisting: true })
      assert.equal(await readFile(join(to.volumeRoot, 'sandboxes/task-a.owner'), 'utf8'), mark)
      assert.deepEqual(await readdir(join(to.volumeRoot, 'sandboxes/task-a')), ['kept'])
    })

  it('that is continued leaves a task that is further, and its clone, and gives one without a status its own', async () => {
    await fill(from)
    await exportFrom(from, path)
    await importInto(to, path)
    const key = { namespace: to.namespace, name: 'task-a' }
    const task = await to.client.get(TASKS, key)
    await to.client.replaceStatus(TASKS, { ...task, status: { ...task.status, state: 'COMPLETED' } })
    await rm(join(to.volumeRoot, 'sandboxes/task-a/repo'), { recursive: true })
    const execution = await to.client.get(EXECUTIONS, { namespace: to.namespace, name: 'task-a-1' })
    const story = await to.client.get(STORIES, { namespace: to.namespace, name: 'story-a' })
    const labels = { ...story.metadata.labels, webhook: 'was-here' }
    const { status: _, ...labelled } = await to.client.replace(STORIES, {
      ...story,
      metadata: { ...story.metadata, labels },
    })
    await to.client.replaceStatus(STORIES, labelled)
    await writeImportMark(to.volumeRoot, await sha256Of(path))
    await assert.rejects(importInto(to, path), /not what the backup has: Task task-a[;,]/)

    await importInto(to, path, { skipsExisting: true })
    assert.equal((await to.client.get(TASKS, key)).status?.state, 'COMPLETED')
    const kept = await to.client.get(EXECUTIONS, { namespace: to.namespace, name: 'task-a-1' })
    assert.equal(kept.metadata.resourceVersion, execution.metadata.resourceVersion)
    assert.deepEqual(await readdir(join(to.volumeRoot, 'sandboxes/task-a')), [])
    const { metadata, status } = await to.client.get(STORIES, { namespace: to.namespace, name: 'story-a' })
    assert.deepEqual([metadata.labels?.['webhook'], status?.accepted?.by], ['was-here', 'ada'])
  })

  it('refuses a task that somebody has changed', async () => {
    await fill(from)
    await exportFrom(from, path)
    await importInto(to, path)
    const key = { namespace: to.namespace, name: 'task-a' }
    const task = await to.client.get(TASKS, key)
    await to.client.replaceStatus(TASKS, { ...task, status: { ...task.status, state: 'COMPLETED' } })
    await assert.rejects(importInto(to, path), /Task task-a; nothing was written/)
    await importInto(to, path, { skipsExisting: true })
    assert.equal((await to.client.get(TASKS, key)).status?.state, 'COMPLETED')
    assert.equal((await to.client.list(EXECUTIONS, { namespace: to.namespace })).items.length, 2)
  })

  it('is of a task that never ran, too', async () => {
    await given(from, TASKS, aTask())
    await exportFrom(from, path)
    assert.equal((await importInto(to, path)).objects, 1)
  })
})
