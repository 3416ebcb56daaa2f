import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { redactUrls } from '../../core/redact-urls.ts'
import { makeRedactor } from '../../runner/redact.ts'

describe('redaction', () => {
  const CASES = [
    ['https://user:pw@host/x', 'https://[redacted]@host/x'],
    [
      "fatal: unable to access 'https://ghp_token@host/x/': 403",
      "fatal: unable to access 'https://[redacted]@host/x/': 403",
    ],
    ['ssh://git@host/x git@host:x', 'ssh://git@host/x git@host:x'],
    ['ssh://git:pw@host/x', 'ssh://[redacted]@host/x'],
    ['https://host/x?access_token=abc&y=1', 'https://host/x?access_token=[redacted]&y=1'],
    ['https://host/a@b', 'https://host/a@b'],
    ['mail me@example.com', 'mail me@example.com'],
    ['https://a@b@host/x', 'https://[redacted]@host/x'],
    ['REMOTE_https://u:pw@host/x', 'REMOTE_https://[redacted]@host/x'],
  ] as const
  for (const [text, expected] of CASES) {
    it(`turns ${text} into ${expected}`, () => assert.equal(redactUrls(text), expected))
  }

  const secret = fc.string({ minLength: 4, unit: 'binary' }).filter((text) => !'[redacted]'.includes(text))

  it('leaves no literal secret in any text, plain, percent-encoded or as Basic authentication', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const spellings = [value, encodeURIComponent(value), Buffer.from(`robot:${value}`).toString('base64')]
        const redact = makeRedactor([value, `robot:${value}`])
        return spellings.every((text) => !redact(`${before} ${text} ${after}`).includes(text))
      }),
    )
  })

  it('leaves no password of an http URL in any text', () => {
    const password = fc.stringMatching(/^[A-Za-z0-9%._~!$&()*+,;=:-]{8,30}$/)
    fc.assert(
      fc.property(password, fc.string(), (value, before) => {
        fc.pre(!before.includes(value))
        return !redactUrls(`${before} https://u:${value}@host/path`).includes(value)
      }),
    )
  })

  for (const [words, text] of [
    ['a word without end', 'a.'.repeat(2_000_000)],
    ['schemes without end', 'a.'.repeat(1_000_000).concat('://', 'b'.repeat(1_000_000))],
    ['user names without end', 'x://y:z'.repeat(500_000)],
  ] as const) {
    // A search that began at every letter would take hours here.
    it(`reads ${words} in one pass`, () => assert.equal(redactUrls(text), text)).timeout(60_000)
  }

  it('changes nothing when applied twice', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = redactUrls(text)
        return redactUrls(once) === once
      }),
    )
  })
})
