import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mirrors, createMirrors, mirrorName } from '../../../api-server/deployment/mirrors.ts'
import { systemClock } from '../../../lib/clock.ts'
import { type GitCounter, countGit } from '../../helpers/count-git.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'
import { recordingLogger } from '../../helpers/log.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'

const UNKNOWN = 'f'.repeat(40)

describe('a mirror', () => {
  let folder: string
  let remote: Remote
  let clock: ManualClock
  let stopping: AbortController
  let mirrors: Mirrors
  let news: number
  let isListenerBroken: boolean
  let log: ReturnType<typeof recordingLogger>
  let counter: GitCounter
  let base: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-mirror-'))
    remote = makeRemote(folder, { 'a.txt': 'one' })
    base = remote.git('rev-parse', 'main')
    counter = countGit(folder)
    open()
  })
  afterEach(async () => {
    stopping.abort()
    await mirrors.ended()
    counter.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const open = (user: 'user' | 'nobody' = 'user'): void => {
    clock = manualClock()
    stopping = new AbortController()
    news = 0
    isListenerBroken = false
    log = recordingLogger()
    mirrors = createMirrors({
      folder: join(folder, 'mirrors'),
      reach: { allowPrivate: false, ...(user === 'user' ? { user: { home: folder, env: {} } } : {}) },
      onAnswers: () => {
        news += 1
        if (isListenerBroken) throw new Error('a listener fails')
      },
      stop: stopping.signal,
      clock,
      logger: log.logger,
    })
  }
  const ask = (commit: string, deployed: string, url = remote.path): Promise<boolean> =>
    mirrors.of({ url }).ask({ commit, deployed })
  const known = (commit: string, deployed: string): boolean | undefined =>
    mirrors.of({ url: remote.path }).known({ commit, deployed })

  it('says yes of the deployed commit itself and of what came before it, no of what came after', async () => {
    const later = remote.commit('main', { 'b.txt': 'two' })
    assert.deepEqual(await Promise.all([ask(later, later), ask(base, later), ask(later, base)]), [true, true, false])
  })

  it('goes on answering after a listener has failed, which is told', async () => {
    isListenerBroken = true
    const later = remote.commit('main', { 'b.txt': 'two' })
    assert.equal(await ask(base, later), true)
    assert.equal(await ask(later, base), false)
    await mirrors.ended()
    assert.match(JSON.stringify(log.lines), /a listener fails/)
  })

  it('answers a thousand questions that come together with one fetch', async () => {
    const deployed = remote.commit('main', { 'b.txt': 'two' })
    const answers = await Promise.all(Array.from({ length: 1000 }, () => ask(base, deployed)))
    assert.ok(answers.every(Boolean))
    const calls = counter.calls().map((call) => call.split(' ')[0])
    assert.deepEqual(calls, ['init', 'cat-file', 'fetch', 'config', 'cat-file', 'merge-base'])
  })

  it('never asks again what it knows, whatever is pushed by force afterwards', async () => {
    const side = remote.commit('side', { 'c.txt': 'three' })
    const deployed = remote.commit('main', { 'b.txt': 'two' })
    assert.deepEqual(await Promise.all([ask(side, deployed), ask(base, deployed)]), [false, true])
    remote.git('update-ref', 'refs/heads/main', base)
    remote.git('update-ref', '-d', 'refs/heads/side')
    remote.git('gc', '--quiet', '--prune=now')
    const before = counter.calls().length
    await clock.advance(24 * 3_600_000)
    assert.deepEqual([known(side, deployed), await ask(base, deployed)], [false, true])
    assert.equal(counter.calls().length, before)
  })

  it('still knows history that was pushed away by force', async () => {
    const lost = remote.commit('main', { 'b.txt': 'two' })
    await ask(base, lost)
    remote.git('update-ref', 'refs/heads/main', base)
    remote.git('reflog', 'expire', '--expire=now', '--all')
    remote.git('gc', '--quiet', '--prune=now')
    const next = remote.commit('main', { 'd.txt': 'four' })
    assert.deepEqual(await Promise.all([ask(base, next), ask(lost, next), ask(base, lost)]), [true, false, true])
  })

  it('asks again for a commit that it does not have: after a minute, then after two', async () => {
    assert.equal(await ask(UNKNOWN, base), false)
    const fetches = (): number => counter.calls().filter((call) => call.startsWith('fetch')).length
    assert.equal(fetches(), 1)
    await clock.advance(59_999)
    assert.deepEqual([await ask(UNKNOWN, base), known(UNKNOWN, base), fetches()], [false, undefined, 1])
    await clock.advance(1)
    await ask(UNKNOWN, base)
    await clock.advance(60_000)
    await ask(UNKNOWN, base)
    assert.equal(fetches(), 2)
    await clock.advance(60_000)
    await ask(UNKNOWN, base)
    assert.equal(fetches(), 3)
  })

  it('finds a commit that is pushed later, and says so', async () => {
    const deployed = remote.commit('elsewhere', { 'b.txt': 'two' })
    remote.git('update-ref', '-d', 'refs/heads/elsewhere')
    assert.deepEqual([await ask(base, deployed), news], [false, 0])
    remote.git('update-ref', 'refs/heads/main', deployed)
    await clock.advance(60_000)
    assert.equal(known(base, deployed), undefined)
    await until('the mirror has it', () => known(base, deployed) === true)
    assert.equal(news, 1)
  })

  it('fetches commits without their files where the remote can leave them out', async () => {
    remote.git('config', 'uploadpack.allowFilter', 'true')
    const deployed = remote.commit('main', { 'b.txt': 'two' })
    await ask(base, deployed)
    assert.equal(await ask(UNKNOWN, deployed), false)
    const tree = remote.git('rev-parse', `${deployed}^{tree}`)
    assert.equal(await ask(tree, deployed), false)
    assert.deepEqual(log.lines, [])
  })

  it('is not asked by a remote that hangs for longer than ten seconds, and does not hang at the end', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const later = remote.commit('main', { 'b.txt': 'two' })
    const asked = ask(base, UNKNOWN, `http://127.0.0.1:${port}/repository.git`)
    await until('git fetches', () => counter.calls().some((call) => call.startsWith('fetch')))
    await clock.advance(10_000)
    assert.equal(await asked, false)
    assert.equal(await ask(base, later), true, 'another mirror is not held up')
    stopping.abort()
    await mirrors.ended()
    server.closeAllConnections()
    server.close()
  })

  /** Time passes until there is an answer. */
  const inTime = async (asked: Promise<boolean>): Promise<boolean> => {
    let isAnswered = false
    void asked.finally(() => (isAnswered = true))
    await until('there is an answer', async () => (await clock.advance(100), isAnswered))
    return asked
  }
  const lockIt = async (name: string): Promise<string> => {
    await ask(UNKNOWN, base)
    const path = join(folder, 'mirrors', mirrorName(remote.path), name)
    await writeFile(path, '')
    await utimes(path, clock.now(), clock.now())
    return path
  }
  for (const name of ['config.lock', 'refs/heads/main.lock']) {
    it(`goes on without the ${name} of a git that was killed`, async () => {
      const lock = await lockIt(name)
      const later = remote.commit('main', { 'b.txt': 'two' })
      await clock.advance(61_000)
      assert.equal(await ask(base, later), true)
      assert.ok(!existsSync(lock))
    })
  }

  it('leaves a lock alone that somebody may still hold', async () => {
    const lock = await lockIt('config.lock')
    const later = remote.commit('main', { 'b.txt': 'two' })
    assert.equal(await inTime(ask(base, later)), false)
    assert.ok(existsSync(lock))
    await clock.advance(61_000)
    assert.equal(await ask(base, later), true)
  })

  it('waits for another server that writes the same mirror', async () => {
    const lock = await lockIt('config.lock')
    const later = remote.commit('main', { 'b.txt': 'two' })
    const before = counter.calls().length
    const asked = ask(base, later)
    await until('it met the lock', () => counter.calls().length > before)
    await rm(lock)
    assert.equal(await inTime(asked), true)
    assert.deepEqual(log.lines, [])
  })

  it('is made by servers that begin together, none of which complains', async () => {
    const later = remote.commit('main', { 'b.txt': 'two' })
    const others = Array.from({ length: 4 }, () =>
      createMirrors({
        folder: join(folder, 'mirrors'),
        reach: { allowPrivate: false, user: { home: folder, env: {} } },
        onAnswers: () => undefined,
        stop: stopping.signal,
        // One whose fetch meets a lock of another tries again after a while.
        clock: systemClock,
        logger: log.logger,
      }),
    )
    const question = { commit: base, deployed: later }
    const asked = others.map((server) => server.of({ url: remote.path }).ask(question))
    assert.deepEqual(await Promise.all(asked), Array(4).fill(true))
    stopping.abort()
    await Promise.all(others.map((server) => server.ended()))
    assert.deepEqual(log.lines, [])
  })

  it('asks no git whether a commit contains itself', async () => {
    assert.deepEqual([known(UNKNOWN, UNKNOWN), await ask(UNKNOWN, UNKNOWN, '/nowhere.git')], [true, true])
    assert.deepEqual(counter.calls(), [])
  })

  it('says once why a remote cannot be reached, however often it is asked', async () => {
    for (let i = 0; i < 3; i++) {
      assert.equal(await ask(base, UNKNOWN, join(folder, 'nowhere.git')), false)
      await clock.advance(30 * 60_000)
    }
    assert.equal(log.lines.length, 1)
  })

  it('reads no local path, no ssh, no helper and no private address for a server that has no user', async () => {
    stopping.abort()
    await mirrors.ended()
    open('nobody')
    for (const url of [
      remote.path,
      `file://${remote.path}`,
      'git@git.example:a/b.git',
      'ext::sh -c true',
      'http://127.0.0.1:1/a.git',
    ]) {
      assert.equal(await ask(base, UNKNOWN, url), false, url)
    }
    assert.deepEqual(
      counter.calls().filter((call) => call.startsWith('fetch')),
      [],
    )
  })
})
