import assert from 'node:assert/strict'
import { withOpenPanel } from '../../../web/model/notification-link.ts'

describe('a notification of the page that is open', () => {
  const here = { pathname: '/tasks/x', search: '?open=story:s&openTab=diff' }

  it('leaves the panel open', () => {
    const path = withOpenPanel('/tasks/x?action=accept', here)
    assert.deepEqual(Object.fromEntries(new URLSearchParams(path.split('?')[1])), {
      action: 'accept',
      open: 'story:s',
      openTab: 'diff',
    })
  })

  it('of another page is followed as it is', () => {
    assert.equal(withOpenPanel('/tasks/y?action=accept', here), '/tasks/y?action=accept')
    assert.equal(withOpenPanel('/tasks/x', { ...here, search: '' }), '/tasks/x')
  })
})
