import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreError } from '../../../embedded/storage/backend.ts'
import { openFolder } from '../../../embedded/storage/folder.ts'

const WRITER = fileURLToPath(new URL('crash-writer.js', import.meta.url))
const ENOUGH_WRITES = 500

describe('embedded: store folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-folder-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Starts a writer, kills it with SIGKILL in the middle, and returns the keys it was told are safe. */
  async function writeAndKill(run: string): Promise<string[]> {
    const child = spawn(process.execPath, [WRITER, folder, run], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    let isKilled = false
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += String(chunk)
      if (!isKilled && output.split('\n').length > ENOUGH_WRITES) isKilled = child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    // The last line may be cut; what was not printed whole was not acknowledged to anybody.
    return output.split('\n').slice(0, -1)
  }

  it('holds every acknowledged write after kill -9, and takes over the lock', async () => {
    const acknowledged: string[] = []
    for (const run of ['first', 'second', 'third']) acknowledged.push(...(await writeAndKill(run)))
    const { store, close } = await openFolder(folder)
    const missing = acknowledged.filter((key) => store.get(key) === undefined)
    assert.ok(acknowledged.length > 2 * ENOUGH_WRITES)
    assert.deepEqual(missing, [])
    const revisions = store.range({ prefix: 'k/' }).map(({ revision }) => revision)
    assert.equal(new Set(revisions).size, revisions.length)
    assert.ok(Math.max(...revisions) <= store.revision)
    await close()
  })

  it('refuses a folder whose lock is a folder, and says so', async () => {
    mkdirSync(join(folder, 'lock'))
    await assert.rejects(openFolder(folder), /lock is a folder: remove it/)
  })

  it('refuses a second process and names the one that holds the folder', async () => {
    const { close } = await openFolder(folder)
    await assert.rejects(
      openFolder(folder),
      (error) => error instanceof StoreError && error.message.includes(`in use by process ${process.pid}`),
    )
    await close()
    await (await openFolder(folder)).close()
  })

  it('takes over a lock whose process id now belongs to another process', async () => {
    writeFileSync(join(folder, 'lock'), `${process.pid} 1\n`)
    await (await openFolder(folder)).close()
  })

  it('refuses a folder that a newer version wrote', async () => {
    await (await openFolder(folder)).close()
    writeFileSync(join(folder, 'format'), '99\n')
    await assert.rejects(openFolder(folder), /was written by a newer version \(format 99, this version reads 2\)/)
    writeFileSync(join(folder, 'format'), '2\n')
    await (await openFolder(folder)).close()
  })

  it('makes files that only their owner can read', async () => {
    const { close } = await openFolder(folder)
    for (const name of ['lock', 'format', 'objects.mdb'])
      assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name)
    assert.match(readFileSync(join(folder, 'lock'), 'utf8'), new RegExp(`^${process.pid} `))
    await close()
  })
})
