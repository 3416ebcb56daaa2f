import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKSUMS, writeChecksums, writeTar } from '../../../tools/release/archive.ts'

describe('the archives of a release', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-archive-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('are equal for equal content, whatever its order, times and rights', () => {
    const packed = [['a', 'b'] as const, ['b', 'a'] as const].map((names, n) => {
      const from = join(folder, `from-${n}`, 'chart')
      mkdirSync(from, { recursive: true })
      for (const name of names) writeFileSync(join(from, name), name, { mode: n === 0 ? 0o600 : 0o664 })
      utimesSync(join(from, 'a'), n, n)
      const file = join(folder, `${n}.tgz`)
      writeTar(join(from, '..'), ['chart'], file, 1_700_000_000)
      return readFileSync(file)
    })
    assert.deepEqual(packed[0], packed[1])
  })

  it('have checksums that sha256sum accepts, and that do not list themselves', () => {
    for (const name of ['b.tgz', 'a.tar', 'c d.md']) writeFileSync(join(folder, name), name)
    assert.deepEqual(writeChecksums(folder), ['a.tar', 'b.tgz', 'c d.md'])
    assert.deepEqual(writeChecksums(folder), ['a.tar', 'b.tgz', 'c d.md'])
    const checked = execFileSync('sha256sum', ['--check', '--strict', CHECKSUMS], { cwd: folder, encoding: 'utf8' })
    assert.equal(checked, 'a.tar: OK\nb.tgz: OK\nc d.md: OK\n')
  })
})
