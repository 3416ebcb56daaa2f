import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { agreeOnSetting } from '../../lib/config-file.ts'

describe('a setting that the server makes', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-config-file-'))
    path = join(folder, 'config.yaml')
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  const settle = (value: string, unique = 'a') => agreeOnSetting(path, 'made', () => value, unique)
  const mode = async (file: string) => (await stat(file)).mode & 0o777

  it('is stored in a file of its owner alone, also when there was none', async () => {
    path = join(folder, 'new', 'config.yaml')
    assert.equal(await settle('one'), 'one')
    assert.deepEqual(parse(await readFile(path, 'utf8')), { made: 'one' })
    assert.equal(await mode(path), 0o600)
  })

  it('leaves comments, other keys and their order alone, and takes the file from others', async () => {
    await writeFile(path, '# mine\nlisten: 127.0.0.1:1 # here\n\n# who\nallowedHosts: [a, b]\n')
    await chmod(path, 0o644)
    await settle('one')
    assert.equal(
      await readFile(path, 'utf8'),
      '# mine\nlisten: 127.0.0.1:1 # here\n\n# who\nallowedHosts: [ a, b ]\nmade: one\n',
    )
    assert.equal(await mode(path), 0o600)
  })

  for (const content of ['', '# only a comment\n']) {
    it(`is stored in a file that holds ${JSON.stringify(content)}`, async () => {
      await writeFile(path, content)
      await settle('one')
      const text = await readFile(path, 'utf8')
      assert.ok(text.startsWith(content.trim()))
      assert.deepEqual(parse(text), { made: 'one' })
    })
  }

  it('is made once: later the stored one counts, and nothing is written', async () => {
    await settle('one')
    const { mtimeMs } = await stat(path)
    assert.equal(await settle('two', 'b'), 'one')
    assert.equal((await stat(path)).mtimeMs, mtimeMs)
  })

  it('is the same for twenty that start together, and leaves nothing else behind', async () => {
    await writeFile(path, 'kept: true\n')
    const values = Array.from({ length: 20 }, (_, i) => `value-${i}`)
    const settled = await Promise.all(values.map((value) => settle(value, value)))
    assert.equal(new Set(settled).size, 1)
    assert.deepEqual(parse(await readFile(path, 'utf8')), { kept: true, made: settled[0] })
    assert.deepEqual(await readdir(folder), ['config.yaml'])
  })

  it('is finished by the next start after a crash before it was stored', async () => {
    await writeFile(`${path}.made.new`, 'from-before\n')
    assert.equal(await settle('one'), 'from-before')
    assert.deepEqual(parse(await readFile(path, 'utf8')), { made: 'from-before' })
    assert.deepEqual(await readdir(folder), ['config.yaml'])
  })

  it('is stored where a link leads, and the link stays', async () => {
    const target = join(folder, 'target.yaml')
    await writeFile(target, 'kept: true\n')
    await symlink(target, path)
    await settle('one')
    assert.deepEqual(parse(await readFile(target, 'utf8')), { kept: true, made: 'one' })
    assert.deepEqual(await readdir(folder), ['config.yaml', 'target.yaml'])
  })

  it('is refused, and the file left alone, where the file is no mapping', async () => {
    await writeFile(path, '- a\n')
    await assert.rejects(settle('one'), { message: /must hold keys and values/ })
    assert.equal(await readFile(path, 'utf8'), '- a\n')
  })
})
