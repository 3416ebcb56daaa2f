import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureFolders } from '../../lib/disk-usage.ts'

describe('what folders take on the disk', () => {
  let root = ''
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'slipway-usage-'))))
  afterEach(() => rmSync(root, { recursive: true }))

  const folder = (name: string, kib: number): string => {
    mkdirSync(join(root, name, 'inner'), { recursive: true })
    writeFileSync(join(root, name, 'inner', 'file'), Buffer.alloc(kib * 1024, 1))
    return join(root, name)
  }

  it('is told for each of them in turn, whatever its name, and is nothing for one that is not there', async () => {
    const paths = [folder('a', 64), join(root, 'absent'), folder('-s odd\tname', 256)]
    const [a = 0, absent, odd = 0] = await measureFolders(paths)
    assert.ok(a >= 64 * 1024 && a < 128 * 1024, String(a))
    assert.equal(absent, 0)
    assert.ok(odd >= 256 * 1024, String(odd))
    assert.deepEqual(await measureFolders([]), [])
  })

  it('does not count what links lead to', async () => {
    const large = folder('large', 1024)
    const small = folder('small', 4)
    symlinkSync(large, join(small, 'link'))
    const [bytes = 0] = await measureFolders([small])
    assert.ok(bytes < 128 * 1024, String(bytes))
  })

  it('is told for more folders than a command line has room for', async () => {
    const one = folder('one', 4)
    const many = Array.from({ length: 2500 }, (_, n) => join(root, `${n}`.padStart(200, 'x')))
    const sizes = await measureFolders([...many, one])
    assert.deepEqual([sizes.length, sizes.slice(0, -1).every((size) => size === 0)], [2501, true])
    assert.ok((sizes.at(-1) ?? 0) > 0)
  })

  it('is given up when the signal aborts', async () => {
    await assert.rejects(measureFolders([folder('a', 4)], AbortSignal.abort()), { name: 'AbortError' })
  })
})
