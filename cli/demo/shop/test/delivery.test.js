import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryFee } from '../src/delivery.js'

test('is free for who picks the order up', () => {
  assert.equal(deliveryFee({ cents: 1200, isPickedUp: true }), 0)
})
