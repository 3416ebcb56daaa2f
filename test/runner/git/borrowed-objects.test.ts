import assert from 'node:assert/strict'
import { linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatAlternates } from '../../../core/execution/alternates.ts'
import { git } from '../../../lib/git.ts'
import { type Lender, UntrustedClone, findGone, makeView, vetObjects } from '../../../lib/git-untrusted.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const never = new AbortController().signal

describe('a clone with borrowed objects, after an agent', () => {
  let root = ''
  let remote: Remote
  let clone = ''
  let lender: Lender
  beforeEach(() => {
    root = makeFolder()
    remote = makeRemote(root, { 'a.txt': 'one\n', 'big.txt': 'x\n'.repeat(100) })
    lender = { key: KEY, mirrors: join(root, 'volume/repositories', KEY, 'mirrors') }
    clone = join(root, 'volume/sandboxes/demo/repo')
  })
  afterEach(() => removeFolder(root))

  const alternates = (): string => join(clone, '.git/objects/info/alternates')
  function borrow(): void {
    for (const folder of [lender.mirrors, join(clone, '..')]) mkdirSync(folder, { recursive: true })
    gitIn(root, 'clone', '--quiet', '--bare', '--template=', remote.path, join(lender.mirrors, '1'))
    gitIn(root, 'clone', '--quiet', '--shared', '--template=', join(lender.mirrors, '1'), clone)
    writeFileSync(alternates(), formatAlternates({ key: KEY, number: 1 }))
  }

  it('is seen whole, and git complains of nothing', async () => {
    borrow()
    gitIn(clone, 'commit', '--quiet', '--allow-empty', '--message', 'work')
    const view = join(root, 'view.git')
    const before = readdirSync(join(lender.mirrors, '1/objects'), { recursive: true })
    const { commit } = await makeView(clone, lender, view, never)
    const { stdout, stderr } = await git(['rev-list', '--objects', commit], { gitDir: view })
    assert.deepEqual([stdout.toString().trim().split('\n').length, stderr], [5, ''])
    await git(['hash-object', '-w', '--stdin'], { gitDir: view, input: 'new\n' })
    assert.deepEqual(readdirSync(join(lender.mirrors, '1/objects'), { recursive: true }), before)
  })

  const other = 'f'.repeat(32)
  const refused: Record<string, readonly [() => void, RegExp]> = {
    'names another repository': [
      () => writeFileSync(alternates(), formatAlternates({ key: other, number: 1 })),
      /borrows objects from elsewhere/,
    ],
    'names a second folder': [
      () => writeFileSync(alternates(), `${formatAlternates({ key: KEY, number: 1 })}/etc\n`),
      /borrows objects from elsewhere/,
    ],
    'names the mirror by another path': [
      () => writeFileSync(alternates(), `${lender.mirrors}/1/objects\n`),
      /borrows objects from elsewhere/,
    ],
    'names nothing': [() => writeFileSync(alternates(), ''), /borrows objects from elsewhere/],
    'names a mirror that is not there': [
      () => writeFileSync(alternates(), formatAlternates({ key: KEY, number: 2 })),
      /borrows objects from mirror 2 .*, which is gone$/,
    ],
    'has a link for it': [
      () => {
        writeFileSync(join(root, 'same'), formatAlternates({ key: KEY, number: 1 }))
        rmSync(alternates())
        symlinkSync(join(root, 'same'), alternates())
      },
      /alternates is a link or a special file/,
    ],
    'has a file of two names for it': [
      () => linkSync(alternates(), join(root, 'same')),
      /alternates is not an ordinary file/,
    ],
    'has one more for http': [
      () => writeFileSync(join(clone, '.git/objects/info/http-alternates'), ''),
      /borrows objects from elsewhere/,
    ],
    'borrows from a mirror that borrows': [
      () => writeFileSync(join(lender.mirrors, '1/objects/info/alternates'), '/etc\n'),
      /mirror 1 of the repository borrows objects itself/,
    ],
    'borrows from a mirror that is a link': [
      () => {
        symlinkSync('1', join(lender.mirrors, '2'))
        writeFileSync(alternates(), formatAlternates({ key: KEY, number: 2 }))
      },
      /mirror 2 .* is gone/,
    ],
  }
  for (const [what, [tamper, message]] of Object.entries(refused))
    it(`is refused if it ${what}`, async () => {
      borrow()
      assert.deepEqual(await vetObjects(clone, lender), {
        own: join(clone, '.git/objects'),
        borrowed: join(lender.mirrors, '1/objects'),
      })
      tamper()
      await assert.rejects(
        vetObjects(clone, lender),
        (error) => error instanceof UntrustedClone && message.test(error.message),
      )
    })

  it('is refused where nothing is to be borrowed', async () => {
    borrow()
    await assert.rejects(vetObjects(clone, undefined), /borrows objects from elsewhere/)
  })

  it('has lost its objects once the mirror is gone, or is not to be seen', async () => {
    borrow()
    assert.equal(await findGone(clone, lender), undefined)
    assert.equal(await findGone(clone, undefined), 1)
    assert.equal(await findGone(clone, { ...lender, key: other }), 1)
    rmSync(lender.mirrors, { recursive: true })
    assert.equal(await findGone(clone, lender), 1)
    rmSync(alternates())
    assert.equal(await findGone(clone, lender), undefined)
  })

  it('gives way to a fresh one when it is kept and its mirror is gone', async () => {
    const first = makeExecution(root, remote, 'echo x > x; exit 1', { mirror: KEY })
    await first.step('prepare')
    await first.step('agent')
    rmSync(lender.mirrors, { recursive: true })
    const second = makeExecution(root, remote, 'echo 3 > b.txt', { execution: 'demo-2', keepClone: true, mirror: KEY })
    const { stderr } = await second.step('prepare')
    assert.match(
      stderr,
      /borrows from mirror 1 of its repository, which is gone: a fresh clone replaces it, and the old one is kept at .*\.damaged\n/,
    )
    await second.step('agent')
    assert.equal((await second.step('deliver')).exitCode, 0)
    assert.match(remote.git('ls-tree', '--name-only', 'slipway/demo'), /^b\.txt$/m)
  })

  it('gives way to a fresh one where it is gone itself', async () => {
    const second = makeExecution(root, remote, 'echo 3 > b.txt', { execution: 'demo-2', keepClone: true, mirror: KEY })
    rmSync(second.clone, { recursive: true, force: true })
    assert.match((await second.step('prepare')).stderr, /the kept clone is gone.*: a fresh clone takes its place\n/)
    await second.step('agent')
    assert.equal((await second.step('deliver')).exitCode, 0)
  })

  it('gives way to a fresh one with objects of its own where the mirror is of who read the repository before', async () => {
    borrow()
    rmSync(join(clone, '.git/index'))
    writeFileSync(alternates(), formatAlternates({ key: KEY, number: 9 }))
    const secret = remote.commit('main', { 'new.txt': 'what only the new credentials may read' })
    const spec = { execution: 'demo-2', keepClone: true, mirror: KEY, checkout: { borrow: false } }
    const { exitCode, stderr } = await makeExecution(root, remote, '', spec).step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(readdirSync(join(lender.mirrors, '..')), ['mirrors'])
    assert.throws(() => gitIn(join(lender.mirrors, '1'), 'cat-file', '-e', secret))
    assert.equal(gitIn(clone, 'rev-parse', 'HEAD'), secret)
    assert.throws(() => readdirSync(alternates()), /ENOENT/)
  })

  it('works on with objects of its own from an earlier version, when mirrors come in', async () => {
    const first = makeExecution(root, remote, 'echo x > x; exit 1')
    await first.step('prepare')
    await first.step('agent')
    const baseCommit = remote.git('rev-parse', 'main')
    const spec = { execution: 'demo-2', keepClone: true, mirror: KEY, baseCommit }
    const second = makeExecution(root, remote, 'echo 3 > b.txt', spec)
    assert.equal((await second.all()).exitCode, 0)
    assert.match(remote.git('ls-tree', '--name-only', 'slipway/demo'), /^b\.txt\nbig\.txt\nx$/m)
  })

  const WORK = `echo evil > evil.txt; git add .; git -c user.name=x -c user.email=x@x commit -q -m x
      base=$(git rev-parse 'HEAD~1^{tree}'); head=$(git rev-parse 'HEAD^{tree}')`
  /** Makes the base's tree read as the tree of HEAD, so that a diff would be empty. */
  const shadows = {
    'a loose object':
      'mkdir -p .git/objects/${base:0:2}; cp .git/objects/${head:0:2}/${head:2} .git/objects/${base:0:2}/${base:2}',
    'a pack whose index is forged': `name=$(echo $head | git pack-objects -q .git/objects/pack/pack); chmod u+w .git/objects/pack/*
      node -e 'const [file, id] = process.argv.slice(1), fs = require("fs"), index = fs.readFileSync(file)
        for (let i = 0; i < 256; i++) index.writeUInt32BE(i < parseInt(id.slice(0, 2), 16) ? 0 : 1, 8 + 4 * i)
        index.write(id, 1032, "hex"); fs.writeFileSync(file, index)' .git/objects/pack/pack-$name.idx $base
      touch -d '+1 hour' .git/objects/pack/*`,
  }
  for (const [what, shadow] of Object.entries(shadows))
    it(`pushes nothing that a review does not show, whatever ${what} makes of the mirror's`, async () => {
      const made = makeExecution(root, remote, `${WORK}\n${shadow}`, { mirror: KEY })
      const { exitCode } = await made.all()
      const { pushed, changes, error } = made.result()
      if (exitCode === 0) assert.deepEqual([pushed, changes], [true, { files: 1, insertions: 1, deletions: 0 }])
      else assert.deepEqual([pushed, changes, error?.category], [false, undefined, 'git'])
      assert.equal(remote.git('branch', '--list', 'slipway/demo') !== '', exitCode === 0)
    })

  it('is reviewed and pushed without replacements and grafts', async () => {
    const tricks =
      'git replace $base $head; git rev-parse HEAD > .git/info/grafts 2>/dev/null || { mkdir .git/info; git rev-parse HEAD > .git/info/grafts; }'
    const made = makeExecution(root, remote, `${WORK}\n${tricks}`, { mirror: KEY })
    const { exitCode, stderr } = await made.all()
    assert.equal(exitCode, 0, stderr)
    assert.deepEqual(made.result().changes, { files: 1, insertions: 1, deletions: 0 })
  })
})
