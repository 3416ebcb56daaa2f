import assert from 'node:assert/strict'
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropsCommand } from '../../../cli/commands/drops.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

describe('drops on the command line', () => {
  let api: Rig
  let folder: string
  before(async () => {
    api = await startRig()
    folder = await mkdtemp(join(tmpdir(), 'slipway-drops-'))
    await writeFile(join(folder, 'one.txt'), 'first')
    await writeFile(join(folder, 'two.bin'), new Uint8Array([0, 255, 1]))
  })
  after(async () => {
    await api.stop()
    await rm(folder, { recursive: true })
  })

  const drops = (...words: string[]) => runCommand(dropsCommand, words, api.url)

  it('are put there, listed and fetched as they were', async () => {
    assert.equal((await drops()).out, 'No files. Put one there: slipway drops put <file>\n')
    assert.match((await drops('put', join(folder, 'one.txt'), join(folder, 'two.bin'))).out, /^one\.txt +5 B +\d+s$/m)
    assert.deepEqual(
      JSON.parse((await drops('list', '--json', 'name,size')).out)
        .map(({ name }: { name: string }) => name)
        .sort(),
      ['one.txt', 'two.bin'],
    )
    const copy = join(folder, 'copy')
    assert.equal((await drops('get', 'two.bin', '--to', copy)).err, `two.bin: 3 B in ${copy}\n`)
    assert.deepEqual([...(await readFile(copy))], [0, 255, 1])
  })

  it('replace no file of the person, unless they say so', async () => {
    await drops('put', join(folder, 'one.txt'))
    const copy = join(folder, 'mine')
    await writeFile(copy, 'mine')
    await assert.rejects(drops('get', 'one.txt', '--to', copy), {
      name: 'UsageError',
      message: /is there already: --force/,
    })
    assert.equal(await readFile(copy, 'utf8'), 'mine')
    await drops('get', 'one.txt', '--to', copy, '--force')
    assert.equal(await readFile(copy, 'utf8'), 'first')
  })

  it('come whole or not at all, under no other name, and keep what a replaced file was', async () => {
    await writeFile(join(folder, 'large'), Buffer.alloc(40 * 2 ** 20, 'x'))
    await drops('put', join(folder, 'large'))
    const own = await mkdtemp(join(folder, 'own-'))
    const copy = join(own, 'copy')
    const asked = new AbortController()
    const failing = runCommand(dropsCommand, ['get', 'large', '--to', copy], api.url, { signal: asked.signal })
    await until('some of it has come', async () => (await readdir(own)).length > 0)
    asked.abort()
    await assert.rejects(failing, { name: 'AbortError' })
    assert.deepEqual(await readdir(own), [])
    await writeFile(join(own, 'mine'), 'mine', { mode: 0o600 })
    await symlink('mine', copy)
    await drops('get', 'one.txt', '--to', copy, '--force')
    assert.equal(await readFile(join(own, 'mine'), 'utf8'), 'first')
    assert.equal((await lstat(join(own, 'mine'))).mode & 0o777, 0o600)
    assert.deepEqual((await readdir(own)).sort(), ['copy', 'mine'])
  })

  it('take a device as it is', async () => {
    assert.equal((await drops('get', 'one.txt', '--to', '/dev/null', '--force')).code, 0)
    assert.equal((await lstat('/dev/null')).isCharacterDevice(), true)
  })

  it('are refused where there is no such file, name or action', async () => {
    await writeFile(join(folder, '.hidden'), '')
    for (const [words, message] of [
      [['put', join(folder, 'none')], /there is no file .*none$/],
      [['put', folder], /there is no file/],
      [['put', join(folder, '.hidden')], /must not begin with a dot/],
      [['get', 'none'], /not found/],
      [['get'], /drops get <name>/],
      [['remove', 'one.txt'], /drops get <name>/],
    ] as const)
      await assert.rejects(drops(...words), { message })
  })
})
