import assert from 'node:assert/strict'
import { compileSchema, SchemaError } from '../../../embedded/schema/structural.ts'
import type { StructuralSchema } from '../../../embedded/schema/structural.ts'

/** Each is true on kube-apiserver 1.34.4 as well. */
const TRUE = [
  "'abc'.charAt(1) == 'b'",
  "'aXbX'.replace('X','y') == 'ayby'",
  "'aXbX'.replace('X','y',1) == 'aybX'",
  '[1,2,3].isSorted()',
  '![3,1].isSorted()',
  '[1,2].sum() == 3',
  '[1.5,2.0].sum() == 3.5',
  '[1,5,2].max() == 5',
  '[1,2,1].indexOf(1) == 0',
  '[1,2,1].lastIndexOf(1) == 2',
  "isURL('https://a.b:80/c?d=e')",
  "!isURL('nope')",
  "isURL('/abs')",
  "url('https://a.b:80/c%20d?d=e').getHost() == 'a.b:80'",
  "url('https://a.b:80/c').getHostname() == 'a.b'",
  "url('https://a.b/c%20d').getEscapedPath() == '/c%20d'",
  "url('https://a.b/?x=1&x=2').getQuery() == {'x':['1','2']}",
  "url('https://a.b/').getScheme() == 'https'",
  "url('/p').getScheme() == ''",
  "isQuantity('1.5Gi')",
  "!isQuantity('abc')",
  "!isQuantity('1.5 Gi')",
  "quantity('1000m').compareTo(quantity('1')) == 0",
  "quantity('1Gi').isGreaterThan(quantity('1G'))",
  "quantity('2').add(quantity('500m')).isLessThan(quantity('3'))",
  "quantity('50k').asInteger() == 50000",
  "!quantity('50m').isInteger()",
  "sign(quantity('-1')) == -1",
  "quantity('2e3') == quantity('2k')",
  "matches('aab','^a+b$')",
  "'a.b'.split('.') == ['a','b']",
  "'ABC'.lowerAscii() == 'abc'",
  "'hello'.indexOf('l') == 2",
  "' x '.trim() == 'x'",
  "size('\u00e4\u00f6') == 2",
  "'abc'.substring(1,2) == 'b'",
  "timestamp('2020-01-01T00:00:00Z') < timestamp('2021-01-01T00:00:00Z')",
  "duration('1h') > duration('30m')",
  "{'a':1}.all(k, k == 'a')",
  '[1,2].exists_one(x, x == 1)',
  '[1,2].map(x, x*2) == [2,4]',
  '[1,2,3].filter(x, x > 1).size() == 2',
  "'a' in {'a':1}",
  'type(1) == int',
  'dyn(1) == 1',
  "int('5') == 5",
  "string(5) == '5'",
  '1 in [1,2]',
  '!(1 in [])',
  '1.0 == double(1)',
  '5 / 2 == 2',
  '-5 % 3 == -2',
  "b'abc' == bytes('abc')",
  'optional.of(1).hasValue()',
  'optional.none().orValue(3) == 3',
]

/** A kube-apiserver knows these; we say no when the schema is compiled, never at a write. */
const REFUSED = [
  "'%d'.format([1]) == '1'",
  'sets.contains([1, 2], [1])',
  "'abc'.find('b') == 'b'",
  "ip('1.2.3.4').family() == 4",
  '[1, 2].all(i, v, i < v)',
  'optional.of(1).optMap(x, x + 1).hasValue()',
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

  it('says which function failed at a write, and does not throw', () => {
    const [error] = compile('quantity(self.text).isInteger()').validate(anObject({ text: 'none' }))
    assert.match(
      error?.message ?? '',
      /quantities must match .* evaluating rule: quantity\(self\.text\)\.isInteger\(\)$/,
    )
  })

  it('says that a pattern made by a rule is none', () => {
    const [error] = compile('"x".matches(self.text)').validate(anObject({ text: '(' }))
    assert.match(error?.message ?? '', /evaluating rule/)
  })
})
