import assert from 'node:assert/strict'
import { array, assert as check, constantFrom, property, record, string, subarray } from 'fast-check'
import { errorsOf, errorsOfMessage } from '../../../web/model/field-errors.ts'

describe('the errors of a form', () => {
  it('puts each part of a refusal to the field that it names, and keeps the rest', () => {
    const { byField, rest } = errorsOfMessage('name: must not be empty; agent.type: no agent fox; a later thing', [
      'name',
      'agent',
    ])
    assert.deepEqual(Object.fromEntries(byField), { name: 'must not be empty', agent: 'no agent fox; a later thing' })
    assert.equal(rest, '')
  })

  it('keeps what is about no field of the form whole', () => {
    assert.equal(errorsOfMessage('the server is stopping', ['name']).rest, 'the server is stopping')
    assert.equal(errorsOfMessage('other: is wrong', ['name']).rest, 'other: is wrong')
  })

  it('takes the narrowest field that the form has', () => {
    const { byField } = errorsOfMessage('prices.input_per_million: must be number', [
      'prices',
      'prices.input_per_million',
    ])
    assert.deepEqual([...byField.keys()], ['prices.input_per_million'])
  })

  it('names the item of a list that is one field', () => {
    const { byField } = errorsOfMessage('services[0].image: is required; services: too many', ['services'])
    assert.deepEqual([...byField], [['services', 'services[0].image: is required; too many']])
  })

  it('loses no message, whatever the fields are', () => {
    const problem = record({ field: constantFrom('', 'a', 'a.b', 'a[0].c', 'd'), message: string() })
    check(
      property(array(problem), subarray(['a', 'a.b', 'd']), (problems, fields) => {
        const { byField, rest } = errorsOf(problems, fields)
        const said = [...byField.values(), rest].join('\n')
        for (const { message } of problems) assert.ok(said.includes(message))
      }),
    )
  })
})
