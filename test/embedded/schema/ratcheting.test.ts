import assert from 'node:assert/strict'
import type { JsonObject } from '../../../embedded/schema/json.ts'
import { compileSchema } from '../../../embedded/schema/structural.ts'

const LOW = { type: 'string', pattern: '^[a-z]*$' }
const ITEM = { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: LOW } }

const RULED = { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: "self != 'OLD'" }] }

/** Stricter than the objects stored under it; what a kube-apiserver 1.34 then lets pass was tried on one. */
const schema = compileSchema({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['a'],
      properties: {
        a: LOW,
        b: { type: 'string' },
        l: { type: 'array', items: LOW },
        m: { type: 'array', items: ITEM, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
        o: { type: 'array', items: { type: 'object', properties: { p: RULED } } },
        r: { type: 'string', maxLength: 9, 'x-kubernetes-validations': [{ rule: "self != 'OLD'" }] },
      },
    },
    status: { type: 'object', properties: { p: { type: 'string' } } },
  },
})

const anObject = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'thing' },
  spec,
  ...more,
})

describe('an update under a schema that has become stricter', () => {
  for (const [title, before, after, fields] of [
    ['lets a bad value stay', { a: 'OLD', b: 'x' }, { a: 'OLD', b: 'y' }, []],
    ['refuses a new bad value', { a: 'OLD' }, { a: 'NEW' }, ['spec.a']],
    ['lets a list stay', { a: 'a', l: ['OLD'] }, { a: 'b', l: ['OLD'] }, []],
    ['validates a changed list anew', { a: 'a', l: ['OLD'] }, { a: 'a', l: ['OLD', 'more'] }, ['spec.l[0]']],
    [
      'knows the items of a map list by their keys',
      { a: 'a', m: [{ k: '1', v: 'OLD' }, { k: '2' }] },
      {
        a: 'a',
        m: [
          { k: '2', v: 'x' },
          { k: '1', v: 'OLD' },
        ],
      },
      [],
    ],
    ['asks for a field that is required now', { b: 'x' }, { b: 'y' }, ['spec.a', '<nil>']],
    ['lets a list stay whose items break a rule', { a: 'a', o: [{ p: 'OLD' }] }, { a: 'b', o: [{ p: 'OLD' }] }, []],
    [
      'evaluates the rules of a changed list anew, for nothing tells which item was which',
      { a: 'a', o: [{ p: 'OLD' }] },
      { a: 'a', o: [{ p: 'OLD' }, { p: 'x' }] },
      ['spec.o[0].p'],
    ],
    ['lets a value stay that breaks a rule', { a: 'a', r: 'OLD' }, { a: 'b', r: 'OLD' }, []],
  ] satisfies [string, JsonObject, JsonObject, string[]][]) {
    it(title, () => {
      const errors = schema.validate(anObject(after), anObject(before))
      assert.deepEqual(
        errors.map(({ field }) => field),
        fields,
      )
    })
  }

  it('of the status is not held up by the spec', () => {
    const spec = { a: 'OLD', l: ['OLD'] }
    assert.deepEqual(schema.validate(anObject(spec, { status: { p: 'x' } }), anObject(spec)), [])
  })
})
