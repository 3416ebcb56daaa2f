import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findPortFault, mayReceiveCredentials } from '../../lib/git-host.ts'
import { parseGitUrl } from '../../lib/git-url.ts'

const CASES = [
  ['https://git.example.com/x', 'git.example.com', true],
  ['https://git.example.com/x', 'GIT.example.com', true],
  ['https://git.example.com:443/x', 'git.example.com', true],
  ['https://git.example.com/x', 'git.example.com:443', true],
  ['https://git.example.com/x', 'https://git.example.com/', true],
  ['https://git.example.com:8443/x', 'git.example.com', false],
  ['https://git.example.com:8443/x', 'https://git.example.com', false],
  ['https://git.example.com:8443/x', 'git.example.com:8443', true],
  ['https://git.example.com:8443/x', 'https://git.example.com:8443', true],
  ['https://git.example.com/x', 'git.example.com:8443', false],
  ['https://git.example.com.evil.org/x', 'git.example.com', false],
  ['https://evil.org/git.example.com', 'git.example.com', false],
  ['https://git.example.com@evil.org/x', 'git.example.com', false],
  ['http://git.example.com/x', 'git.example.com', false],
  ['http://git.example.com/x', 'http://git.example.com', true],
  ['http://git.example.com:8080/x', 'http://git.example.com', false],
  ['http://git.example.com:8080/x', 'http://git.example.com:8080', true],
  ['https://git.example.com/x', 'http://git.example.com', false],
  ['http://localhost/x', 'localhost', true],
  ['http://localhost:3000/x', 'localhost', false],
  ['http://localhost:3000/x', 'localhost:3000', true],
  ['http://[::1]:3000/x', '[::1]:3000', true],
  ['http://[::1]:3000/x', '[::1]', false],
  ['git@git.example.com:x', 'git.example.com', true],
  ['ssh://git@git.example.com/x', 'git.example.com', true],
  ['ssh://git@git.example.com:22/x', 'git.example.com', true],
  ['ssh://git@git.example.com/x', 'ssh://git.example.com:22', true],
  ['ssh://git@git.example.com:2222/x', 'git.example.com', false],
  ['ssh://git@git.example.com:2222/x', 'git.example.com:2222', true],
  ['ssh://git@git.example.com:2222/x', 'ssh://git.example.com', false],
  ['/srv/x.git', 'git.example.com', false],
  ['/srv/x.git', undefined, false],
  ['https://git.example.com/x', undefined, false],
  ['https://git.example.com/x', '', false],
  ['https://git.example.com/x', 'https://', false],
  ['https://git.example.com/x', 'me@git.example.com', false],
] as const

describe('the credentials of a git Secret', () => {
  for (const [url, gitHost, expected] of CASES)
    it(`for ${gitHost} are ${expected ? '' : 'not '}sent to ${url}`, () =>
      assert.equal(mayReceiveCredentials(parseGitUrl(url), gitHost), expected))

  it('go to one port of one host, whatever the forms of the two', () => {
    const name = fc.constantFrom('git.example', 'other.example', 'localhost')
    const port = fc.option(fc.constantFrom('22', '80', '443', '8443'))
    const scheme = fc.constantFrom('https', 'http', 'ssh')
    const standard = { https: '443', http: '80', ssh: '22' }
    fc.assert(
      fc.property(name, port, scheme, name, port, (host, at, protocol, meant, own) => {
        const url = parseGitUrl(`${protocol}://${host}${at === null ? '' : `:${at}`}/x`)
        const may = mayReceiveCredentials(url, `${meant}${own === null ? '' : `:${own}`}`)
        const isSame = host === meant && (at ?? standard[protocol]) === (own ?? standard[protocol])
        assert.equal(may, isSame && (protocol !== 'http' || host === 'localhost'))
      }),
    )
  })

  it('for another port of the host are refused with the name to give it', () => {
    const fault = (url: string, gitHost: string) => findPortFault(parseGitUrl(url), gitHost)
    assert.equal(
      fault('https://git.example:8443/x', 'git.example'),
      'is for port 443 of git.example, and the repository is at port 8443: name it as git.example:8443',
    )
    assert.equal(fault('https://git.example/x', 'git.example'), undefined)
    assert.equal(fault('https://other.example:8443/x', 'git.example'), undefined)
  })
})
