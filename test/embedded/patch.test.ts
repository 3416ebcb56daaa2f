import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Kind } from '../../embedded/kind.ts'
import { patchFunction } from '../../embedded/patch/patch.ts'
import { jsonPatch, PatchFailed, PatchMalformed, PatchTooLarge } from '../../embedded/patch/json-patch.ts'
import { mergePatch } from '../../embedded/patch/merge.ts'
import { strategicMergePatch } from '../../embedded/patch/strategic.ts'
import { type JsonValue, jsonEquals } from '../../embedded/schema/json.ts'

const anyJson = fc.jsonValue({ maxDepth: 3 }).map((value): JsonValue => JSON.parse(JSON.stringify(value)))
const hasNull = (value: JsonValue): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(hasNull))

describe('embedded: JSON merge patch', () => {
  // RFC 7396, appendix A, a selection.
  const cases: [JsonValue, JsonValue, JsonValue][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]
  for (const [target, patch, expected] of cases) {
    it(`makes ${JSON.stringify(expected)} of ${JSON.stringify(target)} with ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(mergePatch(target, patch), expected)
    })
  }

  it('changes nothing the second time, and never its inputs', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (target, patch) => {
        const [before, patchBefore] = [JSON.stringify(target), JSON.stringify(patch)]
        const once = mergePatch(target, patch)
        assert.ok(jsonEquals(mergePatch(once, patch), once))
        assert.deepEqual([JSON.stringify(target), JSON.stringify(patch)], [before, patchBefore])
      }),
    )
  })

  it('without nulls in the patch, all that the patch says is in the result', () => {
    const flat = fc.dictionary(
      fc.string(),
      anyJson.filter((value) => !hasNull(value)),
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(flat, flat, (target, patch) => {
        const merged = mergePatch(target, patch)
        for (const key of Object.keys(patch)) assert.ok(Object.hasOwn(Object(merged), key))
      }),
    )
  })
})

describe('embedded: JSON patch', () => {
  // RFC 6902, appendix A.
  const cases: [string, JsonValue, JsonValue, JsonValue][] = [
    ['adds a member', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
    ['inserts into an array', [1, 3], [{ op: 'add', path: '/1', value: 2 }], [1, 2, 3]],
    ['appends with -', [1], [{ op: 'add', path: '/-', value: 2 }], [1, 2]],
    ['removes from an array', ['a', 'b'], [{ op: 'remove', path: '/0' }], ['b']],
    ['replaces the whole', { a: 1 }, [{ op: 'replace', path: '', value: 2 }], 2],
    ['moves', { a: { b: 1 }, c: {} }, [{ op: 'move', from: '/a/b', path: '/c/d' }], { a: {}, c: { d: 1 } }],
    ['copies', { a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
    [
      'reads escapes',
      { 'a/b': 1, 'm~n': 2 },
      [
        { op: 'remove', path: '/a~1b' },
        { op: 'remove', path: '/m~0n' },
      ],
      {},
    ],
    ['tests numbers by value', { a: 1 }, [{ op: 'test', path: '/a', value: 1.0 }], { a: 1 }],
  ]
  for (const [what, target, patch, expected] of cases) {
    it(what, () => assert.deepEqual(jsonPatch(target, patch), expected))
  }

  const failing: JsonValue[] = [
    { op: 'remove', path: '/none' },
    { op: 'replace', path: '/none', value: 1 },
    { op: 'add', path: '/none/deeper', value: 1 },
    { op: 'add', path: '/list/5', value: 1 },
    { op: 'add', path: '/list/01', value: 1 },
    { op: 'test', path: '/list', value: [2] },
    { op: 'move', from: '/list', path: '/list/0' },
    { op: 'remove', path: '/toString' },
  ]
  for (const operation of failing) {
    it(`does not apply ${JSON.stringify(operation)}`, () => {
      assert.throws(() => jsonPatch({ list: [1] }, [operation]), PatchFailed)
    })
  }

  for (const patch of [
    {},
    [1],
    [{ op: 'add', path: 'a', value: 1 }],
    [{ op: 'jump', path: '/a' }],
    [{ op: 'add', path: '/a' }],
  ]) {
    it(`takes ${JSON.stringify(patch)} for no JSON patch`, () => {
      assert.throws(() => jsonPatch({}, patch), PatchMalformed)
    })
  }

  it('undoes an addition by a removal, for any key and value', () => {
    const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
    const objects = fc.dictionary(fc.string(), anyJson, { noNullPrototype: true })
    fc.assert(
      fc.property(objects, fc.string(), anyJson, (target, key, value) => {
        fc.pre(!Object.hasOwn(target, key))
        const path = `/${escape(key)}`
        const added = jsonPatch(target, [{ op: 'add', path, value }])
        assert.ok(
          jsonEquals(
            jsonPatch(added, [
              { op: 'test', path, value },
              { op: 'remove', path },
            ]),
            target,
          ),
        )
      }),
    )
  })
})

describe('embedded: strategic merge patch', () => {
  const pod = {
    spec: {
      containers: [
        { name: 'a', image: '1', env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: '1' },
      ],
    },
  }

  it('merges list items by their key and keeps the others', () => {
    const patch = {
      spec: {
        containers: [
          { name: 'a', env: [{ name: 'Y', value: '2' }] },
          { name: 'c', image: '3' },
        ],
      },
    }
    assert.deepEqual(strategicMergePatch(pod, patch), {
      spec: {
        containers: [
          {
            name: 'a',
            image: '1',
            env: [
              { name: 'X', value: '1' },
              { name: 'Y', value: '2' },
            ],
          },
          { name: 'b', image: '1' },
          { name: 'c', image: '3' },
        ],
      },
    })
  })

  it('removes an item with $patch: delete, and replaces lists without a key', () => {
    const patch = {
      spec: {
        containers: [
          { name: 'b', $patch: 'delete' },
          { name: 'a', command: ['x'] },
        ],
      },
    }
    const merged = strategicMergePatch(
      { spec: { containers: [{ name: 'a', command: ['y', 'z'] }, { name: 'b' }] } },
      patch,
    )
    assert.deepEqual(merged, { spec: { containers: [{ name: 'a', command: ['x'] }] } })
  })

  it('obeys $retainKeys and $deleteFromPrimitiveList, and leaves no directive behind', () => {
    const target = { metadata: { finalizers: ['a', 'b'] }, strategy: { type: 'x', old: 1 } }
    const patch = {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], '$setElementOrder/finalizers': ['b'] },
      strategy: { $retainKeys: ['type'], type: 'y' },
    }
    assert.deepEqual(strategicMergePatch(target, patch), { metadata: { finalizers: ['b'] }, strategy: { type: 'y' } })
  })
})

describe('embedded: copies of a JSON patch', () => {
  const double = { op: 'copy', from: '/list', path: '/list/-' }

  it('are refused when each copies the one before', () => {
    assert.throws(
      () =>
        jsonPatch(
          { list: [1] },
          Array.from({ length: 24 }, () => double),
        ),
      PatchTooLarge,
    )
  })

  it('are made as long as they are small', () => {
    assert.deepEqual(jsonPatch({ list: [1] }, [double, double]), { list: [1, [1], [1, [1]]] })
  })
})

describe('embedded: a JSON patch that nests', () => {
  it('deeper than a body may be is refused', () => {
    const wrap = [
      { op: 'add', path: '/outer', value: {} },
      { op: 'move', from: '/spec', path: '/outer/inner' },
      { op: 'move', from: '/outer', path: '/spec' },
    ]
    const apply = patchFunction({ custom: true } as Kind, 'application/json-patch+json')
    const deep = (times: number): JsonValue => Array.from({ length: times }, () => wrap).flat()
    assert.throws(() => apply({ spec: {} }, deep(1000)), /exceeded max depth/)
    assert.doesNotThrow(() => apply({ spec: {} }, deep(20)))
  })
})
