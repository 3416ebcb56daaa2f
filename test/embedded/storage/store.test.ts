import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import {
  type Engine,
  type Store,
  type Write,
  RevisionCompacted,
  RevisionMismatch,
  StoreUnwritable,
} from '../../../embedded/storage/backend.ts'
import { openDiskEngine } from '../../../embedded/storage/disk.ts'
import { openMemoryEngine } from '../../helpers/memory-engine.ts'
import { openStore } from '../../../embedded/storage/store.ts'
import { until } from '../../helpers/until.ts'
import { runs } from '../../helpers/runs.ts'

const put = (key: string, expected = 0, text = key): Write => ({
  type: 'put',
  key,
  expected,
  render: (revision) => `${text}@${revision}`,
})
const remove = (key: string, expected: number): Write => ({ type: 'remove', key, expected, render: () => 'gone' })
const keys = (store: Store, revision?: number, after?: string, limit?: number): string[] =>
  store.range({ prefix: 'k/', revision, after, limit }).map(({ key }) => key)

const engines: Record<string, (folder: string) => Engine> = {
  memory: openMemoryEngine,
  disk: (folder) => openDiskEngine(join(folder, 'objects.mdb'), { create: true }),
}

for (const [name, openEngine] of Object.entries(engines)) {
  describe(`embedded: store on ${name}`, () => {
    let folder: string
    let store: Store
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'slipway-store-'))
      store = openStore(openEngine(folder), { changes: 20, size: 1_000_000 })
    })
    afterEach(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })

    it('gives every change the next revision', async () => {
      await store.write([put('k/a')])
      const [change] = await store.write([put('k/b')])
      assert.deepEqual([change?.revision, store.get('k/b')?.value, store.revision], [2, 'k/b@2', 2])
    })

    it('refuses a write that expects another revision, and writes nothing of its batch', async () => {
      await store.write([put('k/a')])
      await assert.rejects(store.write([put('k/b'), put('k/a', 7)]), RevisionMismatch)
      assert.deepEqual(keys(store), ['k/a'])
    })

    it('hides a change from readers until it is durable, but not from writers', async () => {
      const written = store.write([put('k/a')])
      assert.equal(store.get('k/a'), undefined)
      assert.deepEqual(keys(store), [])
      assert.equal(store.latest('k/a')?.revision, 1)
      await assert.rejects(store.write([put('k/a', 0)]), RevisionMismatch)
      await written
      assert.equal(store.get('k/a')?.revision, 1)
    })

    it('shows older states by undoing later changes', async () => {
      await store.write([put('k/a'), put('k/b'), put('k/d')])
      const then = store.revision
      await store.write([put('k/c')])
      await store.write([remove('k/a', 1), put('k/b', 2, 'new')])
      assert.deepEqual(keys(store), ['k/b', 'k/c', 'k/d'])
      assert.deepEqual(keys(store, then), ['k/a', 'k/b', 'k/d'])
      assert.deepEqual(keys(store, then, 'k/a', 1), ['k/b'])
      assert.equal(store.range({ prefix: 'k/', revision: then })[1]?.value, 'k/b@2')
    })

    it('forgets the oldest changes and says so', async () => {
      for (let i = 0; i < 30; i += 1) await store.write([put(`k/${i}`)])
      assert.equal(store.compactedRevision, 10)
      assert.equal(store.changesAfter(10).length, 20)
      assert.throws(() => store.changesAfter(9), RevisionCompacted)
      assert.throws(() => store.range({ prefix: 'k/', revision: 9 }), RevisionCompacted)
    })

    it('tells those who follow it of a commit that is more than it keeps', async () => {
      let { revision } = store
      const told: string[] = []
      store.onChange(() => {
        told.push(...store.changesAfter(revision).map(({ key }) => key))
        revision = store.revision
      })
      const all = Array.from({ length: 30 }, (_, i) => `k/${i}`)
      await Promise.all(all.map((key) => store.write([put(key)])))
      await store.write([put('k/later')])
      assert.deepEqual(told, [...all, 'k/later'])
    })

    it('counts keys behind a key', async () => {
      await store.write([put('k/a'), put('k/b'), put('l/a')])
      assert.deepEqual([store.count('k/'), store.count('k/', 'k/a')], [2, 1])
    })

    it('shows at each revision what a plain map held then, for any sequence of writes', async () => {
      let round = 0
      const step = fc.record({ key: fc.constantFrom('a', 'b', 'a-b', 'c.d', 'aa'), remove: fc.boolean() })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
          round += 1
          const prefix = `r${round}/`
          const model = new Map<string, string>()
          const states: [number, string[]][] = []
          for (const { key: name, remove: isRemoval } of steps) {
            const key = prefix + name
            const current = store.latest(key)?.revision ?? 0
            if (isRemoval && current === 0) continue
            const [change] = await store.write([isRemoval ? remove(key, current) : put(key, current)])
            if (isRemoval) model.delete(key)
            else model.set(key, change?.value ?? '')
            states.push([store.revision, [...model].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)])
          }
          for (const [revision, values] of states) {
            assert.deepEqual(
              store.range({ prefix, revision }).map(({ value }) => value),
              values,
            )
          }
        }),
        { numRuns: runs(30) },
      )
    })
  })
}

describe('embedded: store on disk, opened again', () => {
  it('has all objects and goes on with the next revision', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-store-'))
    const file = join(folder, 'objects.mdb')
    const first = openStore(openDiskEngine(file, { create: true }))
    await first.write([put('k/a'), put('k/b')])
    await first.write([remove('k/b', 2)])
    await first.close()
    const second = openStore(openDiskEngine(file, {}))
    assert.deepEqual([keys(second), second.revision, second.compactedRevision], [['k/a'], 3, 3])
    const [change] = await second.write([put('k/c')])
    assert.equal(change?.revision, 4)
    await second.close()
    rmSync(folder, { recursive: true })
  })
})

describe('embedded: a store whose disk is full', () => {
  const full = new StoreUnwritable('no space', true, {})
  let commits: (() => void)[]
  let isFull: boolean
  let store: Store
  beforeEach(() => {
    const engine = openMemoryEngine()
    commits = []
    isFull = false
    store = openStore({
      ...engine,
      get revision() {
        return engine.revision
      },
      async commit(...call) {
        await new Promise<void>((resolve) => commits.push(resolve))
        if (isFull) throw full
        await engine.commit(...call)
      },
    })
  })

  const underWay = (): Promise<void> => until('a commit is under way', () => commits.length > 0)
  /** Lets the commit that is under way end. */
  const proceed = async (): Promise<void> => {
    await underWay()
    commits.shift()?.()
  }
  const written = async (write: Write): Promise<void> => {
    const done = store.write([write])
    await proceed()
    await done
  }

  it('refuses the write and all that waited behind it, as if they had not been asked for', async () => {
    await written(put('k/a'))
    isFull = true
    const first = store.write([put('k/b')])
    await underWay()
    const behind = [put('k/c'), put('k/a', 1, 'new')].map((write) => store.write([write]))
    const outcomes = Promise.allSettled([first, ...behind, store.flushed()])
    await proceed()
    assert.deepEqual(
      (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason),
      [full, full, full, full],
    )
    assert.deepEqual([keys(store), store.get('k/a')?.value, store.latest('k/b')], [['k/a'], 'k/a@1', undefined])
    assert.deepEqual([store.changesAfter(1), commits.length], [[], 0])
    await store.flushed()
  })

  it('goes on where it was when there is room again, and tells nobody of what was refused', async () => {
    await written(put('k/a'))
    isFull = true
    await assert.rejects(written(put('k/a', 1, 'lost')), full)
    isFull = false
    await written(put('k/a', 1, 'kept'))
    assert.deepEqual(
      store.changesAfter(0).map(({ revision, value }) => [revision, value]),
      [
        [1, 'k/a@1'],
        [2, 'kept@2'],
      ],
    )
  })

  it('keeps what was acknowledged, for any order of failures', async () => {
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean(), together: fc.nat({ max: 3 }) })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        round += 1
        const model = new Map<string, string>()
        for (const { name, fails, together } of steps) {
          const key = `k/${round}-${name}`
          isFull = fails
          const ask = async (): Promise<void> => {
            const [change] = await store.write([put(key, store.latest(key)?.revision ?? 0)])
            model.set(key, change?.value ?? '')
          }
          const first = ask()
          await underWay()
          // Behind it, in one group.
          const outcomes = Promise.allSettled([first, ...Array.from({ length: together }, ask)])
          await proceed()
          if (!fails && together > 0) await proceed()
          await outcomes
        }
        const held = store.range({ prefix: `k/${round}-` }).map(({ key, value }): [string, string] => [key, value])
        assert.deepEqual(new Map(held), model)
      }),
      { numRuns: runs(50) },
    )
  })
})
