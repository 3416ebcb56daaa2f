import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { type Entry, bytesOf, DamagedBackup, openLine, sealEntry, toData } from '../../../lib/backup/format.ts'
import { openBackup, readBackup } from '../../../lib/backup/read.ts'
import { writeBackup } from '../../../lib/backup/write.ts'

const HEADER: Entry = {
  kind: 'SlipwayBackup',
  schemaVersion: 1,
  createdAt: '2026-11-25T00:00:00Z',
  version: '0.1.0',
  namespace: 'default',
  hasSecrets: false,
  hasWorkspaces: true,
}
const END: Entry = { kind: 'End', objects: 1, files: 1, bytes: 3, changedWorkspaces: [] }
const ENTRIES: readonly Entry[] = [
  HEADER,
  { kind: 'Object', object: { kind: 'Task', metadata: { name: 'task-a' }, spec: { title: 'zwölf\u2028' } } },
  { kind: 'Folder', path: 'drops', mode: 0o750 },
  { kind: 'File', path: 'drops/page.html', mode: 0o640, modifiedMs: 1 },
  toData(Buffer.from('<p>Page</p>')),
  { kind: 'File', path: 'drops/image', mode: 0o640, modifiedMs: 1 },
  toData(Buffer.from([0, 255, 10, 13, 195])),
  END,
]

describe('a backup file', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-backup-'))
    path = join(folder, 'backup.jsonl.gz')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = async (entries: readonly Entry[]): Promise<Buffer> => {
    const writer = writeBackup(createWriteStream(path))
    for (const entry of entries) await writer.add(entry)
    await writer.end()
    return readFile(path)
  }
  const read = async (): Promise<Entry[]> => {
    const entries: Entry[] = []
    const file = await openBackup(path)
    try {
      for await (const { entry } of readBackup(file)) entries.push(entry)
      return entries
    } finally {
      await file.handle.close()
    }
  }
  const readDamage = async (): Promise<DamagedBackup> => {
    const damage = await read().catch((error: unknown) => error)
    assert.ok(damage instanceof DamagedBackup, String(damage))
    return damage
  }

  it('gives back what went in', async () => {
    await write(ENTRIES)
    assert.deepEqual(await read(), ENTRIES)
  })

  it('that is no regular file is refused, for it is read twice', async () => {
    await assert.rejects(openBackup('/dev/null'), /\/dev\/null is no regular file.*save it to a file first/)
    await assert.rejects(openBackup(folder), /no regular file/)
  })

  it('keeps any bytes of a file, and any text of an object', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), (bytes, text) => {
        const data = toData(Buffer.from(bytes))
        const object = { kind: 'Task', metadata: { name: 'a' }, spec: { title: text } }
        const first = sealEntry('', data)
        const second = sealEntry(first.sha256, { kind: 'Object', object })
        const opened = openLine('', Buffer.from(first.line).toString())?.entry
        assert.ok(opened?.kind === 'Data')
        assert.deepEqual(bytesOf(opened), Buffer.from(bytes))
        assert.deepEqual(openLine(first.sha256, second.line)?.entry, { kind: 'Object', object })
        assert.equal(openLine('', second.line), undefined)
      }),
    )
  })

  it('is refused when any byte of it has changed, or gives what was written', async () => {
    const bytes = await write(ENTRIES)
    // Of the header of gzip (RFC 1952): time, extra flags and system, which no content depends on.
    const meansNothing = (at: number): boolean => at >= 4 && at <= 9
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] ?? 0) ^ 0xff
      await writeFile(path, damaged)
      if (meansNothing(at)) assert.deepEqual(await read(), ENTRIES)
      else assert.match((await readDamage()).message, /cannot be used/, `byte ${at}`)
      // Gzip's own checksum is at the end, behind every entry.
      if (at >= bytes.length - 8) assert.match((await readDamage()).message, /behind entry [78], /)
    }
  })

  it('names the entry that is not as it was written, also where gzip does not notice', async () => {
    const text = gunzipSync(await write(ENTRIES)).toString('utf8')
    const lines = text.trimEnd().split('\n')
    const changes: readonly (readonly [string, readonly string[], RegExp])[] = [
      [
        'changed',
        lines.with(4, (lines[4] ?? '').replace('Page', 'Cage')),
        /entry 5, behind entry 4, file drops\/page.html/,
      ],
      ['left out', lines.toSpliced(2, 1), /entry 3, behind entry 2, Task task-a/],
      ['doubled', lines.toSpliced(2, 0, lines[1] ?? ''), /entry 3, /],
      ['moved', lines.toSpliced(1, 2, lines[2] ?? '', lines[1] ?? ''), /entry 2, behind entry 1, the header/],
      ['without its end', lines.slice(0, -1), /cut off behind entry 7/],
      ['longer', [...lines, lines[1] ?? ''], /entry 9, behind entry 8, the end/],
      ['without its header', lines.slice(1), /does not begin/],
    ]
    for (const [what, changed, message] of changes) {
      await writeFile(path, gzipSync(`${changed.join('\n')}\n`))
      assert.match((await readDamage()).message, message, what)
    }
  })

  it('is refused when it is cut off anywhere', async () => {
    const bytes = await write(ENTRIES)
    for (let length = 0; length < bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length))
      await readDamage()
    }
  })

  it('of a newer form is refused with the version that reads it', async () => {
    await write([{ ...HEADER, schemaVersion: 4, version: '4.1.0' }, END])
    assert.match((await readDamage()).message, /schema version 4.*up to 3.*use Slipway 4\.1\.0/)
  })

  it('has one header and one end, where they belong', async () => {
    for (const entries of [[END], [HEADER, HEADER, END], [HEADER, END, END]]) {
      await write(entries)
      await readDamage()
    }
  })

  it('is not there when its sink fails, and says why', async () => {
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) })
    const writer = writeBackup(full)
    await assert.rejects(async () => {
      for (;;) await writer.add(toData(Buffer.from(String(Math.random()).repeat(1000))))
    }, /ENOSPC/)
    await writer.abort()
  })
})
