import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeStaleLocks } from '../../lib/git-locks.ts'

describe('locks that a killed git left', () => {
  let folder: string
  let gitDir: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-locks-'))
    gitDir = join(folder, 'clone', '.git')
    for (const name of ['refs/heads/feature', 'modules/lib/refs', 'objects/pack'])
      await mkdir(join(gitDir, name), { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const put = async (name: string): Promise<string> => {
    const path = join(gitDir, name)
    await writeFile(path, '')
    return path
  }
  const all = (): Promise<number> => removeStaleLocks(gitDir, () => true)

  it('are removed wherever git makes them, and nothing else is', async () => {
    const locks = ['index.lock', 'HEAD.lock', 'refs/heads/feature/a.lock', 'modules/lib/index.lock']
    const others = ['index', 'refs/heads/feature/a', 'objects/pack/p.lock']
    const [gone, kept] = [await Promise.all(locks.map(put)), await Promise.all(others.map(put))]
    assert.equal(await all(), locks.length)
    assert.deepEqual(gone.filter(existsSync), [])
    assert.deepEqual(kept.filter(existsSync), kept)
  })

  it('stay while somebody may hold them', async () => {
    const [old, young] = [await put('index.lock'), await put('HEAD.lock')]
    await utimes(old, new Date(0), new Date(0))
    assert.equal(await removeStaleLocks(gitDir, (madeAt) => madeAt.getTime() === 0), 1)
    assert.deepEqual([existsSync(old), existsSync(young)], [false, true])
  })

  it('behind a link are left alone', async () => {
    const elsewhere = join(folder, 'elsewhere')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'index.lock'), '')
    await symlink(elsewhere, join(gitDir, 'linked'))
    await symlink(join(elsewhere, 'index.lock'), join(gitDir, 'link.lock'))
    assert.equal(await all(), 0)
    await rename(gitDir, join(folder, 'aside'))
    await symlink(elsewhere, gitDir)
    assert.equal(await all(), 0)
    assert.ok(existsSync(join(elsewhere, 'index.lock')))
  })

  it('are none where there is no repository', async () => {
    assert.equal(await removeStaleLocks(join(folder, 'nowhere', '.git'), () => true), 0)
  })
})
