import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { findCacheProblem } from '../../../core/environment/paths.ts'
import { excludeCaches, toPattern } from '../../../runner/environment/exclude.ts'
import { inspectTree, makeInspection } from '../../../runner/environment/inspect.ts'
import { relocateFile, relocateText } from '../../../runner/environment/relocate.ts'
import { makeSearch } from '../../../runner/environment/search.ts'
import { gitIn } from '../../helpers/repository.ts'
import { makeFolder, removeFolder } from '../execution.ts'

const bytes = (max: number) =>
  fc.array(fc.constantFrom(97, 98, 0, 255), { maxLength: max }).map((all) => Buffer.from(all))

describe('the search for several byte strings', () => {
  it('finds the first place that any of them is at', () => {
    const needles = fc.array(
      fc.tuple(bytes(4), bytes(3)).map((two) => Buffer.concat([...two, Buffer.from('ab')])),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    fc.assert(
      fc.property(needles, bytes(60), fc.nat(10), (all, haystack, from) => {
        const places = all.map((needle) => haystack.indexOf(needle, from)).filter((at) => at >= 0)
        // Buffer.indexOf takes a place beyond the end for the last one.
        const first = from >= haystack.length || places.length === 0 ? undefined : Math.min(...places)
        const found = makeSearch(all)(haystack, from)
        assert.equal(found?.at, first)
        if (found === undefined) return
        const needle = all[found.needle]
        assert.ok(needle !== undefined && haystack.subarray(found.at).indexOf(needle) === 0)
      }),
      { numRuns: 2000 },
    )
  })

  it('finds nothing where it looks for nothing', () => {
    assert.equal(makeSearch([])(Buffer.from('abc')), undefined)
  })
})

describe('the exclude file of a clone', () => {
  let root = ''
  beforeEach(() => {
    root = makeFolder()
    gitIn(root, 'init', '--quiet', '--template=')
  })
  afterEach(() => removeFolder(root))

  const ignored = (path: string): boolean => {
    try {
      gitIn(root, 'check-ignore', '--quiet', '--no-index', '--', path)
      return true
    } catch {
      return false
    }
  }

  it('ignores each cache, whatever its name has, and no other name', async () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '!', '#', '.', '-', 'é', '$', "'"),
      minLength: 1,
      maxLength: 5,
    })
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((all) => all.join('/'))
    const paths = fc.uniqueArray(
      path.filter((one) => findCacheProblem(one) === undefined),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(paths, async (all) => {
        removeFolder(join(root, '.git/info'))
        await excludeCaches(root, all)
        for (const one of all) {
          assert.ok(ignored(one), one)
          for (const other of [`${one}x`, `x/${one}`])
            assert.equal(
              ignored(other),
              all.some((cache) => `${other}/`.startsWith(`${cache}/`)),
              `${other} of ${all.join()}`,
            )
        }
      }),
      { numRuns: 15 },
    )
  })

  it('takes no pattern for one, though no path may have one', () => {
    assert.deepEqual(toPattern('a*?[b]\\'), ['/a\\*\\?\\[b\\]\\\\'])
  })

  it('says each once, keeps what it said, and nothing of the home', async () => {
    mkdirSync(join(root, '.git/info'))
    writeFileSync(join(root, '.git/info/exclude'), '# mine\n/b')
    for (let time = 0; time < 2; time += 1) await excludeCaches(root, ['a', 'b', '~/.npm'])
    assert.equal(readFileSync(join(root, '.git/info/exclude'), 'utf8'), '# mine\n/b\n/a\n')
  })

  it('ignores a link in the place of a cache too', async () => {
    await excludeCaches(root, ['node_modules'])
    symlinkSync('/tmp', join(root, 'node_modules'))
    assert.equal(gitIn(root, 'status', '--short'), '')
  })
})

describe('what names the place of a setup', () => {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  const moves = [
    { from: '/data/sandboxes/aside.1/repo', to: '/data/sandboxes/a-much-longer-name/repo' },
    { from: '/data/sandboxes/aside.1/home', to: '/h' },
  ]

  it('names the new place, wherever it stands and whatever is around it', () => {
    const around = fc.string({ unit: fc.constantFrom('/', 'x', '"', ':', '\n', ' ', 'é', '\\', '='), maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.tuple(around, fc.nat(1)), { maxLength: 5 }), (parts) => {
        const text = (side: 'from' | 'to') => parts.map(([before, at]) => `${before} ${moves[at]?.[side]}/x`).join('')
        assert.equal(relocateText(Buffer.from(text('from')), moves).toString(), text('to'))
      }),
    )
  })

  it('is no other folder whose name begins the same', () => {
    for (const text of [
      '/data/sandboxes/aside.1/repository',
      '/data/sandboxes/aside.1/repo-2',
      '/data/sandboxes/aside.1/home.old',
    ])
      assert.equal(relocateText(Buffer.from(text), moves).toString(), text)
  })

  it('keeps bytes that are no UTF-8', () => {
    const text = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('/data/sandboxes/aside.1/home'),
      Buffer.from([0x80]),
    ])
    assert.deepEqual([...relocateText(text, moves)], [0xff, 0xfe, 0x2f, 0x68, 0x80])
  })

  it('keeps the mode and the time of a file', async () => {
    mkdirSync(join(root, 'bin'))
    const path = join(root, 'bin/tool')
    writeFileSync(path, '#!/data/sandboxes/aside.1/home/python\n')
    chmodSync(path, 0o751)
    utimesSync(path, 1000, 2000)
    await relocateFile(root, ['bin', 'tool'], moves)
    assert.equal(readFileSync(path, 'utf8'), '#!/h/python\n')
    const { mode, mtimeMs } = lstatSync(path)
    assert.deepEqual([mode & 0o7777, mtimeMs], [0o751, 2_000_000])
  })

  it('is changed in a link, and never behind one', async () => {
    const outside = join(root, 'outside')
    writeFileSync(outside, '/data/sandboxes/aside.1/home')
    mkdirSync(join(root, 'in'))
    symlinkSync(root, join(root, 'in/up'))
    symlinkSync('/data/sandboxes/aside.1/home/x', join(root, 'in/link'))
    symlinkSync(outside, join(root, 'in/out'))
    await relocateFile(root, ['in', 'link'], moves)
    await relocateFile(root, ['in', 'out'], moves)
    await assert.rejects(relocateFile(root, ['in', 'up', 'outside'], moves), { code: 'UNSAFE_PATH' })
    assert.equal(readlinkSync(join(root, 'in/link')), '/h/x')
    assert.equal(readFileSync(outside, 'utf8'), '/data/sandboxes/aside.1/home')
  })

  describe('is found', () => {
    const look = async (
      files: Readonly<Record<string, Buffer | string>>,
      secrets: readonly { name: string; value: string }[] = [],
    ) => {
      const top = join(root, 'cache')
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(top, name)), { recursive: true })
        writeFileSync(join(top, name), content)
      }
      const inspection = makeInspection(secrets, ['/data/sandboxes/aside.1/repo'], 1e12)
      return inspectTree(top, inspection, new AbortController().signal)
    }
    const place = Buffer.from('/data/sandboxes/aside.1/repo')

    it('in texts, and not in what is none', async () => {
      const { relocated } = await look({
        'a/text': place,
        'a/binary': Buffer.concat([place, Buffer.from([0])]),
        other: 'x',
      })
      assert.deepEqual(relocated, ['a/text'])
    })

    it('at the borders of what is read at once', async () => {
      const size = 4 * 1024 * 1024
      const files = Object.fromEntries(
        [-30, -20, -1, 0, 1].map((shift) => {
          const text = Buffer.alloc(2 * size + 100, 'x')
          place.copy(text, size + shift)
          return [`at${shift}`, text]
        }),
      )
      const { relocated } = await look(files)
      assert.deepEqual([...relocated].sort(), Object.keys(files).sort())
    })

    it('with the value of a secret, as it is and in base64, with the file and the variable and never the value', async () => {
      const value = 'npm_0123456789abcdef'
      for (const text of [value, Buffer.from(value).toString('base64'), Buffer.from(`x:${value}`).toString('base64')]) {
        const { refusal = '' } = await look({ 'a/.npmrc': `//registry/:_auth=${text}\n` }, [
          { name: 'NPM_TOKEN', value },
        ])
        assert.match(refusal, /^a\/\.npmrc holds the value of the secret variable NPM_TOKEN/)
        assert.ok(!refusal.includes(value) && !refusal.includes(text))
      }
    })
  })
})
