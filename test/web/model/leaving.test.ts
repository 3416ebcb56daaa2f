import assert from 'node:assert/strict'
import { isGone } from '../../../web/model/leaving.ts'

const FROM = { pathname: '/stories/a', search: { open: 'task:b' } }

const CASES = [
  { step: 'to another page', to: { pathname: '/epics', search: {} }, isLost: [true, true] },
  { step: 'to another page beside the same panel', to: { ...FROM, pathname: '/epics' }, isLost: [true, false] },
  { step: 'that closes the panel', to: { ...FROM, search: {} }, isLost: [false, true] },
  { step: 'to another tab', to: { ...FROM, search: { open: 'task:b', tab: 'yaml' } }, isLost: [false, false] },
  { step: 'to another filter', to: { ...FROM, search: { open: 'task:b', q: 'shop' } }, isLost: [false, false] },
]

describe('a step away from what is typed', () => {
  for (const { step, to, isLost } of CASES)
    it(`${step} ${isLost[0] ? 'loses' : 'keeps'} what is typed in the view, and ${isLost[1] ? 'loses' : 'keeps'} that in the panel`, () => {
      assert.deepEqual([isGone('view', FROM, to), isGone('panel', FROM, to)], isLost)
    })
})
