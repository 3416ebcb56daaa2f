import assert from 'node:assert/strict'
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installFaults, watchFiles } from '../helpers/file-faults.ts'
import { loadAccess, saveAccess } from '../../embedded/access.ts'

const HOST = '127.0.0.1'
const DAY_MS = 24 * 60 * 60 * 1000
const MADE = new Date('2026-11-22T12:00:00Z')
const inDays = (days: number): Date => new Date(MADE.getTime() + days * DAY_MS)

describe('embedded: what clients are let in with', () => {
  let folder: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-access-'))
    await saveAccess(folder, { ...loadAccess(folder, HOST, MADE, randomBytes), port: 4711 })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const at = (now: Date) => loadAccess(folder, HOST, now, randomBytes)

  for (const days of [-0.9, 0, 1, 365, 8 * 365]) {
    it(`stays what it is on a clock ${days} days later`, () => {
      assert.deepEqual(at(inDays(days)), at(MADE))
    })
  }

  for (const days of [-2, -400, 9 * 365 + 10, 10 * 365 + 10]) {
    it(`has a new certificate on a clock ${days} days later, valid there for a day back and years on, and its old token`, () => {
      const now = inDays(days)
      const { token, port, certificate } = at(now)
      assert.deepEqual([token, port], [at(MADE).token, 4711])
      const { validFrom, validTo } = new X509Certificate(certificate)
      assert.ok(new Date(validFrom).getTime() <= now.getTime() - 0.9 * DAY_MS, validFrom)
      assert.ok(new Date(validTo).getTime() > now.getTime() + 9 * 365 * DAY_MS, validTo)
    })
  }

  it('is new for another host', () => {
    const { token, certificate } = loadAccess(folder, 'other.example', MADE, randomBytes)
    assert.notEqual(token, at(MADE).token)
    assert.equal(new X509Certificate(certificate).checkHost('other.example'), 'other.example')
  })

  it('is on the disk, and so is its name, before it counts', async () => {
    const restoreFiles = installFaults()
    try {
      const watched = watchFiles(dirname(folder), [])
      await saveAccess(folder, at(MADE))
      const synced = [...watched.seen].filter((operation) => operation.startsWith('handle.sync '))
      assert.equal(synced.length, 2, [...watched.seen].join())
      assert.ok(
        synced.some((operation) => operation.includes('access.json')),
        synced.join(),
      )
    } finally {
      restoreFiles()
    }
  })

  for (const text of ['', '\0'.repeat(300)]) {
    it(`is new where a power cut has left a file of ${text.length} bytes that were never written`, () => {
      const before = at(MADE).token
      writeFileSync(join(folder, 'access.json'), text)
      assert.notEqual(at(MADE).token, before)
    })
  }

  for (const text of [
    '{"host":',
    '[]',
    JSON.stringify({ host: HOST, port: 1, token: 't', certificate: 'c', key: 'k' }),
  ]) {
    it(`is refused by the name of its file when that holds ${JSON.stringify(text.slice(0, 20))}`, () => {
      const file = join(folder, 'access.json')
      writeFileSync(file, text)
      assert.throws(() => at(MADE), {
        message: `${file} is not what this version writes: remove it to get new credentials`,
      })
    })
  }
})
