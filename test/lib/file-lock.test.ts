import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withFileLock } from '../../lib/file-lock.ts'
import { gitText } from '../../lib/git.ts'
import { until } from '../helpers/until.ts'

const never = new AbortController().signal

describe('the lock of a file', () => {
  let folder = ''
  let path = ''
  const holders: ChildProcess[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-lock-'))
    path = join(folder, 'lock')
  })
  afterEach(() => {
    for (const holder of holders.splice(0)) holder.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })

  /** Another process that has the lock and never gives it back. */
  async function hold(): Promise<ChildProcess> {
    const module = join(import.meta.dirname, '..', '..', 'lib', 'file-lock.js')
    const program = `import { withFileLock } from ${JSON.stringify(module)}
      await withFileLock(${JSON.stringify(path)}, new AbortController().signal, async () => {
        console.log('held')
        await new Promise(() => setInterval(() => undefined, 1000))
      })`
    const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    holders.push(holder)
    await once(holder.stdout, 'data')
    return holder
  }

  function children(): string {
    return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  }

  it('is one caller’s at a time, and each gets it in the end', async () => {
    let inside = 0
    const work = async (): Promise<number> => {
      inside += 1
      await gitText(['--version'])
      assert.equal(inside, 1)
      return (inside -= 1)
    }
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => withFileLock(path, never, work))), [0, 0, 0])
  })

  it('is free again after work that fails', async () => {
    const failing = withFileLock(path, never, () => Promise.reject(new Error('so it is')))
    await assert.rejects(failing, /so it is/)
    assert.equal(await withFileLock(path, never, () => Promise.resolve('next')), 'next')
  })

  it('is free as soon as its holder is killed', async () => {
    const holder = await hold()
    let got = false
    const waiting = withFileLock(path, never, async () => void (got = true))
    await until('flock waits', () => children().split(' ').length > 2)
    assert.equal(got, false)
    holder.kill('SIGKILL')
    await waiting
    assert.ok(got)
  })

  it('is waited for no longer than the signal says, and nothing goes on waiting', async () => {
    await hold()
    const before = children()
    const stop = new AbortController()
    const waiting = withFileLock(path, stop.signal, () => Promise.resolve())
    await until('flock waits', () => children() !== before)
    stop.abort(new Error('enough'))
    await assert.rejects(waiting, /enough/)
    assert.equal(children(), before)
  })

  it('is known to no git that runs meanwhile', async () => {
    const open = await withFileLock(path, never, () =>
      gitText(['-c', 'alias.list=!ls -l /proc/self/fd', 'list'], { cwd: folder }),
    )
    assert.match(open, / 0 -> /)
    assert.ok(!open.includes(path), open)
  })

  it('is that of the file which has the path now, if its holder removed the one before', async () => {
    let second: Promise<string> | undefined
    await withFileLock(path, never, async () => {
      const before = children()
      second = withFileLock(path, never, () =>
        withFileLock(path, AbortSignal.timeout(50), () => Promise.resolve('both')).catch(() => 'one'),
      )
      await until('flock waits', () => children() !== before)
      rmSync(path)
    })
    assert.equal(await second, 'one')
  })

  it('cannot be had without util-linux, and the error says so', async () => {
    const { PATH } = process.env
    process.env['PATH'] = folder
    try {
      const locked = withFileLock(path, never, () => Promise.resolve())
      await assert.rejects(locked, /^LockFailed: flock is not installed: install util-linux/)
    } finally {
      process.env['PATH'] = PATH
    }
  })
})
