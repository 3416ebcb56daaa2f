import assert from 'node:assert/strict'
import { type Access, createAccess } from '../../api-server/auth/access.ts'
import { type Authorization, createAuthorization } from '../../api-server/auth/authorization.ts'
import { createSessions } from '../../api-server/auth/sessions.ts'
import { createTokens } from '../../api-server/auth/tokens.ts'
import { makeLogger } from '../../lib/log.ts'
import { manualClock } from './clock.ts'

/** The access rules of a server on loopback without a token. */
export function openAccess(): Access {
  const clock = manualClock()
  const tokens = createTokens({ clock, logger: makeLogger('silent') })
  return createAccess({ tokens, sessions: createSessions({ tokens, clock, isSecure: false }), host: '127.0.0.1' })
}

/** Lets everybody do everything that their scopes allow; asks nobody else. */
export function scopesOnly(): Authorization {
  const client = { create: () => assert.fail('nobody has rights of Kubernetes here') }
  return createAuthorization({ client, namespace: 'default', clock: manualClock() })
}
