import assert from 'node:assert/strict'
import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { addMs } from '../../../core/time.ts'
import { type Mirrors, createMirrors, mirrorName } from '../../../api-server/deployment/mirrors.ts'
import { judgeMirrors, UNUSED_MS } from '../../../api-server/deployment/sweep.ts'
import { type ManualClock, manualClock } from '../../helpers/clock.ts'
import { measureFolder, NOTHING } from '../../helpers/folder-size.ts'
import { recordingLogger } from '../../helpers/log.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'

const HOUR_MS = 3_600_000
const UNKNOWN = 'f'.repeat(40)

describe('mirrors that nobody needs', () => {
  it('are those that nobody refers to and that were not used for a week, and no other', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const stored = fc.uniqueArray(fc.record({ name, ageMs: fc.nat(2 * UNUSED_MS) }), { selector: (one) => one.name })
    fc.assert(
      fc.property(stored, fc.uniqueArray(name), (found, names) => {
        const now = new Date('2026-03-01T00:00:00Z')
        const referred = new Set(names)
        const { used, unused } = judgeMirrors({
          stored: found.map((one) => ({ name: one.name, usedAt: new Date(now.getTime() - one.ageMs) })),
          referred,
          now,
        })
        for (const { name: each, ageMs } of found) {
          assert.equal(used.includes(each), referred.has(each))
          assert.equal(unused.includes(each), !referred.has(each) && ageMs > UNUSED_MS)
        }
      }),
    )
  })
})

describe('the sweep of mirrors', () => {
  let folder: string
  let remote: Remote
  let clock: ManualClock
  let stopping: AbortController
  let mirrors: Mirrors
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-sweep-'))
    remote = makeRemote(folder, { 'a.txt': 'one' })
    clock = manualClock()
    stopping = new AbortController()
    mirrors = createMirrors({
      folder: join(folder, 'mirrors'),
      reach: { allowPrivate: true, user: { home: folder, env: {} } },
      onAnswers: () => undefined,
      stop: stopping.signal,
      clock,
      logger: recordingLogger().logger,
    })
  })
  afterEach(async () => {
    stopping.abort()
    await mirrors.ended()
    await rm(folder, { recursive: true, force: true })
  })
  const placeOf = (url: string): string => join(folder, 'mirrors', mirrorName(url))
  const age = (url: string, ms: number): void => {
    const at = new Date(clock.now().getTime() - ms)
    utimesSync(placeOf(url), at, at)
  }

  it('keeps a mirror for a week after the last reference to it, and makes it again when it is asked for', async () => {
    const commit = remote.git('rev-parse', 'main')
    const url = remote.path
    const ask = (deployed: string): Promise<boolean> => mirrors.of({ url }).ask({ commit, deployed })
    assert.equal(await ask(remote.commit('main', { 'a.txt': 'one and a half' })), true)
    age(url, 2 * UNUSED_MS)
    await mirrors.sweep([url])
    assert.equal(statSync(placeOf(url)).mtimeMs, clock.now().getTime())
    age(url, UNUSED_MS - HOUR_MS)
    await mirrors.sweep([])
    assert.ok(existsSync(placeOf(url)))
    age(url, UNUSED_MS + HOUR_MS)
    await mirrors.sweep([])
    assert.ok(!existsSync(placeOf(url)))
    assert.deepEqual(await measureFolder(join(folder, 'mirrors')), NOTHING)
    const next = remote.commit('main', { 'b.txt': 'two' })
    assert.equal(await ask(next), true)
    assert.ok(existsSync(placeOf(url)))
  })

  it('removes no mirror that git works in, however long nobody referred to it', async () => {
    const sockets: Socket[] = []
    // A remote that takes the connection and says nothing.
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/shop.git`
    try {
      mirrors.of({ url }).known({ commit: UNKNOWN, deployed: UNKNOWN.replaceAll('f', 'e') })
      await until('git waits for the remote', () => Promise.resolve(sockets.length > 0))
      age(url, 2 * UNUSED_MS)
      await mirrors.sweep([])
      assert.ok(existsSync(placeOf(url)))
    } finally {
      silent.close()
      for (const socket of sockets) socket.destroy()
    }
    await until('git has given up', () => Promise.resolve(!mirrors.of({ url }).isWorking()))
    age(url, 2 * UNUSED_MS)
    await mirrors.sweep([])
    assert.ok(!existsSync(placeOf(url)))
  })

  it('finishes what a sweep before it did not live to remove, and leaves everything else in the folder alone', async () => {
    const half = join(folder, 'mirrors', `leaving-${mirrorName('x')}`)
    const other = join(folder, 'mirrors', 'notes')
    const [left, isMade] = ['making-a', 'making-b'].map((name) => join(folder, 'mirrors', name))
    assert.ok(left !== undefined && isMade !== undefined)
    for (const path of [join(half, 'objects'), other, left, isMade]) mkdirSync(path, { recursive: true })
    const [longAgo, now] = [addMs(clock.now(), -2 * 3_600_000), clock.now()]
    utimesSync(left, longAgo, longAgo)
    utimesSync(isMade, now, now)
    await mirrors.sweep([])
    assert.deepEqual([half, other, left, isMade].map(existsSync), [false, true, false, true])
  })

  it('has nothing to do where nothing was ever mirrored', async () => {
    await mirrors.sweep(['https://git.example/shop.git'])
    assert.ok(!existsSync(join(folder, 'mirrors')))
  })
})
