import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bundleKeptWork, findKeptHead, findSession, openSession } from '../../../api-server/checkout/kept-clone.ts'
import { MAX_SESSION_BYTES } from '../../../core/agent/session-files.ts'
import { systemClock } from '../../../lib/clock.ts'
import { manualClock } from '../../helpers/clock.ts'
import { gitIn } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'

const ID = '47c9e0b2-3a0a-4c46-b164-356e5d5c1a85'

/** What nobody reads within a test. */
const SPARSE_BYTES = 4 * 1024 ** 4

describe('the kept work of a task', () => {
  let volumeRoot: string
  let clone: string
  let home: string
  const kept = () => ({ volumeRoot, task: 'task-a', uid: 'uid-a' })
  const signal = new AbortController().signal

  beforeEach(() => {
    volumeRoot = mkdtempSync(join(tmpdir(), 'slipway-kept-'))
    clone = join(volumeRoot, 'sandboxes', 'task-a', 'repo')
    home = join(volumeRoot, 'sandboxes', 'task-a', 'home')
    for (const folder of [clone, home]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(volumeRoot, 'sandboxes', 'task-a.owner'), '{"uid":"uid-a"}\n')
    gitIn(clone, 'init', '--quiet', '--initial-branch=main')
    write({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    gitIn(clone, 'add', '--all')
    gitIn(clone, 'commit', '--quiet', '--message', 'first')
  })
  afterEach(() => rmSync(volumeRoot, { recursive: true }))

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(clone, name), content)
  }
  /** A repository that has fetched the bundle. */
  const fetched = async (have: readonly string[] = [], into = join(volumeRoot, 'mine')): Promise<string> => {
    const { handle } = await bundleKeptWork(kept(), have, signal, systemClock)
    writeFileSync(join(volumeRoot, 'work.bundle'), await handle.readFile())
    await handle.close()
    if (!existsSync(into)) gitIn(volumeRoot, 'init', '--quiet', '--bare', into)
    gitIn(into, 'fetch', '--quiet', join(volumeRoot, 'work.bundle'), '+refs/slipway/uncommitted:refs/x')
    return into
  }

  it('makes a bundle of commits and of what is not committed, without the settings of the clone', async () => {
    const marker = join(volumeRoot, 'ran')
    gitIn(clone, 'config', 'core.fsmonitor', `touch ${marker}; false`)
    gitIn(clone, 'config', 'filter.evil.clean', `touch ${marker}; cat`)
    gitIn(clone, 'config', 'core.hooksPath', '.git/hooks')
    write({
      '.gitattributes': '* filter=evil\n',
      '.gitignore': 'ignored\n',
      ignored: 'x',
      'a.txt': 'changed\n',
      'new.txt': 'new\n',
    })
    rmSync(join(clone, 'b.txt'))
    symlinkSync('/etc', join(clone, 'out'))
    execFileSync('mkfifo', [join(clone, 'pipe')])
    mkdirSync(join(clone, 'nested'))
    gitIn(join(clone, 'nested'), 'init', '--quiet')
    gitIn(join(clone, 'nested'), 'config', 'core.fsmonitor', `touch ${marker}`)
    const secret = join(volumeRoot, 'secret')
    writeFileSync(secret, 'secret')
    linkSync(secret, join(clone, 'linked.txt'))
    const mine = await fetched()
    const names = gitIn(mine, 'ls-tree', '--name-only', 'refs/x').split('\n')
    assert.deepEqual(names, ['.gitattributes', '.gitignore', 'a.txt', 'new.txt', 'out'])
    assert.equal(gitIn(mine, 'show', 'refs/x:a.txt'), 'changed')
    assert.match(gitIn(mine, 'ls-tree', 'refs/x', 'out'), /^120000/)
    assert.equal(gitIn(mine, 'rev-parse', 'refs/x^'), await findKeptHead(kept()))
    assert.equal(existsSync(marker), false)
  })

  it('takes content of Git LFS for no change where the commit has its pointer, and for one where the agent wrote', async () => {
    const pointer = (content: string): string =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(content).digest('hex')}\nsize ${content.length}\n`
    write({ 'same.bin': pointer('same'), 'other.bin': pointer('other'), 'gone.bin': pointer('gone') })
    gitIn(clone, 'add', '--all')
    gitIn(clone, 'commit', '--quiet', '--message', 'pointers')
    write({ 'same.bin': 'same', 'other.bin': 'agent' })
    rmSync(join(clone, 'gone.bin'))
    const mine = await fetched()
    assert.equal(gitIn(mine, 'diff-tree', '-r', '--name-status', 'refs/x^', 'refs/x'), 'D\tgone.bin\nM\tother.bin')
  })

  it('is refused where git would need more memory than the server has, as an agent can have it', async () => {
    write({ '.gitattributes': '* text\n', 'a.txt': 'a\r\n' })
    truncateSync(join(clone, 'a.txt'), 300 * 1024 * 1024)
    await assert.rejects(bundleKeptWork(kept(), [], signal, systemClock), {
      code: 'transition_refused',
      message: /out of memory/i,
    })
  })

  for (const [what, text] of [
    ['a file', 'a\n'],
    [
      'content of Git LFS',
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize ${SPARSE_BYTES}\n`,
    ],
  ] as const)
    it(`reads no terabytes of holes that an agent has made of ${what}`, async () => {
      write({ 'huge.bin': text })
      gitIn(clone, 'add', '--all')
      gitIn(clone, 'commit', '--quiet', '--message', 'huge')
      truncateSync(join(clone, 'huge.bin'), SPARSE_BYTES)
      await assert.rejects(bundleKeptWork(kept(), [], signal, systemClock), {
        code: 'transition_refused',
        message: /it has files of more than 1 GiB with next to nothing in them, such as "huge\.bin"/,
      })
    })

  it('is refused where git reads it without end, such as a pipe in the place of .gitignore', async () => {
    execFileSync('mkfifo', [join(clone, '.gitignore')])
    const clock = manualClock()
    const bundle = bundleKeptWork(kept(), [], signal, clock)
    await until('git is given a time', () => clock.pending() > 0)
    const refused = assert.rejects(bundle, {
      code: 'transition_refused',
      message: /the kept clone cannot be read: git .*did not finish within 5m; try again/,
    })
    // The second moves what ends git.
    while ((await Promise.race([refused.then(() => true), clock.advance(6 * 60_000)])) !== true) await setImmediate()
  })

  it('leaves out what the person has already, and does not mind commits that nobody knows', async () => {
    const first = gitIn(clone, 'rev-parse', 'HEAD')
    const mine = await fetched()
    write({ 'c.txt': 'c\n' })
    gitIn(clone, 'add', '--all')
    gitIn(clone, 'commit', '--quiet', '--message', 'second')
    await fetched([first, 'f'.repeat(40)], mine)
    assert.match(gitIn(volumeRoot, 'bundle', 'list-heads', 'work.bundle'), /refs\/slipway\/uncommitted$/)
    assert.match(readFileSync(join(volumeRoot, 'work.bundle'), 'latin1'), new RegExp(`^-${first}`, 'm'))
  })

  it('refuses a clone that borrows objects from elsewhere, and knows none of an earlier task of the name', async () => {
    writeFileSync(join(clone, '.git', 'objects', 'info', 'alternates'), '/etc\n')
    await assert.rejects(bundleKeptWork(kept(), [], signal, systemClock), {
      code: 'transition_refused',
      message: /borrows objects/,
    })
    const other = { ...kept(), uid: 'uid-b' }
    assert.equal(await findKeptHead(other), undefined)
    await assert.rejects(bundleKeptWork(other, [], signal, systemClock), { code: 'not_found' })
  })

  const session = join('.claude', 'projects', '-slipway', `${ID}.jsonl`)
  const place = (): string => {
    mkdirSync(join(home, '.claude', 'projects', '-slipway'), { recursive: true })
    return join(home, session)
  }

  it('finds the file of a session by the name that the CLI gives it', async () => {
    writeFileSync(place(), '{}\n')
    writeFileSync(join(home, '.claude', '.credentials.json'), 'secret')
    assert.deepEqual(await findSession(kept(), 'claude', ID), { id: ID, file: `-slipway/${ID}.jsonl`, size: 3 })
    const { handle } = await openSession(kept(), 'claude', ID)
    assert.equal((await handle.readFile()).toString(), '{}\n')
    await handle.close()
  })

  const planted: Readonly<Record<string, (path: string) => void>> = {
    'a link': (path) => symlinkSync(join(home, 'secret'), path),
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    'a second name': (path) => linkSync(join(home, 'secret'), path),
    'a large file': (path) => {
      writeFileSync(path, '')
      truncateSync(path, MAX_SESSION_BYTES + 1)
    },
    'a folder': (path) => {
      mkdirSync(path)
    },
  }
  describe('gives out no link, pipe, second name or large file as a session', () => {
    for (const [what, plant] of Object.entries(planted))
      it(`not ${what}`, async () => {
        writeFileSync(join(home, 'secret'), 'secret')
        plant(place())
        assert.equal(await findSession(kept(), 'claude', ID), undefined)
        await assert.rejects(openSession(kept(), 'claude', ID), { code: 'not_found' })
      })

    it('not below a folder that is a link, nor by an id that is none', async () => {
      mkdirSync(join(volumeRoot, 'elsewhere', '-slipway'), { recursive: true })
      writeFileSync(join(volumeRoot, 'elsewhere', '-slipway', `${ID}.jsonl`), 'x')
      mkdirSync(join(home, '.claude'))
      symlinkSync(join(volumeRoot, 'elsewhere'), join(home, '.claude', 'projects'))
      assert.equal(await findSession(kept(), 'claude', ID), undefined)
      for (const id of ['../../.credentials', '', '*', undefined])
        assert.equal(await findSession(kept(), 'claude', id), undefined)
      for (const other of ['script', 'acp', 'constructor'])
        assert.equal(await findSession(kept(), other, ID), undefined)
    })
  })
})
