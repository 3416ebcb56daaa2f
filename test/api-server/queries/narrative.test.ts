import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendToNarrative, findProjectFolder } from '../../../api-server/queries/narrative.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

describe('the narrative of a project folder', () => {
  let outside: string
  let root: string
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'slipway-narrative-'))
    root = join(outside, 'workspace')
    mkdirSync(join(root, 'shop', 'deep'), { recursive: true })
  })
  afterEach(() => rmSync(outside, { recursive: true }))

  const refused = (dir: string, text: RegExp) =>
    assert.rejects(findProjectFolder(root, dir), (error: Error & { status?: number }) => {
      assert.equal(error.status, 400, String(error))
      assert.match(error.message, text)
      return true
    })

  it('is begun with the first request and grows by each, with its time', async () => {
    const folder = await findProjectFolder(root, join(root, 'shop'))
    await appendToNarrative(folder, 'I want CSV\n', at(1))
    await appendToNarrative(folder, 'And XML', at(2))
    assert.equal(
      readFileSync(join(root, 'shop', 'NARRATIVE.md'), 'utf8'),
      '## 2026-01-01T00:00:01Z\n\nI want CSV\n\n## 2026-01-01T00:00:02Z\n\nAnd XML\n',
    )
  })

  it('loses no request of those that come at once', async () => {
    const folder = await findProjectFolder(root, 'shop')
    const prompts = Array.from({ length: 20 }, (_, i) => `request ${i}`)
    await Promise.all(prompts.map((prompt) => appendToNarrative(folder, prompt, at(1))))
    const text = readFileSync(join(root, 'shop', 'NARRATIVE.md'), 'utf8')
    for (const prompt of prompts) assert.ok(text.includes(`\n\n${prompt}\n`), prompt)
  })

  it('is found by an absolute path and by one below the workspace root', async () => {
    for (const dir of ['shop/deep', './shop/deep/', join(root, 'shop', 'deep')])
      assert.equal((await findProjectFolder(root, dir)).path, join(root, 'shop', 'deep'))
  })

  it('is in no folder outside the workspace root, by no way of writing it', async () => {
    for (const dir of ['/etc', '..', '.', root, '../workspace', 'shop/../..', `${root}/../other`, `${root}-2`])
      await refused(dir, /^project_dir: must be a folder below /)
    await refused('shop\0', /must be a path/)
  })

  it('is in no folder that a link leads out to', async () => {
    mkdirSync(join(outside, 'private'))
    symlinkSync(join(outside, 'private'), join(root, 'door'))
    await refused('door', /must not lead out of /)
  })

  it('is in no folder that does not exist, and in no file', async () => {
    writeFileSync(join(root, 'file'), '')
    for (const dir of ['nothing', 'file', 'file/x', 'x'.repeat(300)]) await refused(dir, /must be a folder that exists/)
  })

  for (const [what, make] of [
    ['a link', (target: string, path: string) => symlinkSync(target, path)],
    ['a second name of a file', (target: string, path: string) => linkSync(target, path)],
    ['a folder', (_: string, path: string) => mkdirSync(path)],
  ] as const) {
    it(`is not written through ${what} in its place`, async () => {
      const secret = join(outside, 'secret')
      writeFileSync(secret, 'untouched')
      make(secret, join(root, 'shop', 'NARRATIVE.md'))
      const folder = await findProjectFolder(root, 'shop')
      await assert.rejects(appendToNarrative(folder, 'x', at(1)), /NARRATIVE.md there is no ordinary file/)
      assert.equal(readFileSync(secret, 'utf8'), 'untouched')
    })
  }
})
