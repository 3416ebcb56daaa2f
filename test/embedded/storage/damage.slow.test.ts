import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { type Store, StoreDamaged } from '../../../embedded/storage/backend.ts'
import { checkFolder, openFolder } from '../../../embedded/storage/folder.ts'
import { runs } from '../../helpers/runs.ts'

const RECORDS = 200

const keyOf = (n: number): string => `k/${String(n).padStart(3, '0')}`
/** Some are long enough to be packed. */
const textOf = (n: number): string => JSON.stringify({ n, text: 'word '.repeat((n * 37) % 900) })

/** What the store holds, in its order. */
const contentOf = (store: Store): unknown[] => store.range({ prefix: 'k/' }).map(({ key, value }) => [key, value])

describe('embedded: a store that is not as it was written', function () {
  let folder: string
  let file: string
  let whole: Buffer
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-damage-'))
    file = join(folder, 'objects.mdb')
    const { store, close } = await openFolder(folder)
    for (let n = 0; n < RECORDS; n += 1) {
      await store.write([{ type: 'put', key: keyOf(n), expected: 0, render: () => textOf(n) }])
    }
    await close()
    whole = readFileSync(file)
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Opens the folder with this file in place of the whole one. */
  async function openWith(content: Buffer): Promise<unknown[]> {
    writeFileSync(file, content)
    const { store, close } = await openFolder(folder)
    const found = contentOf(store)
    await close()
    return found
  }

  const isNamed = (error: unknown): boolean =>
    error instanceof StoreDamaged &&
    error.message.startsWith(`the store ${file} is damaged: `) &&
    error.message.endsWith('put back a copy of its folder, or move the folder away to begin with an empty store') &&
    !error.message.includes('\n')

  /** Changes what is stored of one of the short records, in this and in older pages. */
  function change(content: Buffer, n: number): void {
    const text = textOf(n).slice(0, 20)
    for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at)) content.write('{"n":7', at)
  }

  it('is opened with the same content or refused by name, whatever bytes are flipped', async () => {
    const all = Array.from({ length: RECORDS }, (_, n) => [keyOf(n), textOf(n)])
    const flip = fc.record({ at: fc.nat({ max: whole.length - 1 }), by: fc.integer({ min: 1, max: 255 }) })
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 8, maxLength: 8 }), async (flips) => {
        const content = Buffer.from(whole)
        for (const { at, by } of flips) content.writeUInt8(content.readUInt8(at) ^ by, at)
        try {
          assert.deepEqual(await openWith(content), all)
        } catch (error) {
          assert.ok(isNamed(error), String(error))
          refused += 1
        }
      }),
      { numRuns: runs(25), endOnFailure: true },
    )
    assert.ok(refused > 0, 'nothing was damaged')
  })

  for (const [what, cut] of Object.entries<(size: number) => number>({
    nothing: () => 0,
    'a few bytes': () => 100,
    'its first pages, so that reading the rest is a SIGBUS': () => 8192,
    half: (size) => size / 2,
  })) {
    it(`is refused when it is cut to ${what}`, async () => {
      await assert.rejects(openWith(whole.subarray(0, cut(whole.length))), isNamed)
    })
  }

  it('is refused when it is gone, and stays gone', async () => {
    rmSync(file)
    await assert.rejects(openFolder(folder), isNamed)
    assert.equal(statSync(file, { throwIfNoEntry: false }), undefined)
    assert.deepEqual((await checkFolder(folder)).problems, ['it is empty or missing, and was not before'])
  })

  it('does not give a wrong record where the change could not be noticed at the start', async () => {
    assert.equal((await openWith(whole)).length, RECORDS)
    const { atimeMs, mtimeMs } = statSync(file)
    const content = readFileSync(file)
    change(content, 1)
    writeFileSync(file, content)
    // As bits that rot, it changes neither size nor time.
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000)
    const { size, mtimeNs } = statSync(file, { bigint: true })
    writeFileSync(join(folder, 'clean'), `${size} ${mtimeNs} ${RECORDS}\n`)
    const { store, close } = await openFolder(folder)
    try {
      assert.throws(() => store.get(keyOf(1)), isNamed)
      assert.throws(() => store.range({ prefix: 'k/' }), isNamed)
      assert.equal(store.get(keyOf(2))?.value, textOf(2))
    } finally {
      await close()
    }
  })

  it('is told apart record by record by a check, which changes nothing', async () => {
    const content = Buffer.from(whole)
    for (const n of [1, 25]) change(content, n)
    writeFileSync(file, content)
    const { problems, records } = await checkFolder(folder)
    assert.deepEqual(
      [records, problems],
      [RECORDS, ['"k/001" is not what was written', '"k/025" is not what was written']],
    )
    assert.ok(readFileSync(file).equals(content))
  })

  it('is read as a whole while it is in use', async () => {
    writeFileSync(file, whole)
    const { store, close } = await openFolder(folder)
    await store.write([{ type: 'put', key: 'k/new', expected: 0, render: () => '{}' }])
    assert.deepEqual(await checkFolder(folder), {
      format: 2,
      records: RECORDS + 1,
      revision: RECORDS + 1,
      problems: [],
    })
    await close()
  })
})
