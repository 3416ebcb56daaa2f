import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { canonicalRepository, isSameRepository } from '../../lib/git-url.ts'

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)

describe('the canonical form of a repository URL', () => {
  it('is one for all forms of the same repository', () => {
    fc.assert(
      fc.property(label, label, label, (host, owner, name) => {
        const forms = [
          `https://${host}.example/${owner}/${name}`,
          `https://user:secret@${host}.example/${owner}/${name}.git/`,
          `http://${host}.EXAMPLE:8080/${owner}/${name}.git`,
          `ssh://git@${host}.example:2222/${owner}/${name}.git`,
          `git@${host}.example:${owner}/${name}.git`,
        ]
        assert.deepEqual(new Set(forms.map(canonicalRepository)), new Set([`${host}.example/${owner}/${name}`]))
      }),
    )
  })

  it('is another for another host, owner or name', () => {
    const forms = ['https://a.example/x/y', 'https://b.example/x/y', 'https://a.example/z/y', 'https://a.example/x/z']
    assert.equal(new Set(forms.map(canonicalRepository)).size, forms.length)
  })

  it('is one for a local repository, as a path and as a file URL', () => {
    assert.equal(canonicalRepository('/srv/git/a.git'), canonicalRepository('file:///srv/git/a.git'))
  })

  it('never holds a password', () => {
    assert.ok(!canonicalRepository('https://me:s3cret@git.example/a').includes('s3cret'))
  })
})

describe('whether two texts name one repository', () => {
  it('is so for each form of a URL, and for a path however it ends', () => {
    for (const [a, b] of [
      ['https://git.example/team/shop.git', 'git@git.example:team/shop'],
      ['/srv/Shop', 'file:///srv/Shop/'],
      ['https://git.example/a/b', 'ssh://git@git.example:2222/a/b'],
      ['/srv/Shop', '/srv/Shop/.git'],
    ] as const)
      assert.ok(isSameRepository(a, b), `${a} ${b}`)
  })

  it('is not so for another one, for paths that differ in a letter, and for what is none', () => {
    for (const [a, b] of [
      ['https://git.example/team/shop', 'https://git.example/team/shop2'],
      ['/srv/Shop', '/srv/shop'],
      ['/srv/shop', '/srv/shop.git'],
      ['http://git.example:3000/a/b', 'http://git.example:4000/a/b'],
      ['', ''],
    ] as const)
      assert.ok(!isSameRepository(a, b), `${a} ${b}`)
  })
})
