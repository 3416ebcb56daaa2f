import assert from 'node:assert/strict'
import { findSpentEnvironments } from '../../../core/environment/room.ts'
import type { PreparedEnvironment } from '../../../core/crd/types.ts'

const now = new Date('2026-03-15T10:00:00Z')
const DAY_MS = 86_400_000

function stored(execution: string, usedAt: string, bytes: number, state: PreparedEnvironment['state'] = 'Ready') {
  return { entry: { execution, state, recipe: '', usedAt }, folder: `environments/uid/${execution}`, bytes }
}

describe('the room of prepared environments', () => {
  const all = [
    stored('e3', '2026-03-15T09:00:00Z', 30),
    stored('e2', '2026-03-14T09:00:00Z', 30),
    stored('e1', '2026-03-01T09:00:00Z', 30),
  ]
  const spent = (environmentBytes: number, { from = all, inUse = '', days = 365 } = {}) =>
    findSpentEnvironments(
      from,
      ({ entry }) => entry.execution === inUse,
      { environmentBytes, environmentMs: days * DAY_MS },
      now,
    ).map(({ entry }) => entry.execution)

  it('is made by those that were used least lately, and no more of them than needed', () => {
    assert.deepEqual(spent(90), [])
    assert.deepEqual(spent(89), ['e1'])
    assert.deepEqual(spent(30), ['e1', 'e2'])
  })

  it('is not made by one that is in use or being prepared', () => {
    assert.deepEqual(spent(30, { inUse: 'e1' }), ['e2', 'e3'])
    assert.deepEqual(spent(0, { from: [stored('e1', '2026-03-01T09:00:00Z', 30, 'Building')] }), [])
  })

  it('is made by what nobody has used for long, whatever it takes', () => {
    assert.deepEqual(spent(Infinity, { days: 14 }), ['e1'])
    const failed = stored('e0', '2026-02-01T09:00:00Z', 0, 'Failed')
    assert.deepEqual(spent(Infinity, { from: [failed], days: 14 }), ['e0'])
    assert.deepEqual(spent(0, { from: [failed] }), [])
  })
})
