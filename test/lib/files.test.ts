import assert from 'node:assert/strict'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import {
  inFolderNoFollow,
  openRegularNoFollow,
  readNames,
  readRegularNoFollow,
  readTailNoFollow,
  safeJoin,
  UnsafePath,
  writeFileAtomic,
} from '../../lib/files.ts'

describe('files', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'slipway-files-'))
    mkdirSync(join(root, 'below', 'deep'), { recursive: true })
    writeFileSync(join(root, 'outside'), 'secret')
    writeFileSync(join(root, 'below', 'deep', 'file'), '0123456789')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const read = (name: string) => readRegularNoFollow(join(root, 'below'), name, 100)

  describe('safeJoin', () => {
    for (const path of ['', '.', '..', '/etc/passwd', 'a/../b', 'a//b', 'a/', 'a\\b', 'a\0b', './a']) {
      it(`refuses ${JSON.stringify(path)}`, () => assert.throws(() => safeJoin('/root', path), UnsafePath))
    }

    it('never leaves its folder', () => {
      fc.assert(
        fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ' ') }), (path) => {
          try {
            return safeJoin('/root', path).startsWith('/root/')
          } catch (error) {
            return error instanceof UnsafePath
          }
        }),
      )
    })
  })

  describe('reading without following links', () => {
    it('reads an ordinary file', async () => assert.equal(String(await read('deep/file')), '0123456789'))

    it('reads the end of a file', async () => {
      assert.equal(String(await readTailNoFollow(root, 'below/deep/file', 3)), '789')
      assert.equal(String(await readTailNoFollow(root, 'below/deep/file', 300)), '0123456789')
    })

    it('refuses a file larger than allowed', () =>
      assert.rejects(readRegularNoFollow(root, 'below/deep/file', 9), UnsafePath))

    it('tells a missing file as ENOENT', () => assert.rejects(read('deep/none'), { code: 'ENOENT' }))

    const PLANTS = {
      'a link to a file': (path: string) => symlinkSync(join(root, 'outside'), path),
      'a link to nothing': (path: string) => symlinkSync(join(root, 'nothing'), path),
      'a second name of a file': (path: string) => linkSync(join(root, 'outside'), path),
      'a folder': (path: string) => mkdirSync(path),
    } as const
    for (const [what, plant] of Object.entries(PLANTS)) {
      it(`refuses ${what}`, async () => {
        plant(join(root, 'below', 'planted'))
        await assert.rejects(read('planted'), UnsafePath)
      })
    }

    it('refuses a link among the folders on the way', async () => {
      symlinkSync(join(root, 'below', 'deep'), join(root, 'below', 'way'))
      await assert.rejects(read('way/file'), UnsafePath)
    })

    it('follows a link in its root, which is trusted', async () => {
      symlinkSync(join(root, 'below'), join(root, 'trusted'))
      assert.equal(String(await readRegularNoFollow(join(root, 'trusted'), 'deep/file', 100)), '0123456789')
    })

    it('leaves no descriptor open when it refuses', async function () {
      // Counts what is open in /proc/self/fd, which Linux alone has.
      if (process.platform !== 'linux') this.skip()
      symlinkSync(join(root, 'outside'), join(root, 'below', 'link'))
      const open = (): number => readdirSync('/proc/self/fd').length
      const before = open()
      for (let i = 0; i < 20; i += 1) await assert.rejects(read('link'))
      assert.ok(open() <= before + 2)
    })

    it('gives a handle that the caller closes', async () => {
      const file = await openRegularNoFollow(root, 'outside')
      assert.equal(await file.readFile('utf8'), 'secret')
      await file.close()
    })
  })

  it('reads so many names of a folder as it was told, and leaves it closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-names-'))
    try {
      for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(folder, name), '')
      assert.deepEqual((await readNames(folder)).sort(), ['a', 'b', 'c', 'd'])
      assert.equal((await readNames(folder, 3)).length, 3)
      await assert.rejects(readNames(join(folder, 'none')), { code: 'ENOENT' })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  describe('writeFileAtomic', () => {
    it('replaces the content and leaves nothing else behind', async () => {
      const path = join(root, 'below', 'new')
      await writeFileAtomic(path, 'one')
      await writeFileAtomic(path, 'two', 0o600)
      assert.equal(readFileSync(path, 'utf8'), 'two')
      assert.equal(lstatSync(path).mode & 0o777, 0o600)
      assert.deepEqual(readdirSync(join(root, 'below')).sort(), ['deep', 'new'])
    })

    it('replaces a link instead of writing through it', async () => {
      const path = join(root, 'below', 'link')
      symlinkSync(join(root, 'outside'), path)
      await writeFileAtomic(path, 'mine')
      assert.equal(readFileSync(join(root, 'outside'), 'utf8'), 'secret')
      assert.ok(lstatSync(path).isFile())
    })

    it('leaves nothing behind when it fails', async () => {
      mkdirSync(join(root, 'below', 'taken', 'by'), { recursive: true })
      await assert.rejects(writeFileAtomic(join(root, 'below', 'taken'), 'x'))
      assert.deepEqual(readdirSync(join(root, 'below')).sort(), ['deep', 'taken'])
    })

    it('shows readers the old or the new content, never a part', async () => {
      const path = join(root, 'shared')
      const contents = ['a', 'b'].map((letter) => letter.repeat(200_000))
      await writeFileAtomic(path, contents[0] ?? '')
      const writing = Promise.all(contents.map((content) => writeFileAtomic(path, content)))
      for (let i = 0; i < 20; i += 1) assert.ok(contents.includes(readFileSync(path, 'utf8')))
      await writing
      assert.ok(contents.includes(readFileSync(path, 'utf8')))
    })

    it('shows something at any time to readers that follow no link', async () => {
      await writeFileAtomic(join(root, 'shared'), 'new')
      const over = new AbortController()
      const reading = async (): Promise<void> => {
        while (!over.signal.aborted) assert.equal(String(await readRegularNoFollow(root, 'shared', 100)), 'new')
      }
      const replacing = async (): Promise<void> => {
        try {
          for (let i = 0; i < 300; i += 1) await writeFileAtomic(join(root, 'shared'), 'new')
        } finally {
          over.abort()
        }
      }
      await Promise.all([replacing(), ...Array.from({ length: 4 }, reading)])
    })
  })

  it('makes missing folders on the way only when told to, and not through links', async () => {
    await assert.rejects(
      inFolderNoFollow(root, ['x', 'y'], async () => undefined),
      { code: 'ENOENT' },
    )
    await inFolderNoFollow(root, ['x', 'y'], async (folder) => writeFileSync(join(folder, 'z'), '1'), { create: true })
    assert.equal(readFileSync(join(root, 'x', 'y', 'z'), 'utf8'), '1')
    symlinkSync('/', join(root, 'x', 'link'))
    await assert.rejects(
      inFolderNoFollow(root, ['x', 'link'], async () => undefined, { create: true }),
      UnsafePath,
    )
  })
})
