import assert from 'node:assert/strict'
import { secretsOfFile, secretsOfVariable } from '../../../core/agent/login-secrets.ts'

describe('the secrets of a login', () => {
  const VARIABLES = [
    ['sk-ant-12345678', ['sk-ant-12345678']],
    ['  with-a-line-end\n', ['with-a-line-end']],
    ['Bearer abcdefgh1', ['Bearer abcdefgh1', 'abcdefgh1']],
    ['https://gateway.example.com/v1', []],
    ['https://user:password@a.example', ['https://user:password@a.example', 'password']],
    ['short', []],
    ['', []],
  ] as const
  for (const [value, expected] of VARIABLES) {
    it(`in a variable ${JSON.stringify(value)} are ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(secretsOfVariable(value), expected)
    })
  }

  it('in a login of claude are its tokens, and not its scopes, kinds and times', () => {
    const oauth = {
      accessToken: 'sk-ant-oat01-aaaa',
      refreshToken: 'sk-ant-ort01-bbbb',
      expiresAt: 1,
      scopes: ['user:inference'],
    }
    const file = JSON.stringify({ claudeAiOauth: { ...oauth, subscriptionType: 'unlimited' } })
    assert.deepEqual(secretsOfFile(file), ['sk-ant-oat01-aaaa', 'sk-ant-ort01-bbbb'])
  })

  it('in a login of codex are its key and tokens, and not when they were made', () => {
    const tokens = {
      id_token: 'e'.repeat(30),
      access_token: 'a'.repeat(30),
      account_id: '0b6fd2a4-1c1e-4d61-9a39-1d1d6c1d2a11',
    }
    const file = JSON.stringify({ OPENAI_API_KEY: 'sk-12345', tokens, last_refresh: '2026-11-21T12:00:00.000000Z' })
    assert.deepEqual(secretsOfFile(file), ['sk-12345', ...Object.values(tokens)])
  })

  it('in a login of gemini are its tokens, and not what they are for', () => {
    const scope = 'https://www.googleapis.com/auth/cloud-platform openid'
    const file = JSON.stringify({ access_token: 'ya29.abcdefg', scope, token_type: 'BearerToken', expiry_date: 1 })
    assert.deepEqual(secretsOfFile(file), ['ya29.abcdefg'])
  })

  it('in a configuration are the values of names that say so, and not its addresses, programs and names of variables', () => {
    const lines = [
      'model = "gpt-x-2026-with-a-name"',
      '[p]',
      'base_url = "http://127.0.0.1:80/v1"',
      'env_key = "OPENAI_API_KEY"',
    ]
    assert.deepEqual(secretsOfFile(lines.slice(1).join('\n')), [])
    assert.deepEqual(secretsOfFile(`${lines[2]}\nexperimental_bearer_token = "abcdefgh"\nexport TOKEN='ijklmnop'\n`), [
      'abcdefgh',
      'ijklmnop',
    ])
  })

  for (const content of ['', '[]', '{', '\0', '{"a":{"b":[1,null,{"c":true}]}}']) {
    it(`in a file with ${JSON.stringify(content)} are none`, () => assert.deepEqual(secretsOfFile(content), []))
  }
})
