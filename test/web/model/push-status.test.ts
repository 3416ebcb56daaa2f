import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { SERVICE_WORKER } from '../../../api-server/push/service-worker.ts'
import { notificationPath } from '../../../web/model/notification-link.ts'
import {
  type PushFacts,
  PUSH_WORDS,
  pushStatus,
  subscribeProblem,
  toBase64Url,
} from '../../../web/model/push-status.ts'

const WORKS: PushFacts = { isSecure: true, hasPush: true, permission: 'granted', subscription: 'current' }

describe('what notifications are in a browser', () => {
  for (const [change, status] of [
    [{}, 'on'],
    [{ subscription: 'none' }, 'off'],
    [{ subscription: 'stale' }, 'stale'],
    [{ permission: 'default' }, 'off'],
    [{ permission: 'denied' }, 'blocked'],
    [{ hasPush: false, permission: 'denied' }, 'unsupported'],
    [{ isSecure: false, hasPush: false }, 'insecure'],
  ] as const)
    it(`is ${status} with ${JSON.stringify(change)}, and says so`, () => {
      assert.equal(pushStatus({ ...WORKS, ...change }), status)
      assert.ok(PUSH_WORDS[status].length > 20)
    })

  it('names why a browser did not subscribe, and passes on words that it does not know', () => {
    assert.match(subscribeProblem({ name: 'AbortError', message: 'no' }), /could not reach its push service: no/)
    assert.match(subscribeProblem({ name: 'NotAllowedError', message: '' }), /does not allow/)
    assert.equal(subscribeProblem({ name: 'OddError', message: 'odd' }), 'odd')
  })

  it('writes keys as the server does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        assert.equal(toBase64Url(bytes), Buffer.from(bytes).toString('base64url'))
      }),
    )
  })
})

describe('a click on a notification', () => {
  const ORIGIN = 'https://slipway.example'

  it('leads to the address that the worker names, in this server alone', () => {
    const message = (url: string) => ({ type: 'notification-action', action: 'accept', url })
    assert.equal(notificationPath(message(`${ORIGIN}/tasks/a?action=accept`), ORIGIN), '/tasks/a?action=accept')
    assert.equal(notificationPath(message('https://evil.example/tasks/a'), ORIGIN), undefined)
    assert.equal(notificationPath(message('javascript:alert(1)'), ORIGIN), undefined)
    // The message has the name that the worker sends it under.
    assert.match(SERVICE_WORKER, /type: 'notification-action'/)
  })

  it('takes no other message for one, whatever it holds', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        assert.equal(notificationPath(data, ORIGIN), undefined)
      }),
    )
  })
})
