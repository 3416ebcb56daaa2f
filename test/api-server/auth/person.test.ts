import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { NoPerson, toPerson } from '../../../api-server/auth/person.ts'
import { findReturnUrl } from '../../../api-server/auth/return-path.ts'
import { createSeal } from '../../../api-server/auth/seal.ts'

const settings = { issuer: 'https://login.example', clientId: 'slipway' }

describe('the person that an id token names', () => {
  it('has the name that kube-apiserver would give', () => {
    const email = { email: 'lea@x.example', email_verified: true }
    const names = [
      toPerson({ sub: 'lea' }, settings),
      toPerson({ sub: 'lea' }, { ...settings, usernamePrefix: '-' }),
      toPerson(email, { ...settings, usernameClaim: 'email' }),
      toPerson({ upn: 'lea' }, { ...settings, usernameClaim: 'upn', usernamePrefix: 'corp:' }),
    ]
    assert.deepEqual(
      names.map(({ username }) => username),
      ['https://login.example#lea', 'lea', 'lea@x.example', 'corp:lea'],
    )
  })

  const refused: Record<string, [claims: Record<string, unknown>, more: object]> = {
    'an e-mail address that is not verified': [
      { email: 'a@b.example', email_verified: false },
      { usernameClaim: 'email' },
    ],
    'an e-mail address that nobody says is verified': [{ email: 'a@b.example' }, { usernameClaim: 'email' }],
    'an e-mail address verified in words': [
      { email: 'a@b.example', email_verified: 'true' },
      { usernameClaim: 'email' },
    ],
    'no name': [{}, {}],
    'a name that is no text': [{ sub: ['lea'] }, {}],
    'a name of Kubernetes’ own': [{ sub: 'system:admin' }, { usernamePrefix: '-' }],
  }
  for (const [what, [claims, more]] of Object.entries(refused)) {
    it(`is nobody with ${what}`, () => assert.throws(() => toPerson(claims, { ...settings, ...more }), NoPerson))
  }

  it('is in groups of the claim alone, none of Kubernetes’ own', () => {
    const claims = { sub: 'lea', groups: ['a', 7, 'system:masters', ''], roles: ['b'] }
    assert.deepEqual(toPerson(claims, settings).groups, [])
    assert.deepEqual(toPerson(claims, { ...settings, groupsClaim: 'groups' }).groups, ['a'])
    const one = toPerson(
      { sub: 'lea', groups: 'masters' },
      { ...settings, groupsClaim: 'groups', groupsPrefix: 'system:' },
    )
    assert.deepEqual(one.groups, [])
  })
})

describe('a sealed text', () => {
  const { seal, open } = createSeal(randomBytes(32), randomBytes)

  it('opens for its purpose and key alone, and not with a changed character', () => {
    const text = seal('session', { user: 'lea' })
    assert.deepEqual(open('session', text), { user: 'lea' })
    assert.equal(open('sign-in', text), undefined)
    assert.equal(createSeal(randomBytes(32), randomBytes).open('session', text), undefined)
    const bytes = Buffer.from(text, 'base64url')
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        assert.equal(open('session', changed.toString('base64url')), undefined)
      }),
    )
    fc.assert(fc.property(fc.string(), (other) => open('session', other) === undefined))
  })
})

describe('the page that a sign-in comes back to', () => {
  const origin = 'https://slipway.example'

  it('is one of this server, however the path is written', () => {
    const unit = fc.constantFrom('/', '\\', '.', '\t', '\n', '@', ':', 'evil.example', '%2f', '?', '#', 'https:')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (parts) => {
        const url = findReturnUrl(parts.join(''), origin)
        assert.ok(url === undefined || (url.href.startsWith(`${origin}/`) && !url.pathname.startsWith('//')))
      }),
    )
    assert.equal(findReturnUrl('/.//evil.example', origin), undefined)
    assert.equal(findReturnUrl('/tasks/a?x=1#y', origin)?.href, `${origin}/tasks/a?x=1#y`)
  })
})
