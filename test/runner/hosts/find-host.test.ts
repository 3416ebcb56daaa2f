import assert from 'node:assert/strict'
import { repositoryPath } from '../../../lib/git-url.ts'
import { findHost } from '../../../runner/hosts/find-host.ts'

describe('the host of a repository', () => {
  const known = [
    ['https://github.com/acme/tool.git', 'https://api.github.com', 'acme/tool'],
    ['git@github.com:acme/tool.git', 'https://api.github.com', 'acme/tool'],
    ['ssh://git@gitlab.com/group/sub/tool', 'https://gitlab.com/api/v4', 'group/sub/tool'],
    ['https://user@codeberg.org/acme/tool/', 'https://codeberg.org/api/v1', 'acme/tool'],
  ] as const
  for (const [url, apiUrl, path] of known) {
    it(`of ${url} is derived`, () => {
      const host = findHost(url)
      assert.deepEqual([host.apiUrl, host.path], [apiUrl, path])
    })
  }

  it("has its API on the repository's own host where the project names only its type", () => {
    assert.equal(
      findHost('https://git.example.com:8443/a/b.git', { type: 'GitHub' }).apiUrl,
      'https://git.example.com:8443/api/v3',
    )
    assert.equal(
      findHost('http://git.example.com:3000/a/b.git', { type: 'Gitea' }).apiUrl,
      'http://git.example.com:3000/api/v1',
    )
    assert.equal(findHost('git@git.example.com:a/b.git', { type: 'GitLab' }).apiUrl, 'https://git.example.com/api/v4')
  })

  it('must be named for others', () => {
    for (const url of ['https://git.example.com/a/b', '/srv/git/a.git', 'https://github.com.evil.example/a/b'])
      assert.throws(() => findHost(url), /set host\.type of the project/)
  })

  it('has paths without what surrounds and escapes them', () => {
    assert.deepEqual(['https://h/a%20b/c.git/', 'h.x:/srv/x.git', 'user@h:~/x'].map(repositoryPath), [
      'a b/c',
      'srv/x',
      '~/x',
    ])
  })
})
