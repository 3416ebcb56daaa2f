import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createChangeLog } from '../../../api-server/cache/change-log.ts'
import type { ChangeHandler } from '../../../kube/informer.ts'
import type { KubeObject } from '../../../kube/types.ts'

interface Thing extends KubeObject {
  readonly spec: Readonly<Record<string, number>>
}

const thing = (version: number, spec: Record<string, number> = {}, uid = 'u'): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: uid, uid, resourceVersion: String(version) },
  spec,
})

/** A change log, and a way to let things happen. */
function openLog() {
  let handler: ChangeHandler<Thing> = () => undefined
  const log = createChangeLog<Thing>({ onChange: (given) => (handler = given) }, ({ spec }) => spec)
  const update = (previous: Thing, object: Thing): void => handler({ type: 'update', previous, object })
  return { log, update, tell: (change: Parameters<typeof handler>[0]) => handler(change) }
}

describe('the change log of a kind', () => {
  it('names the fields that were added, changed and removed over several versions', () => {
    const { log, update } = openLog()
    const [one, two, three] = [thing(1, { a: 1, b: 1, c: 1 }), thing(2, { a: 2, b: 1 }), thing(3, { a: 2, b: 1, d: 1 })]
    update(one, two)
    update(two, three)
    assert.deepEqual(log.fieldsSince(three, '1'), ['a', 'c', 'd'])
    assert.deepEqual(log.fieldsSince(three, '2'), ['d'])
  })

  it('names none where nothing changed that its callers know', () => {
    const { log, update } = openLog()
    update(thing(1), thing(2))
    assert.deepEqual(log.fieldsSince(thing(2), '1'), [])
  })

  it('tells a step that only marks the spec of the status from one that callers do not know of', () => {
    const { log, update } = openLog()
    const marked = (version: number, generation: number, more: object = {}): Thing => {
      const conditions = [{ type: 'Ready', status: 'True', observedGeneration: generation }]
      return Object.assign(thing(version), { status: { observedGeneration: generation, conditions, ...more } })
    }
    update(marked(1, 1), marked(2, 2))
    assert.equal(log.isUnchangedSince(marked(2, 2), '1'), true)
    update(marked(2, 2), marked(3, 2, { evaluation: {} }))
    assert.deepEqual(log.fieldsSince(marked(3, 2), '1'), [])
    assert.equal(log.isUnchangedSince(marked(3, 2), '1'), false)
    assert.equal(log.isUnchangedSince(marked(3, 2), '0'), false)
  })

  it('does not know what it never heard of, nor what was deleted or is newer than its latest step', () => {
    const { log, update, tell } = openLog()
    update(thing(1), thing(2))
    assert.equal(log.fieldsSince(thing(2), '0'), undefined)
    assert.equal(log.fieldsSince(thing(3), '1'), undefined)
    assert.equal(log.fieldsSince(thing(2, {}, 'other'), '1'), undefined)
    tell({ type: 'delete', previous: thing(2) })
    assert.equal(log.fieldsSince(thing(2), '1'), undefined)
  })

  it('forgets the objects that changed longest ago, and the oldest steps of each', () => {
    const { log, update } = openLog()
    for (let n = 0; n < 1001; n++) update(thing(1, {}, `t${n}`), thing(2, {}, `t${n}`))
    assert.equal(log.fieldsSince(thing(2, {}, 't0'), '1'), undefined)
    assert.deepEqual(log.fieldsSince(thing(2, {}, 't1'), '1'), [])
    for (let version = 1; version <= 21; version++) update(thing(version), thing(version + 1))
    assert.equal(log.fieldsSince(thing(22), '1'), undefined)
    assert.deepEqual(log.fieldsSince(thing(22), '2'), [])
  })

  it('names at least every field that differs, whatever happened in between', () => {
    const specs = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(2)), { minLength: 2, maxLength: 15 })
    fc.assert(
      fc.property(specs, fc.nat(), (versions, from) => {
        const { log, update } = openLog()
        const things = versions.map((spec, i) => thing(i, spec))
        for (const [i, next] of things.slice(1).entries()) update(things[i] ?? next, next)
        const start = from % (things.length - 1)
        const [first, last] = [things[start], things.at(-1)]
        assert.ok(first && last)
        const named = log.fieldsSince(last, String(start)) ?? []
        for (const name of ['a', 'b', 'c']) if (first.spec[name] !== last.spec[name]) assert.ok(named.includes(name))
      }),
    )
  })
})
