import assert from 'node:assert/strict'
import { withoutTyped } from '../../core/typed-commands.ts'

describe('a reason for waiting, on a page', () => {
  for (const [text, shown] of [
    ['waits for task a (FAILED); start it: slipway restart a', 'waits for task a (FAILED)'],
    [
      'waits for task a (FAILED); start it: slipway restart a.b (and 2 more); no more',
      'waits for task a (FAILED); no more',
    ],
    [
      'agent claude is drained: 3 failures; slipway undrain claude lets it work again',
      'agent claude is drained: 3 failures',
    ],
    ['no agent is available. Agent a: b. 2 more: slipway agents', 'no agent is available. Agent a: b. 2 more'],
    ['no agent is available: name one; slipway agents says what each one lacks', 'no agent is available: name one'],
    ['waits for a slot of agent claude', 'waits for a slot of agent claude'],
  ] as const)
    it(`says “${shown}” of “${text}”`, () => {
      assert.equal(withoutTyped(text), shown)
    })
})
