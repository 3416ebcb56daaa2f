import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findJson } from '../../core/answer/find-json.ts'

const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
/** What JSON gives back: of negative zeros and the like it keeps nothing. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('findJson', () => {
  it('finds an object that stands alone, in a fence, or in a sentence', () => {
    fc.assert(
      fc.property(object, fc.nat(2), (value, how) => {
        const json = JSON.stringify(value)
        const text = [json, `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nGood luck.`, `I propose ${json} as the answer.`][
          how
        ]
        assert.deepEqual(findJson(text ?? ''), asJson(value))
      }),
    )
  })

  it('takes the last of several fences', () => {
    assert.deepEqual(findJson('```json\n{"a": 1}\n```\nor rather\n```\n{"a": 2}\n```'), { a: 2 })
  })

  it('never throws, and finds nothing but objects', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = findJson(text)
        assert.ok(found === undefined || !Array.isArray(found))
      }),
    )
    assert.equal(findJson('[1, 2]'), undefined)
    assert.equal(findJson('no JSON { here'), undefined)
  })

  it('refuses what has more values than could be checked', () => {
    assert.equal(findJson(`{"a":[${'1,'.repeat(100_000)}1]}`), undefined)
  })

  it('tries the last hundred of fences without end', () => {
    const fence = (json: string): string => `\`\`\`\n${json}\n\`\`\`\n`
    const noise = '} no JSON {\n'
    assert.deepEqual(findJson(fence('{"a": 1}') + fence(noise).repeat(99)), { a: 1 })
    assert.equal(findJson(fence('{"a": 1}') + fence(noise).repeat(100)), undefined)
  })

  it('refuses what is nested without end', () => {
    assert.equal(findJson(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), undefined)
  })
})
