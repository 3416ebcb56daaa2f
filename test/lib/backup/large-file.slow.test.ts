import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesOf } from '../../../lib/backup/format.ts'
import { openBackup, readBackup } from '../../../lib/backup/read.ts'
import { restoreFile, restoreFolder } from '../../../lib/backup/restore.ts'
import { walkVolume } from '../../../lib/backup/walk.ts'
import { writeBackup } from '../../../lib/backup/write.ts'
import { heldMiB } from '../../helpers/memory.ts'

const SIZE_MIB = 100

describe('a file of 100 MiB in a backup', function () {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-large-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('is never held as a whole, neither to write it nor to read it', async () => {
    const [from, to, path] = ['from', 'to', 'backup.jsonl.gz'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(join(from, 'drops'), { recursive: true })
    await mkdir(to)
    const large = await open(join(from, 'drops', 'large'), 'w')
    for (let n = 0; n < SIZE_MIB; n++)
      await large.write(Buffer.from(`${n} log line\n`.repeat(2 ** 17)).subarray(0, 2 ** 20))
    await large.close()
    const begin = heldMiB()
    let most = 0
    let seen = 0
    const measure = (): void => {
      if ((seen += 1) % 200 !== 0) return
      const { heap, buffers } = heldMiB()
      most = Math.max(most, heap + buffers - begin.heap - begin.buffers)
    }
    const writer = writeBackup(createWriteStream(path))
    const header = {
      schemaVersion: 1,
      createdAt: '',
      version: '',
      namespace: 'a',
      hasSecrets: false,
      hasWorkspaces: true,
    }
    await writer.add({ kind: 'SlipwayBackup', ...header })
    const all = { maxFileBytes: Infinity, includes: () => true, leaveOut: (name: string) => assert.fail(name) }
    for await (const entry of walkVolume(from, all)) {
      await writer.add(entry)
      measure()
    }
    await writer.add({ kind: 'End', objects: 0, files: 1, bytes: 0, changedWorkspaces: [] })
    await writer.end()

    await restoreFolder(to, { kind: 'Folder', path: 'drops', mode: 0o750 })
    async function* content(): AsyncGenerator<Buffer> {
      const file = await openBackup(path)
      for await (const { entry } of readBackup(file)) {
        if (entry.kind === 'Data') yield bytesOf(entry)
        measure()
      }
      await file.handle.close()
    }
    await restoreFile(to, { kind: 'File', path: 'drops/large', mode: 0o640, modifiedMs: 0 }, content(), 'key')
    assert.equal(await hashOf(join(to, 'drops/large')), await hashOf(join(from, 'drops/large')))
    assert.ok(seen > 3000)
    assert.ok(most < SIZE_MIB / 4, `${most.toFixed(1)} MiB were held`)
  })
})

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
  return hash.digest('hex')
}
