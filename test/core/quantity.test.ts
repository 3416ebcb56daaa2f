import assert from 'node:assert/strict'
import { parseQuantity } from '../../core/quantity.ts'

describe('an amount of a resource', () => {
  for (const [text, number] of [
    ['2', 2],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['250m', 0.25],
    ['1e3', 1000],
    ['2E', 2e18],
    ['1k', 1000],
    ['1Ki', 1024],
    ['1.5Gi', 1.5 * 2 ** 30],
  ] as const)
    it(`${text} is ${number}`, () => assert.equal(parseQuantity(text), number))

  for (const text of ['', 'Gi', '1Q', '1 Gi', '1Gib', 'constructor'])
    it(`${JSON.stringify(text)} is none`, () => assert.equal(parseQuantity(text), undefined))
})
