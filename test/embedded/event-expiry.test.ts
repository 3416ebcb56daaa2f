import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeObjectApi } from '../../embedded/api.ts'
import { BUILT_IN_KINDS } from '../../embedded/builtin/kinds.ts'
import { NAMESPACES } from '../../embedded/builtin/namespace.ts'
import {
  type EventExpiry,
  EVENT_TTL_MS,
  findExpiredEvents,
  MAX_EVENTS,
  startEventExpiry,
} from '../../embedded/event-expiry.ts'
import type { ApiObject, ObjectApi } from '../../embedded/objects.ts'
import { makeRegistry } from '../../embedded/registry.ts'
import type { Store } from '../../embedded/storage/backend.ts'
import { openFolder } from '../../embedded/storage/folder.ts'
import { openMemoryEngine } from '../helpers/memory-engine.ts'
import { openStore } from '../../embedded/storage/store.ts'
import { type Verbs, makeVerbs } from '../../embedded/verbs.ts'
import { makeLogger } from '../../lib/log.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'
import { until } from '../helpers/until.ts'

const EVENTS = { group: '', version: 'v1', plural: 'events' }
const MINUTE_MS = 60_000

describe('embedded: events', () => {
  let clock: ManualClock
  let store: Store
  let verbs: Verbs
  let api: ObjectApi
  let expiry: EventExpiry | undefined
  beforeEach(async () => {
    clock = manualClock()
    await open(openStore(openMemoryEngine()))
  })
  afterEach(() => expiry?.stop())

  async function open(on: Store): Promise<void> {
    store = on
    verbs = makeVerbs({ store, clock, randomBytes, namespaces: NAMESPACES })
    api = makeObjectApi(store, makeRegistry(BUILT_IN_KINDS), verbs)
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }
    await api.create({ group: '', version: 'v1', plural: 'namespaces' }, namespace)
  }
  const start = (): void => {
    expiry = startEventExpiry({ store, verbs, clock, logger: makeLogger('silent') })
  }
  const record = (name: string, at: Date | undefined = clock.now()): Promise<ApiObject> =>
    api.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: 'default' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'pod-a' },
      message: 'Something happened that takes some words to tell. '.repeat(4),
      ...(at !== undefined && { lastTimestamp: at.toISOString().replace(/\.\d{3}Z$/, 'Z') }),
    })
  const names = (): string[] => api.list(EVENTS).items.map(({ metadata }) => metadata.name)
  /** As fast as a loop that has gone wrong. */
  const flood = async (from: number, count: number): Promise<void> => {
    const all = Array.from({ length: count }, (_, n) => `event-${String(from + n).padStart(6, '0')}`)
    for (let n = 0; n < count; n += 100) await Promise.all(all.slice(n, n + 100).map((name) => record(name)))
  }

  it('go an hour after they were written last, and watches see it', async () => {
    start()
    const watched = new AbortController()
    const seen: string[] = []
    const watching = (async () => {
      for await (const { type, object } of api.watch(EVENTS, {}, watched.signal))
        seen.push(`${type} ${object.metadata.name}`)
    })()
    await record('once')
    const counted = await record('again')
    await clock.advance(EVENT_TTL_MS / 2)
    await api.update(EVENTS, { ...counted, count: 2 })
    await record('later')
    await clock.advance(EVENT_TTL_MS / 2 - MINUTE_MS)
    assert.deepEqual(names(), ['again', 'later', 'once'])
    await clock.advance(3 * MINUTE_MS)
    await until('the first is gone', () => names().length === 2)
    assert.deepEqual(names(), ['again', 'later'])
    await until('the watch has told', () => seen.includes('DELETED once'))
    await clock.advance(EVENT_TTL_MS / 2)
    await until('all are gone', () => names().length === 0)
    watched.abort()
    await watching
    assert.ok(seen.includes('DELETED again') && seen.includes('DELETED later'), seen.join())
  })

  it('that are there at the start go by the time that they bear, and no later than an hour from now', async () => {
    await record('old', new Date(clock.now().getTime() - EVENT_TTL_MS - MINUTE_MS))
    await record('young', new Date(clock.now().getTime() - EVENT_TTL_MS + 5 * MINUTE_MS))
    await record('of-the-future', new Date(clock.now().getTime() + 24 * EVENT_TTL_MS))
    start()
    await until('the old one is gone', () => !names().includes('old'))
    assert.deepEqual(names(), ['of-the-future', 'young'])
    await clock.advance(7 * MINUTE_MS)
    await until('the young one is gone', () => !names().includes('young'))
    await clock.advance(EVENT_TTL_MS)
    await until('all are gone', () => names().length === 0)
  })

  it('that a finalizer keeps hold up nothing', async () => {
    const count = MAX_EVENTS + 400
    const held = { apiVersion: 'v1', kind: 'Event', involvedObject: { kind: 'Pod', name: 'pod-a' } }
    for (let n = 0; n < count; n += 1)
      await api.create(EVENTS, {
        ...held,
        metadata: { name: `held-${n}`, namespace: 'default', finalizers: ['example.com/held'] },
      })
    start()
    await record('free')
    await clock.advance(EVENT_TTL_MS + 2 * MINUTE_MS)
    await until('the free one is gone', () => !names().includes('free'))
    await clock.advance(EVENT_TTL_MS + 2 * MINUTE_MS)
    await until('another is served', () => true)
    assert.equal(names().length, count)
  })

  it('leave when there are too many of them, the oldest first', () => {
    const now = clock.now()
    const events = Array.from({ length: MAX_EVENTS + 2 }, (_, n) => ({
      id: `event-${n}`,
      key: { namespace: 'default', name: `event-${n}` },
      resourceVersion: '1',
      writtenAt: now.getTime() - n,
    }))
    const gone = findExpiredEvents(events, now).map(({ key }) => key.name)
    assert.deepEqual(gone, [`event-${MAX_EVENTS + 1}`, `event-${MAX_EVENTS}`])
  })

  it('are as many and take as many bytes after 6,000 within a minute as after 3,000', async function () {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-events-'))
    try {
      const onDisk = await openFolder(join(folder, 'store'), { onWritable: () => undefined })
      await open(onDisk.store)
      start()
      const settled = async (): Promise<number> => {
        await until('the surplus is gone', () => store.count('events/') <= MAX_EVENTS * 1.1)
        return sizeBelow(folder)
      }
      await flood(0, 3000)
      const before = await settled()
      await flood(3000, 3000)
      const after = await settled()
      assert.ok(names().includes('event-005999'), 'the newest stays')
      assert.ok(after <= before * 1.1, `${before} bytes, then ${after}`)
      await expiry?.stop()
      expiry = undefined
      await onDisk.close()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

async function sizeBelow(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
