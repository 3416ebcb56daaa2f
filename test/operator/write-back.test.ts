import assert from 'node:assert/strict'
import { isRenewal } from '../../operator/write-back.ts'

describe('a credential file that came back from an agent', () => {
  const stored = '{"claudeAiOauth":{"accessToken":"old"}}'
  const cases: [string, string, boolean][] = [
    ['with a new token is a renewal', '{"claudeAiOauth":{"accessToken":"new"}}', true],
    ['unchanged is none', stored, false],
    ['with other members is none', '{"claudeAiOauth":{"accessToken":"new"},"hooks":{}}', false],
    ['without its members is none', '{}', false],
    ['that is no JSON object is none', '["claudeAiOauth"]', false],
    ['cut half way is none', '{"claudeAiOauth":{"acc', false],
  ]
  for (const [title, text, expected] of cases) it(title, () => assert.equal(isRenewal(stored, text), expected))
})
