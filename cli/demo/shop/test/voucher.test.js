import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redeem } from '../src/voucher.js'

test('takes a voucher off the price', () => {
  assert.equal(redeem({ cents: 500, validUntil: '2030-01-01' }, 1200, '2026-11-27'), 700)
})
