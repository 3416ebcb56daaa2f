import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeTree } from '../../lib/remove-tree.ts'

/** Turns the folder argv[1] into a link to argv[2] and back, as fast as it can, until it is ended. */
const SWAPPER = `
const { mkdirSync, renameSync, symlinkSync } = require('node:fs')
const [folder, victim] = process.argv.slice(1)
const attempt = (work) => { try { work() } catch { /* the other side was faster */ } }
process.stdout.write('ready')
for (;;) {
  attempt(() => mkdirSync(folder))
  attempt(() => symlinkSync(victim, folder + '-link'))
  attempt(() => renameSync(folder, folder + '-aside'))
  attempt(() => renameSync(folder + '-link', folder))
  attempt(() => renameSync(folder, folder + '-link'))
  attempt(() => renameSync(folder + '-aside', folder))
}`

describe('removeTree', () => {
  let root = ''
  let top = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'slipway-remove-'))
    top = join(root, 'top')
    mkdirSync(join(top, 'deep'), { recursive: true })
    writeFileSync(join(top, 'deep', 'file'), 'text')
    mkdirSync(join(root, 'outside'))
    writeFileSync(join(root, 'outside', 'file'), 'secret')
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('removes the links in a tree and not what they lead to', async () => {
    symlinkSync(join(root, 'outside'), join(top, 'deep', 'folder'))
    symlinkSync(join(root, 'outside', 'file'), join(top, 'file'))
    symlinkSync('/nowhere', join(top, 'nowhere'))
    await removeTree(top)
    assert.deepEqual([existsSync(top), readdirSync(join(root, 'outside'))], [false, ['file']])
  })

  it('removes a link in place of the tree, a file, and what is not there', async () => {
    symlinkSync(join(root, 'outside'), join(root, 'link'))
    for (const name of ['link', 'link', 'nowhere/at/all']) await removeTree(join(root, name))
    await removeTree(join(top, 'deep', 'file'))
    assert.deepEqual(readdirSync(root).sort(), ['outside', 'top'])
    assert.deepEqual([readdirSync(join(root, 'outside')), readdirSync(join(top, 'deep'))], [['file'], []])
  })

  it('removes folders that may be neither read nor written', async () => {
    mkdirSync(join(top, 'deep', 'deeper', 'deepest'), { recursive: true })
    for (const name of ['deep/deeper/deepest', 'deep/deeper', 'deep', '.']) chmodSync(join(top, name), 0)
    await removeTree(top)
    assert.equal(existsSync(top), false)
  })

  it('removes a tree whose paths are longer than the system allows, and no UTF-8', async () => {
    const deep = String.raw`for i in {1..30}; do mkdir "$0"$'\xff' && cd "$0"$'\xff' && touch $'\xfe' || exit; done`
    execFileSync('bash', ['-c', deep, 'd'.repeat(200)], { cwd: top })
    mkdirSync(join(top, 'moved-1', 'inner'), { recursive: true })
    await removeTree(top)
    assert.equal(existsSync(top), false)
  })

  it('lets others go on while it removes a folder with very many files and folders', async () => {
    execFileSync('bash', ['-c', 'mkdir {1..1100}.d; touch {1..10000}.txt'], { cwd: top })
    // Of the processor, not of the clock: this process may wait for others longer than for anything that it does itself.
    const used = (): number => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    }
    const before = used()
    let [seen, longestMs, isOver] = [before, 0, false]
    const look = (): void => {
      const now = used()
      ;[longestMs, seen] = [Math.max(longestMs, now - seen), now]
      if (!isOver) setImmediate(look)
    }
    setImmediate(look)
    await removeTree(top)
    isOver = true
    look()
    const share = longestMs / (used() - before)
    assert.ok(share < 0.1, `${longestMs} ms without a break, ${share} of the whole time`)
    assert.equal(existsSync(top), false)
  })

  // Many folders are removed by a program.
  for (const beside of [0, 40])
    it(`removes nothing behind a link that is put in place of a folder meanwhile, beside ${beside} folders`, async () => {
      const folder = join(top, 'deep', 'folder')
      const swapper = spawn(process.execPath, ['-e', SWAPPER, folder, join(root, 'outside')])
      await once(swapper.stdout, 'data')
      // By path one run of this in three fails.
      try {
        for (let round = 0; round < 300; round++) {
          for (let n = 0; n < beside; n++) mkdirSync(join(top, `deep/beside-${n}`), { recursive: true })
          mkdirSync(join(top, 'deep'), { recursive: true })
          for (let n = 0; n < 3; n++) writeFileSync(join(top, `deep/file-${n}`), '')
          // Whoever goes on writing can keep us from finishing.
          await removeTree(join(top, 'deep')).catch(() => undefined)
          assert.deepEqual(readdirSync(join(root, 'outside')), ['file'])
        }
      } finally {
        swapper.kill('SIGKILL')
        await once(swapper, 'exit')
      }
      await removeTree(top)
      assert.equal(existsSync(top), false)
    })

  it('removes what the program for many folders cannot: names that are no UTF-8, and folders without permissions', async () => {
    const make = String.raw`for i in {1..40}; do mkdir -p "$i/inner" $'\xff'"$i" && touch "$i/inner/file" && chmod 0 "$i/inner"; done`
    execFileSync('bash', ['-c', make], { cwd: top })
    await removeTree(top)
    assert.equal(existsSync(top), false)
  })

  it('ends with the reason of its signal amid many folders', async () => {
    execFileSync('bash', ['-c', 'mkdir -p {1..200}/{1..20}'], { cwd: top })
    const reason = new Error('somebody else may use the path by now')
    const controller = new AbortController()
    const removed = removeTree(top, controller.signal)
    setImmediate(() => controller.abort(reason))
    await assert.rejects(removed, reason)
    assert.equal(existsSync(top), true)
  })
})
