import assert from 'node:assert/strict'
import { type StructuralSchema, compileSchema, SchemaError } from '../../../embedded/schema/structural.ts'

/** Each is true on kube-apiserver 1.34.4 as well; rules of the program use them, or may as they are CEL's own. */
const TRUE = [
  "matches('aab','^a+b$')",
  "'a.b'.split('.') == ['a','b']",
  "'hello'.indexOf('l') == 2",
  "' x '.trim() == 'x'",
  "size('\u00e4\u00f6') == 2",
  "'abc'.substring(1,2) == 'b'",
  "timestamp('2020-01-01T00:00:00Z') < timestamp('2021-01-01T00:00:00Z')",
  "{'a':1}.all(k, k == 'a')",
  '[1,2].exists_one(x, x == 1)',
  '[1,2].map(x, x*2) == [2,4]',
  '[1,2,3].filter(x, x > 1).size() == 2',
  "'a' in {'a':1}",
  "int('5') == 5",
  '1 in [1,2]',
  '!(1 in [])',
  '5 / 2 == 2',
  '-5 % 3 == -2',
  "b'abc' == bytes('abc')",
]

/** A kube-apiserver knows these; we say no when the schema is compiled, never at a write. */
const REFUSED = [
  "'%d'.format([1]) == '1'",
  'sets.contains([1, 2], [1])',
  "ip('1.2.3.4').family() == 4",
  "isQuantity('1.5Gi')",
  '[1, 2].isSorted()',
  '[1, 2].all(i, v, i < v)',
]

function compile(rule: string): StructuralSchema {
  const spec = { type: 'object', properties: { text: { type: 'string' } }, 'x-kubernetes-validations': [{ rule }] }
  return compileSchema({ type: 'object', properties: { spec } })
}

const anObject = (spec: { [key: string]: string }) => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
})

describe('the functions of validation rules', () => {
  for (const rule of TRUE) {
    it(rule, () => assert.deepEqual(compile(rule).validate(anObject({})), []))
  }

  for (const rule of REFUSED) {
    it(`refuses ${rule} when the schema is compiled`, () => assert.throws(() => compile(rule), SchemaError))
  }

  it('takes linear time for a pattern that would backtrack for ever', () => {
    const schema = compile("self.text.matches('^(a+)+$')")
    assert.equal(schema.validate(anObject({ text: `${'a'.repeat(50_000)}!` })).length, 1)
  })

  it('leaves a string that looks like a call to matches as it is', () => {
    assert.deepEqual(compile("self.text == '.matches('").validate(anObject({ text: '.matches(' })), [])
  })

  it('says that a pattern made by a rule is none', () => {
    const [error] = compile('"x".matches(self.text)').validate(anObject({ text: '(' }))
    assert.match(error?.message ?? '', /evaluating rule/)
  })
})
