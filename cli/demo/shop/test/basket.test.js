import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/basket.js'

test('adds the VAT', () => {
  assert.equal(total([{ cents: 1000, count: 2 }]), 2140)
})
