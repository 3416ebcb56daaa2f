import assert from 'node:assert/strict'
import { releaseNotes } from '../../../tools/release/notes.ts'

const CHANGELOG = `# Changelog

Introduction.

## Unreleased

- Something new ([page](docs/new.md)).

## 0.2.0 (2026-12-01)

### API

- A route ([api](docs/api.md#route), [RFC](https://www.rfc-editor.org/rfc/rfc9110)).

## 0.1.0 (2026-11-01)

## 0.0.9 (2026-10-01)
`

const given = { version: '0.2.0', tag: 'v0.2.0', commit: 'abc', source: '' }

describe('the notes of a release', () => {
  it('are the section of its version, and nothing of others', () => {
    assert.equal(
      releaseNotes(CHANGELOG, given),
      '# Slipway 0.2.0\n\n### API\n\n- A route ([api](docs/api.md#route), [RFC](https://www.rfc-editor.org/rfc/rfc9110)).\n\nCommit abc.\n',
    )
  })

  it('link to the files of the released commit, and leave other links alone', () => {
    const notes = releaseNotes(CHANGELOG, { ...given, source: 'https://git.example.com/s' })
    assert.match(notes, /\[api\]\(https:\/\/git\.example\.com\/s\/blob\/abc\/docs\/api\.md#route\)/)
    assert.match(notes, /\[RFC\]\(https:\/\/www\.rfc-editor\.org\/rfc\/rfc9110\)/)
  })

  it('are what is not released yet where no tag is named, and say so', () => {
    const notes = releaseNotes(CHANGELOG, { ...given, version: '0.3.0', tag: '' })
    assert.match(notes, /^# Slipway 0\.3\.0, not released\n\n- Something new/)
  })

  for (const { title, input, says } of [
    { title: 'a tag of another version', input: { tag: 'v0.1.0' }, says: /tag is v0\.1\.0 .* must be v0\.2\.0/ },
    {
      title: 'a tag without a section',
      input: { version: '0.3.0', tag: 'v0.3.0' },
      says: /no section "## 0\.3\.0": give "Unreleased" its version and date/,
    },
    {
      title: 'an empty section',
      input: { version: '0.1.0', tag: 'v0.1.0' },
      says: /says nothing about version 0\.1\.0/,
    },
  ])
    it(`are refused for ${title}`, () => {
      assert.throws(() => releaseNotes(CHANGELOG, { ...given, ...input }), { message: says })
    })
})
